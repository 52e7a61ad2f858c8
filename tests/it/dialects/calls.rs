//! Calls, from every shape in which a provider's answer may be at hand.

use serde_json::{Value, json};
use tool_core::{Arguments, Call, Dialect, DialectError};

/// The same call in each dialect: a whole response, a message, a bare list.
fn shapes(dialect: Dialect) -> Vec<Value> {
    match dialect {
        Dialect::OpenAi | Dialect::OpenAiStrict => {
            let call = json!({ "id": "c1", "type": "function", "function": { "name": "add", "arguments": "{\"a\":1}" } });
            let message = json!({ "role": "assistant", "content": null, "tool_calls": [call] });
            vec![
                json!({ "choices": [{ "message": message }] }),
                message,
                json!([call]),
                call,
            ]
        }
        Dialect::Responses => {
            let call = json!({ "type": "function_call", "id": "fc_1", "call_id": "c1", "name": "add", "arguments": "{\"a\":1}" });
            let other = json!({ "type": "reasoning", "summary": [] });
            vec![
                json!({ "object": "response", "error": null, "output": [other, call] }),
                json!([other, call]),
                call,
            ]
        }
        Dialect::Anthropic => {
            let call =
                json!({ "type": "tool_use", "id": "c1", "name": "add", "input": { "a": 1 } });
            let said = json!({ "type": "text", "text": "Adding." });
            let server =
                json!({ "type": "server_tool_use", "id": "s1", "name": "web_search", "input": {} });
            let content = json!([said, server, call]);
            vec![
                json!({ "type": "message", "role": "assistant", "content": content, "stop_reason": "tool_use" }),
                json!({ "role": "assistant", "content": content }),
                content,
                call,
            ]
        }
        Dialect::Gemini => {
            let call = json!({ "functionCall": { "id": "c1", "name": "add", "args": { "a": 1 } } });
            let content = json!({ "role": "model", "parts": [{ "text": "Adding." }, call] });
            vec![
                json!({ "candidates": [{ "content": content, "finishReason": "STOP" }] }),
                content.clone(),
                content["parts"].clone(),
                call,
            ]
        }
        Dialect::Bedrock => {
            let call =
                json!({ "toolUse": { "toolUseId": "c1", "name": "add", "input": { "a": 1 } } });
            let message = json!({ "role": "assistant", "content": [{ "text": "Adding." }, call] });
            vec![
                json!({ "output": { "message": message }, "stopReason": "tool_use" }),
                message.clone(),
                message["content"].clone(),
                call,
            ]
        }
        _ => {
            let params = json!({ "name": "add", "arguments": { "a": 1 } });
            let request =
                json!({ "jsonrpc": "2.0", "id": "c1", "method": "tools/call", "params": params });
            let other = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled" });
            vec![request.clone(), json!([other, request])]
        }
    }
}

#[test]
fn calls_are_read_from_every_shape() {
    for &dialect in Dialect::ALL {
        for shape in shapes(dialect) {
            let calls = dialect.calls(&shape).unwrap();
            assert_eq!(calls.len(), 1, "{dialect}: {shape}");
            let Call {
                id,
                name,
                arguments,
                ..
            } = &calls[0];
            assert_eq!((id.as_str(), name.as_str()), ("c1", "add"), "{dialect}");
            let value: Value = match arguments {
                Arguments::Text(text) => serde_json::from_str(text).unwrap(),
                Arguments::Value(value) => value.clone(),
                _ => unreachable!(),
            };
            assert_eq!(value, json!({ "a": 1 }));
            let text = shape.to_string();
            assert_eq!(dialect.calls_in(text.as_bytes()).unwrap(), calls);
        }
    }
}

#[test]
fn an_answer_without_calls_has_none() {
    for (dialect, answer) in [
        (
            Dialect::OpenAi,
            json!({ "choices": [{ "message": { "role": "assistant", "content": "Hi." } }] }),
        ),
        (
            Dialect::Responses,
            json!({ "output": [{ "type": "message", "content": [] }] }),
        ),
        (
            Dialect::Anthropic,
            json!({ "role": "assistant", "content": "Hi." }),
        ),
        (
            Dialect::Anthropic,
            json!({ "role": "assistant", "content": [{ "type": "text", "text": "Hi." }] }),
        ),
        (
            Dialect::Gemini,
            json!({ "candidates": [{ "content": { "role": "model" }, "finishReason": "STOP" }] }),
        ),
        (Dialect::Gemini, json!({ "candidates": [] })),
        (
            Dialect::Bedrock,
            json!({ "output": { "message": { "role": "assistant", "content": [{ "text": "Hi." }] } } }),
        ),
        (Dialect::Mcp, json!([])),
    ] {
        assert_eq!(
            dialect.calls(&answer),
            Ok(Vec::new()),
            "{dialect}: {answer}"
        );
    }
}

