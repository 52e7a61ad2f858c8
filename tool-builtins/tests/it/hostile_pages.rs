//! Markup that is made to exhaust a parser: it is read in bounded time and depth.

use std::time::{Duration, Instant};

use tool_builtins::web::{Style, extract};

/// Debug builds on a very busy machine are slow; what is quadratic takes many minutes.
const LIMIT: Duration = Duration::from_secs(120);

fn quick(name: &str, html: &str) {
    for style in [Style::Text, Style::Markdown] {
        let started = Instant::now();
        let content = extract(html, "https://example.com/", style).content;
        let elapsed = started.elapsed();
        println!("{name} {style:?}: {} bytes in {elapsed:?}", html.len());
        assert!(elapsed < LIMIT, "{name} took {elapsed:?}");
        assert!(
            content.contains("needle"),
            "{name} lost its text: {content:.200}"
        );
    }
}

#[test]
fn deep_nests_of_any_element_are_read_quickly() {
    quick(
        "div",
        &format!(
            "{}needle{}",
            "<div>".repeat(200_000),
            "</div>".repeat(200_000)
        ),
    );
    for tag in [
        "b",
        "a href=x",
        "font",
        "span",
        "ul><li",
        "table><tr><td",
        "blockquote",
        "p",
        "li",
        "button",
        "object",
        "form",
        "dl><dd",
        "x-y",
        "ruby><rt",
        "select><option",
        "math><mi",
    ] {
        quick(
            tag,
            &format!("<p>needle</p>{}", format!("<{tag}>").repeat(10_000)),
        );
    }
}

#[test]
fn elements_that_parsers_reopen_are_read_quickly() {
    quick(
        "adoption agency",
        &format!("needle{}", "<a><p>".repeat(10_000)),
    );
    quick(
        "misnested",
        &format!("needle{}", "<b><div></b>".repeat(10_000)),
    );
    quick(
        "span p",
        &format!("needle{}", "<span><p></span></p>".repeat(10_000)),
    );
    quick(
        "form",
        &format!("needle{}", "<form><div></form>".repeat(10_000)),
    );
    quick(
        "table b",
        &format!("needle{}", "<b><table><tr><td></b></table>".repeat(10_000)),
    );
    let distinct: String = (0..10_000)
        .map(|number| format!("<div><b id={number}>x</div>"))
        .collect();
    quick("formatting", &format!("needle{distinct}"));
    let fostered: String = "<table><b>x</table>".repeat(10_000);
    quick("foster parents", &format!("needle{fostered}"));
}

#[test]
fn wide_pages_are_read_quickly() {
    quick(
        "paragraphs",
        &format!("<p>needle</p>{}", "<p>x".repeat(30_000)),
    );
    quick("breaks", &format!("needle{}", "<br>".repeat(25_000)));
    quick(
        "breaks and text",
        &format!("needle{}", "x<br><br>".repeat(10_000)),
    );
    quick(
        "divs of text",
        &format!(
            "<div>needle</div>{}",
            "<div>some words, and more</div>".repeat(25_000)
        ),
    );
    quick(
        "links",
        &format!("<p>needle{}", "<a href=/x>y</a> ".repeat(10_000)),
    );
    quick(
        "rows",
        &format!(
            "<table><tr><td>needle<td>a{}</table>",
            "<tr><td>x<td>y".repeat(30_000)
        ),
    );
}

#[test]
fn long_and_many_attributes_are_read_quickly() {
    quick(
        "long attribute",
        &format!("<p title=\"{}\">needle</p>", "A".repeat(8 << 20)),
    );
    let many: String = (0..100_000).map(|number| format!(" a{number}=1")).collect();
    quick("many attributes", &format!("<p{many}>needle</p>"));
    quick(
        "unclosed quotes",
        &format!("<p>needle</p>{}", "<a title='".repeat(30_000)),
    );
    quick(
        "classes",
        &format!(
            "<p>needle</p>{}",
            format!("<p class='{}'>x</p>", "c ".repeat(4000)).repeat(200)
        ),
    );
}

#[test]
fn unclosed_constructs_are_read_quickly() {
    quick(
        "comments",
        &format!("<p>needle</p>{}", "<!--".repeat(200_000)),
    );
    quick("brackets", &format!("<p>needle</p>{}", "<".repeat(100_000)));
    quick(
        "end tags",
        &format!("<p>needle</p>{}", "</b>".repeat(200_000)),
    );
    quick(
        "scripts",
        &format!("<p>needle</p>{}", "<script>".repeat(30_000)),
    );
    quick(
        "script ends",
        &format!("<p>needle</p><script>{}", "</scrip".repeat(200_000)),
    );
    quick("svg", &format!("<p>needle</p>{}", "<svg>".repeat(10_000)));
    quick(
        "templates",
        &format!("<p>needle</p>{}", "<template></b>".repeat(10_000)),
    );
    for entity in ["&", "&amp;", "&xyz;", "& "] {
        quick(
            "entities",
            &format!("<p>needle</p>{}", entity.repeat(50_000)),
        );
        quick(
            "entities in attributes",
            &format!(
                "<p>needle</p>{}",
                format!("<a title='{}'>x</a>", entity.repeat(3000)).repeat(20)
            ),
        );
    }
    quick(
        "one line",
        &format!("<p>needle {}</p>", "A".repeat(8 << 20)),
    );
}

#[test]
fn any_bytes_at_all_are_read_without_a_panic() {
    let pieces = [
        "<", ">", "</", "<!--", "-->", "<p", "<table>", "</td>", "'", "\"", "=", " ", "\u{0}", "é",
        "&#x", "<svg>", "<title>", "x", "<br/>", "<li>", "<a href=", "style='", ":", ";",
    ];
    let mut state = 11_usize;
    for _ in 0..2000 {
        let mut html = String::new();
        for _ in 0..30 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            html.push_str(pieces[(state >> 33) % pieces.len()]);
        }
        for style in [Style::Text, Style::Markdown] {
            let _ = extract(&html, "https://example.com/", style);
        }
    }
}
