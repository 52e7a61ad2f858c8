//! Presentations.

use serde_json::json;

use crate::made::presentation;
use crate::{read, text_of};

fn shape(kind: &str, paragraphs: &str) -> String {
    let kind = if kind.is_empty() {
        String::new()
    } else {
        format!(r#" type="{kind}""#)
    };
    format!(
        "<p:sp><p:nvSpPr><p:nvPr><p:ph{kind}/></p:nvPr></p:nvSpPr><p:txBody>{paragraphs}</p:txBody></p:sp>"
    )
}

fn paragraph(level: usize, text: &str) -> String {
    format!(r#"<a:p><a:pPr lvl="{level}"/><a:r><a:t>{text}</a:t></a:r></a:p>"#)
}

#[tokio::test]
async fn slides_come_in_the_order_of_the_show_with_titles_lists_tables_and_notes() {
    let first = [
        shape("title", &paragraph(0, "Plan")),
        shape(
            "body",
            &format!("{}{}", paragraph(0, "one"), paragraph(1, "inner")),
        ),
        shape("sldNum", &paragraph(0, "17")),
    ]
    .concat();
    let second = r#"<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>h</a:t></a:r></a:p></a:txBody></a:tc></a:tr>
        <a:tr><a:tc><a:txBody><a:p><a:r><a:t>v</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>
        <p:sp><p:txBody><a:p><a:r><a:rPr><a:hlinkClick r:id="web"/></a:rPr><a:t>here</a:t></a:r></a:p></p:txBody></p:sp>"#;
    let deck = presentation(
        &[(&first, false), (second, true)],
        &shape("body", &paragraph(0, "say this")),
    );
    assert_eq!(
        text_of(&read("a.pptx", &deck, json!({})).await),
        "## Slide 1 (hidden)\n\n| h |\n|---|\n| v |\n\n[here](https://example.com/a)\n\nNotes: say this\n\n\
         ## Slide 2: Plan\n\n- one\n  - inner\n\nNotes: say this\n[2 slides; 1 of them hidden in the show]"
    );
}
