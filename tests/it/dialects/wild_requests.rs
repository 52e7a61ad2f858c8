//! The shapes of `wild` that lie in names, keys, whole requests and calls.

use serde_json::{Value, json};
use tool_core::{Arguments, Call, Catalogue, Definition, Dialect, Executor};

use super::{echo, name_of, notes, object, one, sent, strict_of};

#[test]
fn shape_12_names_with_dots_spaces_and_over_64_characters_are_mapped() {
    let long = "x".repeat(90);
    for name in ["calendar.respondToEvent", "send mail", long.as_str()] {
        let tool = echo(Definition::new(name, "Do it.", json!({ "type": "object" })));
        let tools = Catalogue::new([tool]).unwrap();
        for &dialect in Dialect::ALL {
            let translator = dialect.translator(&tools);
            let sent = name_of(&translator.definitions().tools[0]).to_owned();
            assert!(
                !sent.contains(' ') && sent.len() <= 128,
                "{dialect}: {sent}"
            );
            assert_eq!(translator.tool_name(&sent), Some(name));
        }
    }
}

#[tokio::test]
async fn shape_13_property_keys_that_are_refused_are_mapped_both_ways() {
    let schema = object(json!({
        "$filter": { "type": "string" },
        "tags[]": { "type": "array", "items": object(json!({ "a b": { "type": "integer" } })) },
    }));
    let tools = one(schema.clone());
    for dialect in [Dialect::Anthropic, Dialect::Gemini, Dialect::Bedrock] {
        let translator = dialect.translator(&tools);
        let sent = sent(dialect, schema.clone());
        let keys: Vec<&String> = sent["properties"].as_object().unwrap().keys().collect();
        let legal = |key: &&String| {
            key.chars()
                .all(|character| character.is_ascii_alphanumeric() || character == '_')
        };
        assert!(keys.iter().all(legal), "{dialect}: {keys:?}");
        assert!(notes(dialect, schema.clone()).contains("is sent as"));
        let inner = sent["properties"][keys[1]]["items"]["properties"]
            .as_object()
            .unwrap();
        let inner_key = inner.keys().next().unwrap();
        let arguments = json!({ keys[0]: "open", keys[1]: [{ inner_key: 1 }] });
        let response = match dialect {
            Dialect::Anthropic => {
                json!([{ "type": "tool_use", "id": "1", "name": "t", "input": arguments }])
            }
            Dialect::Gemini => json!([{ "functionCall": { "name": "t", "args": arguments } }]),
            _ => json!([{ "toolUse": { "toolUseId": "1", "name": "t", "input": arguments } }]),
        };
        let calls = translator.calls(&response).unwrap();
        assert_eq!(
            calls[0].arguments,
            Arguments::Value(json!({ "$filter": "open", "tags[]": [{ "a b": 1 }] }))
        );
        let executor = Executor::new(tools.clone()).unwrap();
        assert!(executor.run(calls).await[0].is_ok());
    }
}

/// So many strict tools that one request cannot hold them.
fn many(tools: usize, optional: usize, unions: usize) -> Catalogue {
    let tools = (0..tools).map(|tool| {
        let mut properties = serde_json::Map::new();
        for index in 0..optional {
            properties.insert(format!("o{index}"), json!({ "type": "string" }));
        }
        let mut required = Vec::new();
        for index in 0..unions {
            properties.insert(format!("u{index}"), json!({ "type": ["string", "null"] }));
            required.push(format!("u{index}"));
        }
        let mut definition = Definition::new(
            format!("t{tool}"),
            "Do it.",
            json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false }),
        );
        definition.strict = if tool == 0 { Some(true) } else { None };
        echo(definition)
    });
    Catalogue::new(tools).unwrap()
}

#[test]
fn shape_19_strict_tools_of_a_request_keep_to_the_limits() {
    for (tools, optional, unions) in [(30, 0, 0), (10, 4, 0), (3, 20, 0), (6, 0, 5), (40, 2, 2)] {
        let catalogue = many(tools, optional, unions);
        for dialect in [Dialect::Anthropic, Dialect::Bedrock] {
            let definitions = dialect.definitions(&catalogue);
            let strict: Vec<&Value> = definitions
                .tools
                .iter()
                .filter(|tool| strict_of(tool) == Some(true))
                .collect();
            assert!(!strict.is_empty() && strict.len() <= 20);
            assert!(strict.len() * optional <= 24 && strict.len() * unions <= 16);
            // Each that went without says so, and the one that asked is among the last.
            assert_eq!(strict.len() + definitions.notes.len(), tools);
            assert_eq!(strict_of(&definitions.tools[0]), Some(true), "{dialect}");
            assert!(
                definitions.notes[0]
                    .1
                    .contains("all strict tools of a request")
            );
        }
    }
}

#[tokio::test]
async fn shape_20_a_name_with_the_wrong_dash_is_still_found() {
    let tool = echo(Definition::new(
        "web-fetch_page",
        "Fetch it.",
        json!({ "type": "object" }),
    ));
    let tools = Catalogue::new([tool]).unwrap();
    let translator = Dialect::Gemini.translator(&tools);
    let response = json!([{ "functionCall": { "name": "web_fetch_page", "args": {} } }]);
    let calls = translator.calls(&response).unwrap();
    let outcomes = Executor::new(tools).unwrap().run(calls).await;
    assert!(outcomes[0].is_ok());
    assert_eq!(outcomes[0].tool, "web-fetch_page");
}

#[tokio::test]
async fn shape_21_a_list_sent_as_a_string_is_repaired_by_the_executor() {
    let schema = object(json!({ "tags": { "type": "array", "items": { "type": "string" } } }));
    let executor = Executor::new(one(schema)).unwrap();
    let outcome = executor
        .call(Call::new("1", "t", r#"{"tags":"[\"a\"]"}"#))
        .await;
    assert_eq!(outcome.text(), r#"{"tags":["a"]}"#);
}