#[test]
fn an_error_of_the_provider_is_told_as_one() {
    for (dialect, answer) in [
        (
            Dialect::OpenAi,
            json!({ "error": { "message": "overloaded" } }),
        ),
        (
            Dialect::Responses,
            json!({ "error": { "code": "x", "message": "overloaded" }, "output": [] }),
        ),
        (
            Dialect::Anthropic,
            json!({ "type": "error", "error": { "type": "overloaded_error", "message": "overloaded" } }),
        ),
        (
            Dialect::Gemini,
            json!({ "error": { "code": 503, "message": "overloaded" } }),
        ),
        (Dialect::Bedrock, json!({ "message": "overloaded" })),
    ] {
        assert_eq!(
            dialect.calls(&answer),
            Err(DialectError::Provider("overloaded".to_owned())),
            "{dialect}"
        );
    }
}

#[test]
fn what_is_no_answer_is_told_with_what_was_expected() {
    for &dialect in Dialect::ALL {
        for junk in [json!(5), json!("text"), json!({ "foo": 1 }), json!(null)] {
            let error = dialect.calls(&junk).unwrap_err().to_string();
            assert!(error.starts_with("expected "), "{dialect}: {error}");
        }
        assert!(matches!(
            dialect.calls_in(b"{"),
            Err(DialectError::NotJson(_))
        ));
    }
}

#[test]
fn calls_without_an_id_get_one_by_their_place_and_gemini_is_not_told_it() {
    let parts = json!([
        { "functionCall": { "name": "a", "args": {} } },
        { "functionCall": { "name": "a" } },
    ]);
    let calls = Dialect::Gemini.calls(&parts).unwrap();
    assert_eq!(calls, Dialect::Gemini.calls(&parts).unwrap());
    assert_ne!(calls[0].id, calls[1].id);
    assert_eq!(calls[1].arguments, Arguments::Value(json!({})));
}

#[test]
fn a_call_that_the_limit_cut_off_is_no_whole_one() {
    for (dialect, answer) in [
        (
            Dialect::Anthropic,
            json!({ "content": [
            { "type": "tool_use", "id": "1", "name": "a", "input": { "x": 1 } },
            { "type": "tool_use", "id": "2", "name": "a", "input": {} },
        ], "stop_reason": "max_tokens" }),
        ),
        (
            Dialect::Bedrock,
            json!({ "output": { "message": { "content": [
            { "toolUse": { "toolUseId": "1", "name": "a", "input": { "x": 1 } } },
            { "toolUse": { "toolUseId": "2", "name": "a", "input": {} } },
        ] } }, "stopReason": "max_tokens" }),
        ),
    ] {
        let calls = dialect.calls(&answer).unwrap();
        assert_eq!(calls[0].arguments, Arguments::Value(json!({ "x": 1 })));
        assert_eq!(
            calls[1].arguments,
            Arguments::Text("{".to_owned()),
            "{dialect}"
        );
    }
}

#[test]
fn a_call_that_gemini_could_not_read_is_an_error_and_not_silence() {
    let answer = json!({ "candidates": [{
        "finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "print(default_api.add(",
    }] });
    let error = Dialect::Gemini.calls(&answer).unwrap_err().to_string();
    assert!(error.contains("malformed call: print("), "{error}");
}

#[test]
fn a_malformed_call_is_still_a_call() {
    for (dialect, call) in [
        (Dialect::OpenAi, json!([{ "function": 5 }])),
        (
            Dialect::Responses,
            json!([{ "type": "function_call", "name": 5 }]),
        ),
        (Dialect::Anthropic, json!([{ "type": "tool_use" }])),
        (Dialect::Gemini, json!([{ "functionCall": null }])),
        (Dialect::Bedrock, json!([{ "toolUse": [] }])),
        (Dialect::Mcp, json!([{ "name": null }])),
    ] {
        let calls = dialect.calls(&call).unwrap();
        assert_eq!(calls.len(), 1, "{dialect}");
        assert_eq!(calls[0].name, "");
        assert!(!calls[0].id.is_empty());
    }
}
