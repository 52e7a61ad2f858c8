//! Names that a provider refuses, both ways.

use serde_json::json;
use tool_core::{Catalogue, Definition, Dialect, DialectError, Executor};

use super::{echo, lines, name_of};

fn catalogue(names: &[&str]) -> Catalogue {
    Catalogue::new(names.iter().map(|name| {
        echo(Definition::new(
            *name,
            "Do it.",
            json!({ "type": "object" }),
        ))
    }))
    .unwrap()
}

#[test]
fn a_dialect_reads_its_own_name_and_no_other() {
    let names = [
        "openai",
        "openai-strict",
        "responses",
        "anthropic",
        "gemini",
        "bedrock",
        "mcp",
    ];
    let own: Vec<&str> = Dialect::ALL
        .iter()
        .map(|dialect| dialect.as_str())
        .collect();
    assert_eq!(own, names);
    for (name, &dialect) in names.iter().zip(Dialect::ALL) {
        assert_eq!(name.parse(), Ok(dialect));
        assert_eq!(dialect.to_string(), *name);
    }
    let error = "OpenAI".parse::<Dialect>().unwrap_err();
    assert_eq!(error, DialectError::UnknownDialect("OpenAI".to_owned()));
    assert!(error.to_string().contains("openai-strict"), "{error}");
}

#[test]
fn names_that_would_become_the_same_stay_apart() {
    let tools = catalogue(&["a.b", "a b", "a_b", "a-b"]);
    let translator = Dialect::OpenAi.translator(&tools);
    assert_eq!(translator.sent_name("a_b"), Some("a_b"));
    assert_eq!(translator.sent_name("a-b"), Some("a-b"));
    let dotted = translator.sent_name("a.b").unwrap();
    let spaced = translator.sent_name("a b").unwrap();
    assert_ne!(dotted, spaced);
    assert!(dotted.starts_with("a_b_") && spaced.starts_with("a_b_"));
}

#[tokio::test]
async fn a_long_name_is_cut_and_called_back_by_its_hash() {
    let long = format!("server__{}", "very_long_".repeat(9));
    let tools = catalogue(&[&long]);
    let translator = Dialect::OpenAi.translator(&tools);
    let sent = name_of(&translator.definitions().tools[0]).to_owned();
    assert!(sent.len() <= 64 && sent.starts_with("server__very_long_"));
    let response = json!([{ "id": "1", "function": { "name": sent, "arguments": "{}" } }]);
    let outcomes = Executor::new(tools.clone())
        .unwrap()
        .run(translator.calls(&response).unwrap())
        .await;
    assert!(outcomes[0].is_ok());
    assert_eq!(outcomes[0].tool, long);
    // Without the table nobody knows what the hash stands for.
    let bare = Dialect::OpenAi.calls(&response).unwrap();
    assert_eq!(bare[0].name, sent);
}

#[test]
fn gemini_answers_under_the_name_that_it_was_given() {
    let tools = catalogue(&["3d/render"]);
    let translator = Dialect::Gemini.translator(&tools);
    assert_eq!(translator.sent_name("3d/render"), Some("_3d_render"));
}

#[test]
fn a_name_does_not_change_with_the_tools_beside_it_unless_they_collide() {
    let alone = catalogue(&["math.add"]);
    let beside = catalogue(&["math.add", "math.sub", "web-fetch"]);
    for &dialect in Dialect::ALL {
        assert_eq!(
            dialect.translator(&alone).sent_name("math.add"),
            dialect.translator(&beside).sent_name("math.add"),
        );
    }
}

#[test]
fn every_recorded_call_finds_its_tool_under_the_name_that_was_sent() {
    let mut found = 0;
    for file in ["bfcl-accept", "bfcl-reject", "api-bank"] {
        let Some(lines) = lines(&format!("calls/{file}.jsonl")) else {
            return;
        };
        for line in lines {
            let definitions = Dialect::OpenAi.import(&line).unwrap();
            let tools = Catalogue::new(definitions.into_iter().map(echo)).unwrap();
            let translator = Dialect::Anthropic.translator(&tools);
            for call in line["calls"].as_array().unwrap() {
                let name = call["name"].as_str().unwrap();
                let sent = translator.sent_name(name).unwrap();
                let block = json!([{ "type": "tool_use", "id": "1", "name": sent, "input": {} }]);
                assert_eq!(translator.calls(&block).unwrap()[0].name, name);
                found += 1;
            }
        }
    }
    println!("{found} calls");
}
