//! Removes what a page holds but does not show: the usual place for orders to a model.

use dom_query::{Document, NodeRef};

/// Elements that are never the content of a page.
const UNSEEN: &str = "script, style, noscript, template, svg, iframe, object, embed, canvas, audio, video, dialog:not([open])";

/// Removes the elements of `document` that a browser would not show, as far as their own attributes tell.
///
/// Style sheets are not applied, so what a class hides stays.
pub(super) fn remove_hidden(document: &Document) {
    document.select(UNSEEN).remove();
    let hidden: Vec<NodeRef> = document
        .select("[hidden], [aria-hidden], [style]")
        .nodes()
        .iter()
        .filter(|node| is_hidden(node))
        .copied()
        .collect();
    for node in hidden {
        node.remove_from_parent();
    }
}

fn is_hidden(node: &NodeRef) -> bool {
    // Pages fade in by hiding their whole body until a script has run.
    if node.has_name("html") || node.has_name("body") {
        return false;
    }
    node.has_attr("hidden")
        || node
            .attr("aria-hidden")
            .is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
        || node.attr("style").is_some_and(|style| style_hides(&style))
}

fn style_hides(style: &str) -> bool {
    let style = without_comments(style).to_ascii_lowercase();
    let declarations: Vec<(&str, &str)> = style
        .split(';')
        .filter_map(|declaration| declaration.split_once(':'))
        .map(|(name, value)| {
            (
                name.trim(),
                value.trim().trim_end_matches("!important").trim(),
            )
        })
        .collect();
    let value = |wanted: &str| {
        declarations
            .iter()
            .rev()
            .find(|(name, _)| *name == wanted)
            .map(|(_, value)| *value)
    };
    let pixels = |name: &str| value(name).and_then(number);
    let far = |name: &str| pixels(name).is_some_and(|number| number.abs() >= 999.0);
    let nothing = |name: &str| pixels(name).is_some_and(|number| number.abs() < 0.01);

    let out_of_flow = matches!(value("position"), Some("absolute" | "fixed"));
    let background = value("background-color").or(value("background")).map(color);
    let foreground = value("color").map(color);
    matches!(value("display"), Some("none"))
        || matches!(value("visibility"), Some("hidden" | "collapse"))
        || nothing("opacity")
        || pixels("font-size")
            .is_some_and(|size| size < 2.0 && !value("font-size").is_some_and(is_relative))
        || far("text-indent")
        || (out_of_flow && ["left", "top", "right", "bottom"].into_iter().any(far))
        || (out_of_flow && value("clip").is_some_and(|clip| clip.starts_with("rect(")))
        || value("clip-path")
            .is_some_and(|clip| clip.starts_with("inset(100%") || clip.starts_with("inset(50%"))
        || (value("overflow") == Some("hidden")
            && ["height", "width", "max-height", "max-width"]
                .into_iter()
                .any(nothing))
        || value("transform").is_some_and(|transform| transform.starts_with("scale(0)"))
        || foreground.as_deref() == Some("transparent")
        || (foreground.is_some() && foreground == background)
}

/// `0.5em` and `1rem` are readable sizes; `1px` is not.
fn is_relative(value: &str) -> bool {
    ["em", "%", "vw", "vh", "lh", "ex", "ch"]
        .iter()
        .any(|unit| value.ends_with(unit))
        && number(value).is_some_and(|size| size > 0.2)
}

fn number(value: &str) -> Option<f64> {
    let end = value
        .find(|character: char| !matches!(character, '0'..='9' | '.' | '-' | '+'))
        .unwrap_or(value.len());
    value.get(..end)?.parse().ok()
}

/// One spelling for the colours that are used to hide text.
fn color(value: &str) -> String {
    let compact: String = value
        .chars()
        .filter(|character| !character.is_whitespace())
        .collect();
    match compact.as_str() {
        "#fff" | "#ffffff" | "#ffffffff" | "rgb(255,255,255)" | "rgba(255,255,255,1)" => {
            "white".to_owned()
        }
        "#000" | "#000000" | "#000000ff" | "rgb(0,0,0)" | "rgba(0,0,0,1)" => "black".to_owned(),
        "rgba(0,0,0,0)" | "#0000" | "#00000000" => "transparent".to_owned(),
        _ => compact,
    }
}

fn without_comments(style: &str) -> String {
    let mut rest = style;
    let mut kept = String::with_capacity(style.len());
    while let Some((before, after)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::style_hides;

    #[test]
    fn styles_that_hide_text_are_known() {
        for style in [
            "display:none",
            "DISPLAY : None !important",
            "visibility:hidden",
            "opacity:0",
            "opacity: 0.0",
            "font-size:0",
            "font-size:1px",
            "position:absolute; left:-9999px",
            "position:fixed;top:-1000em",
            "text-indent:-9999px",
            "color:#fff;background:white",
            "color: rgb(255, 255, 255); background-color:#FFFFFF",
            "color:transparent",
            "dis/**/play:none;display/* x */:none",
            "overflow:hidden;height:0",
            "position:absolute;clip:rect(0,0,0,0)",
        ] {
            assert!(style_hides(style), "{style}");
        }
    }

    #[test]
    fn styles_of_visible_text_hide_nothing() {
        for style in [
            "",
            "color:red",
            "display:block",
            "opacity:0.5",
            "font-size:14px",
            "font-size:0.8em",
            "text-indent:2em",
            "position:absolute;left:-10px",
            "position:relative;left:0",
            "color:#fff;background:#000",
            "overflow:hidden;height:10px",
        ] {
            assert!(!style_hides(style), "{style}");
        }
    }
}
