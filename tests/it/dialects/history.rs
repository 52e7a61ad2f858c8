//! The model's turn, given back in a form that the provider takes.

use serde_json::{Value, json};
use tool_core::{Arguments, Dialect};

use super::lines;

#[test]
fn recorded_turns_go_back_as_they_are() {
    for (file, dialect) in [
        ("openai", Dialect::OpenAi),
        ("responses", Dialect::Responses),
        ("anthropic", Dialect::Anthropic),
        ("gemini", Dialect::Gemini),
        ("bedrock", Dialect::Bedrock),
    ] {
        let Some(exchanges) = lines(&format!("recorded/{file}.jsonl")) else {
            return;
        };
        for exchange in &exchanges {
            let response = &exchange["response"];
            let history = dialect.history(response).unwrap();
            assert_eq!(history.set_aside, [], "{}", exchange["id"]);
            let calls = dialect.calls(response).unwrap();
            let again = match dialect {
                Dialect::Responses => json!(history.messages),
                _ => history.messages[0].clone(),
            };
            assert_eq!(dialect.calls(&again).unwrap(), calls, "{}", exchange["id"]);
        }
    }
}

/// A turn with a call that no provider takes back: a name and arguments
/// against its rules.
fn broken(dialect: Dialect) -> Value {
    match dialect {
        Dialect::OpenAi => {
            json!({ "choices": [{ "message": { "role": "assistant", "content": null, "tool_calls": [
            { "id": "1", "type": "function", "function": { "name": "web fetch!", "arguments": "{\"url\": \"htt" } }] } }] })
        }
        Dialect::Responses => json!({ "output": [
            { "type": "function_call", "call_id": "1", "name": "web fetch!", "arguments": "{\"url\": \"htt" }] }),
        Dialect::Anthropic => json!({ "role": "assistant", "content": [
            { "type": "tool_use", "id": "1", "name": "web fetch!", "input": "{\"url\": \"htt" }] }),
        Dialect::Gemini => json!({ "candidates": [{ "content": { "role": "model", "parts": [
            { "functionCall": { "id": "1", "name": "web fetch!", "args": "{\"url\": \"htt" }, "thoughtSignature": "abc" }] } }] }),
        _ => json!({ "output": { "message": { "role": "assistant", "content": [
            { "toolUse": { "toolUseId": "1", "name": "web fetch!", "input": "{\"url\": \"htt" } }] } } }),
    }
}

#[test]
fn a_malformed_call_goes_back_legal_and_the_raw_text_is_kept_aside() {
    for (dialect, pointer) in [
        (Dialect::OpenAi, "/tool_calls/0/function"),
        (Dialect::Responses, ""),
        (Dialect::Anthropic, "/content/0"),
        (Dialect::Gemini, "/parts/0/functionCall"),
        (Dialect::Bedrock, "/content/0/toolUse"),
    ] {
        let response = broken(dialect);
        let history = dialect.history(&response).unwrap();
        let call = history.messages[0].pointer(pointer).unwrap();
        assert_eq!(call["name"], "web_fetch_", "{dialect}");
        let arguments = match dialect {
            Dialect::OpenAi | Dialect::Responses => json!("{}"),
            _ => json!({}),
        };
        let key = ["arguments", "input", "args"]
            .into_iter()
            .find(|key| call.get(key).is_some())
            .unwrap();
        assert_eq!(call[key], arguments, "{dialect}");
        assert_eq!(history.set_aside.len(), 1);
        let aside = &history.set_aside[0];
        assert_eq!(
            (aside.call_id.as_str(), aside.name.as_str()),
            ("1", "web fetch!")
        );
        assert_eq!(
            aside.arguments,
            Arguments::Text("{\"url\": \"htt".to_owned())
        );
    }
    // What the provider asks to be given back beside the call stays.
    let history = Dialect::Gemini.history(&broken(Dialect::Gemini)).unwrap();
    assert_eq!(history.messages[0]["parts"][0]["thoughtSignature"], "abc");
}

#[test]
fn calls_without_an_id_go_back_under_the_one_that_their_results_have() {
    let message = json!({ "role": "assistant", "tool_calls": [
        { "function": { "name": "a", "arguments": "{}" } },
        { "function": { "name": "", "arguments": "" } },
    ] });
    let calls = Dialect::OpenAi.calls(&message).unwrap();
    let history = Dialect::OpenAi.history(&message).unwrap();
    let given = history.messages[0]["tool_calls"].as_array().unwrap();
    for (call, given) in calls.iter().zip(given) {
        assert_eq!(given["id"], call.id.as_str());
        assert_eq!(given["type"], "function");
    }
    assert_eq!(
        given[1]["function"],
        json!({ "name": "unknown", "arguments": "{}" })
    );
}

#[test]
fn an_answer_without_calls_goes_back_too() {
    let history = Dialect::Anthropic
        .history(&json!({ "role": "assistant", "content": "Hi." }))
        .unwrap();
    assert_eq!(
        history.messages,
        [json!({ "role": "assistant", "content": "Hi." })]
    );
    let mcp = json!({ "method": "tools/call", "params": { "name": "a" } });
    assert_eq!(
        Dialect::Mcp.history(&mcp).unwrap().messages,
        [] as [Value; 0]
    );
    assert!(Dialect::OpenAi.history(&json!(5)).is_err());
}
