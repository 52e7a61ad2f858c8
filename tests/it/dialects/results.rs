//! Results, with text, JSON, images, documents and errors, in each
//! provider's own blocks.

use serde_json::{Value, json};
use tool_core::{Call, Content, Dialect, Executor, File};

use super::{one, outcomes, text};

fn picture() -> Content {
    File::new("cat.png", "image/png", "PNG")
        .with_description("a cat")
        .into()
}

fn document() -> Content {
    File::new("report 1.pdf", "application/pdf", "PDF").into()
}

fn archive() -> Content {
    File::new("all.zip", "application/zip", "ZIP").into()
}

fn table() -> Content {
    File::new("data.csv", "text/csv; charset=utf-8", "a,b\n1,2").into()
}

fn value() -> Content {
    Content::json(&json!({ "total": 3 })).unwrap()
}

/// `UE5H` is `PNG`, `UERG` is `PDF`, `WklQ` is `ZIP` in base64.
async fn all(dialect: Dialect) -> Vec<Value> {
    let outcomes = outcomes(vec![
        ("c1", vec![text("Done."), value(), picture()]),
        ("c2", vec![document(), archive()]),
        ("c3", vec![table()]),
        ("c4", vec![]),
        ("c5", vec![value()]),
    ])
    .await;
    dialect.results(&outcomes)
}

/// Whether any text holds the base64 of a file.
fn has_base64_in_text(value: &Value) -> bool {
    let binary = |text: &str| {
        ["UE5H", "UERG", "WklQ"]
            .iter()
            .any(|data| text.contains(data))
    };
    match value {
        Value::Object(object) => object.iter().any(|(key, value)| match value {
            Value::String(text) => {
                ["text", "content", "output", "result"].contains(&key.as_str()) && binary(text)
            }
            _ => has_base64_in_text(value),
        }),
        Value::Array(list) => list.iter().any(has_base64_in_text),
        _ => false,
    }
}

#[tokio::test]
async fn no_dialect_writes_binary_into_text_and_each_names_what_it_cannot_send() {
    for &dialect in Dialect::ALL {
        let messages = Value::from(all(dialect).await);
        assert!(!has_base64_in_text(&messages), "{dialect}: {messages}");
        let written = messages.to_string();
        assert!(written.contains("a cat"), "{dialect}");
        // MCP carries every type.
        let zip = if dialect == Dialect::Mcp {
            "WklQ"
        } else {
            "[file all.zip: application/zip, 3 bytes]"
        };
        assert!(written.contains(zip), "{dialect}: {written}");
        assert!(
            written.contains("UE5H") && written.contains("UERG"),
            "{dialect}"
        );
    }
}

#[tokio::test]
async fn openai_gets_text_and_then_one_message_with_the_files() {
    let messages = all(Dialect::OpenAi).await;
    assert_eq!(messages.len(), 6);
    assert_eq!(
        messages[0],
        json!({ "role": "tool", "tool_call_id": "c1",
                "content": "Done.\n{\"total\":3}\n[file cat.png: image/png, 3 bytes] a cat" })
    );
    assert_eq!(messages[3]["content"], "(no output)");
    assert_eq!(
        messages[5],
        json!({ "role": "user", "content": [
            { "type": "text", "text": "File cat.png of tool call c1:" },
            { "type": "image_url", "image_url": { "url": "data:image/png;base64,UE5H" } },
            { "type": "text", "text": "File report 1.pdf of tool call c2:" },
            { "type": "file", "file": { "filename": "report 1.pdf", "file_data": "data:application/pdf;base64,UERG" } },
        ] })
    );
}

#[tokio::test]
async fn responses_hold_images_and_files_in_the_output() {
    let items = all(Dialect::Responses).await;
    assert_eq!(items.len(), 5);
    assert_eq!(
        items[0],
        json!({ "type": "function_call_output", "call_id": "c1", "output": [
            { "type": "input_text", "text": "Done." },
            { "type": "input_text", "text": "{\"total\":3}" },
            { "type": "input_text", "text": "a cat" },
            { "type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,UE5H" },
        ] })
    );
    assert_eq!(items[1]["output"][0]["type"], "input_file");
    assert_eq!(items[1]["output"][1]["type"], "input_text");
    assert_eq!(items[3]["output"], "(no output)");
    assert_eq!(items[4]["output"], "{\"total\":3}");
}

#[tokio::test]
async fn anthropic_gets_one_message_with_a_block_a_result() {
    let messages = all(Dialect::Anthropic).await;
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0]["role"], "user");
    let blocks = messages[0]["content"].as_array().unwrap();
    assert_eq!(
        blocks[0],
        json!({ "type": "tool_result", "tool_use_id": "c1", "is_error": false, "content": [
            { "type": "text", "text": "Done." },
            { "type": "text", "text": "{\"total\":3}" },
            { "type": "text", "text": "a cat" },
            { "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "UE5H" } },
        ] })
    );
    assert_eq!(
        blocks[1]["content"][0],
        json!({ "type": "document", "title": "report 1.pdf",
                "source": { "type": "base64", "media_type": "application/pdf", "data": "UERG" } })
    );
    assert_eq!(
        blocks[2]["content"][0]["source"],
        json!({ "type": "text", "media_type": "text/plain", "data": "a,b\n1,2" })
    );
    assert_eq!(blocks[3]["content"], "(no output)");
}

