//! Text and markdown out of markup.

use tool_builtins::web::{Style, extract};

fn text(html: &str) -> String {
    extract(html, "https://example.com/a/b", Style::Text).content
}

fn markdown(html: &str) -> String {
    extract(html, "https://example.com/a/b", Style::Markdown).content
}

#[test]
fn inline_elements_stay_inside_their_paragraph() {
    assert_eq!(
        text("<p>A <b>bold</b> word<i>s</i>, a <a href=x>link</a> and <code>code</code>.</p>"),
        "A bold words, a link and code."
    );
    assert_eq!(
        text("<p>one<span> two</span>\n<em>three</em></p><p>four</p>"),
        "one two three\n\nfour"
    );
    assert_eq!(text("<div>a</div><div>b</div>"), "a\nb");
    assert_eq!(text("a<br>b<br/>c"), "a\nb\nc");
}

#[test]
fn white_space_is_collapsed_as_browsers_do_but_kept_in_code() {
    assert_eq!(text("<p>  a \n\t b&nbsp;c  </p>"), "a b c");
    assert_eq!(
        text("<p>x</p><pre>  if a:\n    b\n\n  c</pre>"),
        "x\n\n  if a:\n    b\n\n  c"
    );
    assert_eq!(
        markdown("<pre><code>a  *b*\n  c</code></pre>"),
        "```\na  *b*\n  c\n```"
    );
}

#[test]
fn what_is_not_content_is_left_out() {
    let html = "<title>T</title><nav>menu</nav><p>text</p><script>alert(1)</script><style>p{}</style><noscript>n</noscript>\
                <template>t</template><svg><text>s</text></svg><button>b</button><select><option>o</select><textarea>x</textarea><!-- c -->";
    assert_eq!(text(html), "text");
    assert_eq!(markdown(html), "text");
    assert_eq!(extract(html, "", Style::Text).title, "T");
}

#[test]
fn entities_are_decoded_once() {
    assert_eq!(
        text("<p>&lt;b&gt; &amp;amp; &eacute; &#x1F600; &unknown;"),
        "<b> &amp; é 😀 &unknown;"
    );
    assert_eq!(
        extract("<title>a &amp; b</title>", "", Style::Text).title,
        "a & b"
    );
}

#[test]
fn lists_keep_their_marks_numbers_and_nesting() {
    let html = "<ul><li>a</li><li><p>b</p><ul><li>c</li></ul></li></ul><ol start=9><li>x<li>y</ol>";
    let expected = "- a\n- b\n  - c\n\n9. x\n10. y";
    assert_eq!(text(html), expected);
    assert_eq!(markdown(html), expected);
    assert_eq!(text("<ul><li></li><li>a</li></ul><p>b</p>"), "- a\n\nb");
}

#[test]
fn markdown_has_headings_emphasis_quotes_and_rules() {
    assert_eq!(
        markdown("<h1>One</h1><h3>Three <em>x</em></h3><p>p</p>"),
        "# One\n\n### Three *x*\n\np"
    );
    assert_eq!(
        markdown("<p><b> bold </b>and <i></i><strong>strong</strong></p>"),
        "**bold** and **strong**"
    );
    assert_eq!(
        markdown("<blockquote><p>a</p><p>b</p></blockquote><p>c</p>"),
        "> a\n>\n> b\n\nc"
    );
    assert_eq!(markdown("<p>a</p><hr><p>b</p>"), "a\n\n---\n\nb");
    assert_eq!(markdown("<h2></h2><p>b</p>"), "b");
    assert_eq!(markdown("<p>Use <code>a`b</code></p>"), "Use ``a`b``");
}

#[test]
fn links_are_absolute_and_only_of_kinds_a_reader_can_visit() {
    assert_eq!(
        markdown("<p><a href='../c?d=1#e'>x</a>"),
        "[x](https://example.com/c?d=1#e)"
    );
    assert_eq!(
        markdown("<p><a href='mailto:a@b.example'>m</a>"),
        "[m](mailto:a@b.example)"
    );
    assert_eq!(
        markdown("<base href='https://cdn.example/d/'><p><a href='e'>x</a>"),
        "[x](https://cdn.example/d/e)"
    );
    for href in [
        "javascript:alert(1)",
        " JaVaScRiPt:alert(1)",
        "java\nscript:x",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "#top",
        "blob:x",
    ] {
        assert_eq!(
            markdown(&format!("<p>a <a href=\"{href}\">x</a> b")),
            "a x b",
            "{href:?}"
        );
    }
    assert_eq!(
        markdown("<p><a href='/a_(b)'>x</a>"),
        "[x](https://example.com/a_%28b%29)"
    );
}

