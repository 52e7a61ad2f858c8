//! What a provider would answer.

use serde_json::{Value, json};

use crate::call::{Arguments, Call};
use crate::dialect::Dialect;

/// The response of a provider whose model makes these calls, with or without
/// words before them: what [`Dialect::calls`] reads the same calls from.
///
/// OpenAI gets the arguments as the text that they are, so that broken JSON
/// can be tested; the other providers send a value, which for broken JSON is
/// the text as a JSON string. Over MCP a model says nothing: the text is
/// dropped, and each call is one `tools/call` request of a list.
///
/// # Examples
///
/// ```
/// use tool_core::{Call, Dialect, testing};
///
/// let call = Call::new("call_1", "add", r#"{"a":1}"#);
/// for dialect in Dialect::ALL {
///     let response = testing::response(*dialect, &[call.clone()], Some("I will add them."));
///     let calls = dialect.calls(&response).unwrap();
///     assert_eq!(calls[0].id, "call_1");
///     assert_eq!(calls[0].name, "add");
/// }
/// ```
pub fn response(dialect: Dialect, calls: &[Call], text: Option<&str>) -> Value {
    match dialect {
        Dialect::OpenAi | Dialect::OpenAiStrict => openai(calls, text),
        Dialect::Responses => responses(calls, text),
        Dialect::Anthropic => anthropic(calls, text),
        Dialect::Gemini => gemini(calls, text),
        Dialect::Bedrock => bedrock(calls, text),
        Dialect::Mcp => mcp(calls),
    }
}

fn openai(calls: &[Call], text: Option<&str>) -> Value {
    let mut message = json!({ "role": "assistant", "content": text });
    if !calls.is_empty() {
        message["tool_calls"] = calls
            .iter()
            .map(|call| {
                json!({
                    "id": call.id,
                    "type": "function",
                    "function": { "name": call.name, "arguments": call.arguments.to_text() },
                })
            })
            .collect();
    }
    let finish_reason = if calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    };
    json!({
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "model": "scripted",
        "choices": [{ "index": 0, "message": message, "finish_reason": finish_reason }],
    })
}

fn responses(calls: &[Call], text: Option<&str>) -> Value {
    let message = text.map(|text| {
        json!({
            "type": "message",
            "id": "msg_scripted",
            "role": "assistant",
            "status": "completed",
            "content": [{ "type": "output_text", "text": text, "annotations": [] }],
        })
    });
    let calls = calls.iter().map(|call| {
        json!({
            "type": "function_call",
            "id": format!("fc_{}", call.id),
            "call_id": call.id,
            "name": call.name,
            "arguments": call.arguments.to_text(),
            "status": "completed",
        })
    });
    json!({
        "id": "resp_scripted",
        "object": "response",
        "status": "completed",
        "model": "scripted",
        "output": message.into_iter().chain(calls).collect::<Vec<_>>(),
    })
}

fn anthropic(calls: &[Call], text: Option<&str>) -> Value {
    let text = text.map(|text| json!({ "type": "text", "text": text }));
    let blocks = calls.iter().map(|call| {
        json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": value(call) })
    });
    json!({
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": text.into_iter().chain(blocks).collect::<Vec<_>>(),
        "stop_reason": stop_reason(calls),
    })
}

fn gemini(calls: &[Call], text: Option<&str>) -> Value {
    let text = text.map(|text| json!({ "text": text }));
    let parts = calls.iter().map(
        |call| json!({ "functionCall": { "id": call.id, "name": call.name, "args": value(call) } }),
    );
    let parts: Vec<Value> = text.into_iter().chain(parts).collect();
    json!({
        "candidates": [{
            "index": 0,
            "content": { "role": "model", "parts": parts },
            "finishReason": "STOP",
        }],
        "modelVersion": "scripted",
    })
}

fn bedrock(calls: &[Call], text: Option<&str>) -> Value {
    let text = text.map(|text| json!({ "text": text }));
    let blocks = calls.iter().map(|call| {
        json!({ "toolUse": { "toolUseId": call.id, "name": call.name, "input": value(call) } })
    });
    let blocks: Vec<Value> = text.into_iter().chain(blocks).collect();
    json!({
        "output": { "message": { "role": "assistant", "content": blocks } },
        "stopReason": stop_reason(calls),
    })
}

fn mcp(calls: &[Call]) -> Value {
    calls
        .iter()
        .map(|call| {
            json!({
                "jsonrpc": "2.0",
                "id": call.id,
                "method": "tools/call",
                "params": { "name": call.name, "arguments": value(call) },
            })
        })
        .collect()
}

fn stop_reason(calls: &[Call]) -> &'static str {
    if calls.is_empty() {
        "end_turn"
    } else {
        "tool_use"
    }
}

/// The arguments as providers send them that parse what their model writes.
fn value(call: &Call) -> Value {
    match &call.arguments {
        Arguments::Value(value) => value.clone(),
        Arguments::Text(text) if text.trim().is_empty() => json!({}),
        Arguments::Text(text) => {
            serde_json::from_str(text).unwrap_or_else(|_| text.as_str().into())
        }
    }
}