#[tokio::test]
async fn gemini_pairs_by_name_and_gets_files_in_a_content_of_their_own() {
    let contents = all(Dialect::Gemini).await;
    assert_eq!(contents.len(), 2);
    let parts = contents[0]["parts"].as_array().unwrap();
    assert_eq!(
        parts[0],
        json!({ "functionResponse": { "id": "c1", "name": "tool_0", "response": {
            "result": "Done.\n{\"total\":3}", "files": ["[file cat.png: image/png, 3 bytes] a cat"],
        } } })
    );
    assert_eq!(
        parts[3]["functionResponse"]["response"],
        json!({ "result": "(no output)" })
    );
    assert_eq!(
        parts[4]["functionResponse"]["response"],
        json!({ "result": { "total": 3 } })
    );
    assert_eq!(
        contents[1]["parts"][1],
        json!({ "inlineData": { "mimeType": "image/png", "data": "UE5H" } })
    );
}

#[tokio::test]
async fn gemini_is_not_told_an_id_that_it_did_not_give() {
    let parts = json!([{ "functionCall": { "name": "t", "args": {} } }]);
    let calls = Dialect::Gemini.calls(&parts).unwrap();
    let executor = Executor::new(one(json!({ "type": "object" }))).unwrap();
    let outcomes = executor.run(calls).await;
    let contents = Dialect::Gemini.results(&outcomes);
    assert_eq!(
        contents[0]["parts"][0],
        json!({ "functionResponse": { "name": "t", "response": { "result": {} } } })
    );
}

#[tokio::test]
async fn bedrock_gets_json_images_and_documents() {
    let messages = all(Dialect::Bedrock).await;
    assert_eq!(messages.len(), 1);
    let blocks = messages[0]["content"].as_array().unwrap();
    assert_eq!(
        blocks[0],
        json!({ "toolResult": { "toolUseId": "c1", "status": "success", "content": [
            { "text": "Done." },
            { "json": { "total": 3 } },
            { "text": "a cat" },
            { "image": { "format": "png", "source": { "bytes": "UE5H" } } },
        ] } })
    );
    assert_eq!(
        blocks[1]["toolResult"]["content"][0],
        json!({ "document": { "format": "pdf", "name": "report 1", "source": { "bytes": "UERG" } } })
    );
    assert_eq!(
        blocks[2]["toolResult"]["content"][0]["document"]["format"],
        "csv"
    );
    assert_eq!(
        blocks[3]["toolResult"]["content"],
        json!([{ "text": "(no output)" }])
    );
}

#[tokio::test]
async fn mcp_gets_a_result_a_call_with_structured_content() {
    let results = all(Dialect::Mcp).await;
    assert_eq!(
        results[0],
        json!({ "content": [
            { "type": "text", "text": "Done." },
            { "type": "text", "text": "{\"total\":3}" },
            { "type": "text", "text": "a cat" },
            { "type": "image", "data": "UE5H", "mimeType": "image/png" },
        ], "isError": false })
    );
    assert_eq!(
        results[1]["content"][0],
        json!({ "type": "resource", "resource": {
            "uri": "file:///report%201.pdf", "mimeType": "application/pdf", "blob": "UERG" } })
    );
    assert_eq!(results[2]["content"][0]["resource"]["text"], "a,b\n1,2");
    assert_eq!(results[4]["structuredContent"], json!({ "total": 3 }));
}

#[tokio::test]
async fn errors_are_flagged_where_the_dialect_can() {
    let executor = Executor::new(one(json!({ "type": "object" }))).unwrap();
    let outcomes = executor.run([Call::new("c1", "nothing", "{}")]).await;
    let told = |value: &Value| value.as_str().unwrap().starts_with("Error: ");
    let of = |dialect: Dialect| dialect.results(&outcomes).remove(0);
    assert!(told(&of(Dialect::OpenAi)["content"]));
    assert!(told(&of(Dialect::Responses)["output"]));
    let anthropic = &of(Dialect::Anthropic)["content"][0];
    assert_eq!(anthropic["is_error"], true);
    assert!(told(&anthropic["content"]));
    let gemini = &of(Dialect::Gemini)["parts"][0]["functionResponse"]["response"];
    assert!(told(&gemini["error"]) && gemini.get("result").is_none());
    let bedrock = &of(Dialect::Bedrock)["content"][0]["toolResult"];
    assert_eq!(bedrock["status"], "error");
    assert!(told(&bedrock["content"][0]["text"]));
    let mcp = of(Dialect::Mcp);
    assert_eq!(mcp["isError"], true);
    assert!(told(&mcp["content"][0]["text"]));
}

#[tokio::test]
async fn no_outcomes_need_no_message() {
    for &dialect in Dialect::ALL {
        assert!(dialect.results(&[]).is_empty(), "{dialect}");
    }
}
