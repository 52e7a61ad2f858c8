//! Structured text.

use serde_json::{Value, json};

use crate::{error_of, read, text_of};

async fn value(name: &str, content: &str, mut arguments: Value) -> Value {
    arguments["format"] = json!("json");
    serde_json::from_str(&text_of(&read(name, content.as_bytes(), arguments).await)).unwrap()
}

#[tokio::test]
async fn data_of_any_markup_is_json_when_asked_and_its_text_otherwise() {
    for (name, content) in [
        ("a.yaml", "a: 1 # why\nb: [x]\n"),
        ("a.toml", "# why\na = 1\nb = [\"x\"]\n"),
    ] {
        assert_eq!(
            value(name, content, json!({})).await,
            json!({ "a": 1, "b": ["x"] })
        );
        assert_eq!(
            text_of(&read(name, content.as_bytes(), json!({})).await),
            content
        );
    }
    let lines = "{\"a\":1}\n\n[2]\n3\n";
    assert_eq!(
        value("a.jsonl", lines, json!({})).await,
        json!([{ "a": 1 }, [2], 3])
    );
    assert_eq!(
        value("a.jsonl", lines, json!({ "offset": 2, "limit": 1 })).await,
        json!([[2]])
    );
}

#[tokio::test]
async fn mistakes_are_named_with_their_place() {
    for (name, content, place) in [
        ("a.yaml", "a: 1\n b: [\n", "line"),
        ("a.toml", "a = 1\nb = \n", "line 2"),
        ("a.jsonl", "{}\n{]\n", "line 2, column 2"),
    ] {
        let message = error_of(&read(name, content.as_bytes(), json!({ "format": "json" })).await);
        assert!(
            message.contains(place) && message.contains("format `text`"),
            "{message}"
        );
    }
}

#[tokio::test]
async fn strings_of_data_are_clean() {
    let expected = json!({ "k": "red" });
    assert_eq!(
        value("a.yaml", "\"k\\u202e\": \"\\e[31mred\"\n", json!({})).await,
        expected
    );
    assert_eq!(
        value("a.toml", "\"k\\u202e\" = \"\\u001b[31mred\"\n", json!({})).await,
        expected
    );
}

#[tokio::test]
async fn xml_on_one_line_is_indented_and_other_xml_is_left_alone() {
    let items: Vec<String> = (0..200)
        .map(|number| format!("<item n=\"{number}\">text</item>"))
        .collect();
    let items = items.concat();
    let text = text_of(
        &read(
            "a.xml",
            format!("<list>{items}</list>").as_bytes(),
            json!({ "limit": 3 }),
        )
        .await,
    );
    assert!(
        text.starts_with("<list>\n  <item n=\"0\">text</item>\n  <item"),
        "{text}"
    );
    let neat = "<a>\n <b/>\n</a>\n";
    assert_eq!(
        text_of(&read("a.xml", neat.as_bytes(), json!({})).await),
        neat
    );
}

#[cfg(feature = "web")]
#[tokio::test]
async fn a_page_is_its_text_and_its_source_when_asked() {
    let page = "<html><body><article><h1>Title</h1><p>Visible text.</p><p hidden>secret</p></article></body></html>";
    let text = text_of(&read("a.html", page.as_bytes(), json!({})).await);
    assert!(
        text.contains("Visible text.") && !text.contains("secret") && !text.contains("<p"),
        "{text}"
    );
    assert_eq!(
        text_of(&read("a.html", page.as_bytes(), json!({ "format": "text" })).await),
        page
    );
}