#[test]
fn text_is_not_taken_for_marks() {
    assert_eq!(
        markdown("<p># no heading *no* [no](x) `no`"),
        "\\# no heading \\*no\\* \\[no\\](x) \\`no\\`"
    );
    assert_eq!(markdown("<p>- no item</p>"), "\\- no item");
    assert_eq!(
        markdown("<p>snake_case and &lt;b&gt;</p>"),
        "snake_case and \\<b>"
    );
}

#[test]
fn tables_of_data_become_rows_and_tables_of_layout_paragraphs() {
    let html = "<table><tr><th>Name<th>Price<tr><td>Tea | black<td><b>1</b><tr><td>Milk</table>";
    assert_eq!(
        markdown(html),
        "| Name | Price |\n| --- | --- |\n| Tea \\| black | **1** |\n| Milk |  |"
    );
    assert_eq!(text(html), "Name | Price\nTea | black | 1\nMilk |");
    let layout =
        "<table><tr><td><h2>Head</h2><p>one</p></td><td><ul><li>two</ul></td></tr></table>";
    assert_eq!(text(layout), "Head\n\none\n\n- two");
}

#[test]
fn hidden_content_does_not_reach_the_model() {
    let visible = "Visible article text. ".repeat(60);
    let html = format!(
        "<html><head><title>T</title><meta name=description content=HIDDEN></head><body><article><h1>Title</h1><p>{visible}</p>\
         <p style='display:none'>HIDDEN1</p><p hidden>HIDDEN2</p><p aria-hidden=true>HIDDEN3</p><div style='font-size:0'>HIDDEN4</div>\
         <span style='color:#fff;background:#fff'>HIDDEN5</span><!-- HIDDEN6 --><noscript>HIDDEN7</noscript><template>HIDDEN8</template>\
         <img alt=HIDDEN9 src='http://evil.example/?q=leak'><a href='javascript:HIDDEN()'>js</a><a href='data:text/html,HIDDEN'>data</a>\
         <p style='position:absolute;left:-9999px'>HIDDEN10</p><p>zero\u{200b}width \u{e0069}\u{e0067} \u{202e}bidi</p></article></body></html>"
    );
    for (style, content) in [
        (Style::Text, text(&html)),
        (Style::Markdown, markdown(&html)),
    ] {
        assert!(
            !content.contains("HIDDEN") && !content.contains("evil"),
            "{style:?}: {content}"
        );
        assert!(
            content.contains("Visible article text.") && content.contains("zerowidth"),
            "{style:?}: {content}"
        );
    }
}

#[test]
fn a_body_that_is_hidden_until_a_script_runs_is_shown() {
    assert_eq!(
        text("<body style='opacity:0;display:none'><p>shown"),
        "shown"
    );
}

#[test]
fn an_article_is_found_among_what_surrounds_it() {
    let paragraph = "<p>The council met on Tuesday, and after a long debate, it agreed to plant two hundred trees along the river, the mayor said.</p>".repeat(8);
    let html = format!(
        "<body><header><a href=/>Home</a></header><div class=sidebar><ul>{}</ul></div><main><article><h1>Trees</h1>{paragraph}</article></main>\
         <div class=comments><p>First!</p></div><footer>© 2026</footer>",
        "<li><a href=/x>Another story</a></li>".repeat(30)
    );
    let found = text(&html);
    assert!(found.contains("two hundred trees"), "{found}");
    assert!(
        !found.contains("Another story") && !found.contains("First!") && !found.contains("© 2026"),
        "{found}"
    );
}

#[test]
fn a_page_without_an_article_is_given_whole() {
    let items: String = (1..40)
        .map(|number| format!("<li><a href='/{number}'>Item {number}</a></li>"))
        .collect();
    let found = text(&format!("<h1>Index</h1><ul>{items}</ul>"));
    assert!(
        found.starts_with("Index\n\n- Item 1\n") && found.ends_with("- Item 39"),
        "{found}"
    );
}
