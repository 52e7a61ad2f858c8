//! Calls put together from a stream: the same as from the whole.

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_core::{Arguments, Assembler, Catalogue, Definition, Dialect, DialectError};

use super::{echo, lines};

const RECORDED: [(&str, Dialect); 5] = [
    ("openai", Dialect::OpenAi),
    ("responses", Dialect::Responses),
    ("anthropic", Dialect::Anthropic),
    ("gemini", Dialect::Gemini),
    ("bedrock", Dialect::Bedrock),
];

/// Cuts a text at the places that `cuts` choose.
fn pieces(text: &str, cuts: &[usize]) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut places: Vec<usize> = cuts
        .iter()
        .map(|cut| cut % (characters.len() + 1))
        .collect();
    places.sort_unstable();
    let mut start = 0;
    let mut pieces = Vec::new();
    for place in places.into_iter().chain([characters.len()]) {
        pieces.push(characters[start..place].iter().collect());
        start = place;
    }
    pieces
}

/// The events in which a provider would have streamed a response.
fn events(dialect: Dialect, response: &Value, cuts: &[usize]) -> Vec<Value> {
    match dialect {
        Dialect::OpenAi => openai(response, cuts),
        Dialect::Responses => responses(response, cuts),
        Dialect::Anthropic => anthropic(response, cuts),
        Dialect::Gemini => gemini(response),
        _ => bedrock(response, cuts),
    }
}

fn openai(response: &Value, cuts: &[usize]) -> Vec<Value> {
    let chunk = |delta: Value| json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] });
    let mut events = vec![chunk(json!({ "role": "assistant", "content": null }))];
    let message = &response["choices"][0]["message"];
    for (index, call) in message["tool_calls"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        events.push(chunk(json!({ "tool_calls": [{
            "index": index, "id": call["id"], "type": "function",
            "function": { "name": call["function"]["name"], "arguments": "" },
        }] })));
        for piece in pieces(call["function"]["arguments"].as_str().unwrap(), cuts) {
            events.push(chunk(
                json!({ "tool_calls": [{ "index": index, "function": { "arguments": piece } }] }),
            ));
        }
    }
    events.push(json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }] }));
    events.push(json!({ "choices": [], "usage": {} }));
    events
}

fn responses(response: &Value, cuts: &[usize]) -> Vec<Value> {
    let mut events = vec![json!({ "type": "response.created", "response": {} })];
    for (index, item) in response["output"].as_array().unwrap().iter().enumerate() {
        let mut begun = item.clone();
        if item["type"] == "function_call" {
            begun["arguments"] = "".into();
        }
        events.push(
            json!({ "type": "response.output_item.added", "output_index": index, "item": begun }),
        );
        if item["type"] == "function_call" {
            let arguments = item["arguments"].as_str().unwrap();
            for piece in pieces(arguments, cuts) {
                events.push(json!({ "type": "response.function_call_arguments.delta", "output_index": index, "delta": piece }));
            }
            events.push(json!({ "type": "response.function_call_arguments.done", "output_index": index, "arguments": arguments }));
        }
        events.push(
            json!({ "type": "response.output_item.done", "output_index": index, "item": item }),
        );
    }
    events.push(json!({ "type": "response.completed", "response": response }));
    events
}

fn anthropic(response: &Value, cuts: &[usize]) -> Vec<Value> {
    let mut events = vec![json!({ "type": "message_start", "message": { "content": [] } })];
    for (index, block) in response["content"].as_array().unwrap().iter().enumerate() {
        let mut begun = block.clone();
        let calls = ["tool_use", "server_tool_use"].contains(&block["type"].as_str().unwrap());
        if calls {
            begun["input"] = json!({});
        }
        events
            .push(json!({ "type": "content_block_start", "index": index, "content_block": begun }));
        events.push(json!({ "type": "ping" }));
        if calls && block["input"] != json!({}) {
            for piece in pieces(&block["input"].to_string(), cuts) {
                events.push(json!({ "type": "content_block_delta", "index": index,
                    "delta": { "type": "input_json_delta", "partial_json": piece } }));
            }
        }
        events.push(json!({ "type": "content_block_stop", "index": index }));
    }
    events.push(
        json!({ "type": "message_delta", "delta": { "stop_reason": response["stop_reason"] } }),
    );
    events.push(json!({ "type": "message_stop" }));
    events
}

fn gemini(response: &Value) -> Vec<Value> {
    let parts = response["candidates"][0]["content"]["parts"].as_array();
    let mut events: Vec<Value> = parts
        .into_iter()
        .flatten()
        .map(|part| json!({ "candidates": [{ "content": { "role": "model", "parts": [part] } }] }))
        .collect();
    events.push(json!({ "candidates": [{ "content": { "role": "model" }, "finishReason": "STOP" }], "usageMetadata": {} }));
    events
}

fn bedrock(response: &Value, cuts: &[usize]) -> Vec<Value> {
    let mut events = vec![json!({ "messageStart": { "role": "assistant" } })];
    let blocks = response["output"]["message"]["content"].as_array().unwrap();
    for (index, block) in blocks.iter().enumerate() {
        if let Some(call) = block.get("toolUse") {
            events.push(json!({ "contentBlockStart": { "contentBlockIndex": index,
                "start": { "toolUse": { "toolUseId": call["toolUseId"], "name": call["name"] } } } }));
            for piece in pieces(&call["input"].to_string(), cuts) {
                events.push(json!({ "contentBlockDelta": { "contentBlockIndex": index,
                    "delta": { "toolUse": { "input": piece } } } }));
            }
        } else {
            events.push(
                json!({ "contentBlockDelta": { "contentBlockIndex": index, "delta": block } }),
            );
        }
        events.push(json!({ "contentBlockStop": { "contentBlockIndex": index } }));
    }
    events.push(json!({ "messageStop": { "stopReason": response["stopReason"] } }));
    events.push(json!({ "metadata": {} }));
    events
}

fn assembled(mut assembler: Assembler, events: &[Value]) -> Vec<tool_core::Call> {
    for event in events {
        assembler.push(event).unwrap();
    }
    assembler.finish()
}

#[test]
fn recorded_responses_read_the_same_however_they_are_cut() {
    for (file, dialect) in RECORDED {
        let Some(exchanges) = lines(&format!("recorded/{file}.jsonl")) else {
            return;
        };
        let responses: Vec<Value> = exchanges
            .into_iter()
            .map(|exchange| exchange["response"].clone())
            .collect();
        proptest!(ProptestConfig::with_cases(24), |(cuts in prop::collection::vec(0..500_usize, 0..12))| {
            for response in &responses {
                let whole = dialect.calls(response).unwrap();
                let events = events(dialect, response, &cuts);
                prop_assert_eq!(assembled(dialect.assembler(), &events), whole);
            }
        });
        println!("{file}: {} responses", responses.len());
    }
}

#[test]
fn lines_of_an_event_stream_are_taken_as_they_come() {
    let mut assembler = Dialect::OpenAi.assembler();
    for line in [
        ": keep-alive",
        "event: chunk",
        r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"1","function":{"name":"t","arguments":"{}"}}]}}]}"#,
        "",
        "data: [DONE]",
    ] {
        assembler.push_line(line).unwrap();
    }
    assert_eq!(assembler.finish()[0].name, "t");
    let error = Dialect::OpenAi
        .assembler()
        .push_line("data: {")
        .unwrap_err();
    assert!(matches!(error, DialectError::NotJson(_)));
}

fn catalogue() -> Catalogue {
    let definition = Definition::new("web.search", "Search.", json!({ "type": "object" }));
    Catalogue::new([echo(definition)]).unwrap()
}

#[test]
fn a_call_of_an_unknown_tool_is_told_before_its_arguments_come() {
    for (dialect, event) in [
        (
            Dialect::Responses,
            json!({ "type": "response.output_item.added", "output_index": 0,
            "item": { "type": "function_call", "call_id": "1", "name": "web_serch", "arguments": "" } }),
        ),
        (
            Dialect::Anthropic,
            json!({ "type": "content_block_start", "index": 0,
            "content_block": { "type": "tool_use", "id": "1", "name": "web_serch", "input": {} } }),
        ),
        (
            Dialect::Bedrock,
            json!({ "contentBlockStart": { "contentBlockIndex": 0,
            "start": { "toolUse": { "toolUseId": "1", "name": "web_serch" } } } }),
        ),
        (
            Dialect::OpenAi,
            json!({ "choices": [{ "index": 0, "delta": { "tool_calls": [
            { "index": 0, "id": "1", "function": { "name": "web_serch", "arguments": "{" } }] } }] }),
        ),
    ] {
        let mut assembler = dialect.translator(&catalogue()).assembler();
        let error = assembler.push(&event).unwrap_err();
        let told = error.to_string();
        assert!(
            told.contains("'web_serch'") && told.contains("web.search"),
            "{told}"
        );
        // Told once; the stream may be read on, and the call is still there.
        assembler.push(&json!({})).unwrap();
        assert_eq!(assembler.finish()[0].name, "web_serch", "{dialect}");
    }
}

#[test]
fn a_stream_of_a_translator_gives_the_tools_own_names() {
    let translator = Dialect::Anthropic.translator(&catalogue());
    let response = json!({ "content": [{ "type": "tool_use", "id": "1", "name": "web_search", "input": { "q": 1 } }], "stop_reason": "tool_use" });
    let calls = assembled(translator.assembler(), &anthropic(&response, &[3]));
    assert_eq!(calls, translator.calls(&response).unwrap());
    assert_eq!(calls[0].name, "web.search");
}

#[test]
fn a_stream_that_breaks_off_leaves_no_whole_call() {
    for dialect in [
        Dialect::OpenAi,
        Dialect::Responses,
        Dialect::Anthropic,
        Dialect::Bedrock,
    ] {
        let response = match dialect {
            Dialect::OpenAi => json!({ "choices": [{ "message": { "tool_calls": [
                { "id": "1", "function": { "name": "t", "arguments": "{\"a\":[1,2]}" } }] } }] }),
            Dialect::Responses => json!({ "output": [
                { "type": "function_call", "call_id": "1", "name": "t", "arguments": "{\"a\":[1,2]}" }] }),
            Dialect::Anthropic => json!({ "content": [
                { "type": "tool_use", "id": "1", "name": "t", "input": { "a": [1, 2] } }] }),
            _ => json!({ "output": { "message": { "content": [
                { "toolUse": { "toolUseId": "1", "name": "t", "input": { "a": [1, 2] } } }] } } }),
        };
        let events = events(dialect, &response, &[2, 4, 6, 8]);
        let whole = dialect.calls(&response).unwrap();
        for end in 0..events.len() {
            let calls = assembled(dialect.assembler(), &events[..end]);
            for call in calls {
                let complete = call.arguments == whole[0].arguments;
                let broken = matches!(&call.arguments, Arguments::Text(text)
                    if serde_json::from_str::<Value>(text).is_err() && !text.is_empty());
                assert!(
                    complete || broken,
                    "{dialect} after {end}: {}",
                    call.arguments.to_text()
                );
            }
        }
    }
}

#[test]
fn calls_that_all_have_one_index_are_told_apart_by_their_ids() {
    let chunk = |id: &str, name: &str| {
        json!({ "choices": [{ "index": 0, "delta": { "tool_calls": [
        { "index": 0, "id": id, "function": { "name": name, "arguments": "{}" } }] } }] })
    };
    let calls = assembled(
        Dialect::OpenAi.assembler(),
        &[chunk("1", "a"), chunk("2", "b")],
    );
    let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn arguments_that_gemini_sends_one_by_one_become_one_object() {
    let chunk = |call: Value| json!({ "candidates": [{ "content": { "parts": [{ "functionCall": call }] } }] });
    let piece = |path: &str, key: &str, value: Value| {
        chunk(json!({ "partialArgs": [{ "jsonPath": path, key: value }], "willContinue": true }))
    };
    let chunks = [
        chunk(json!({ "name": "book", "willContinue": true })),
        piece("$.city", "stringValue", json!("Par")),
        piece("$.city", "stringValue", json!("is")),
        piece("$.stops[0].name", "stringValue", json!("Lyon")),
        piece("$['stops'][1]['days']", "numberValue", json!(2)),
        piece("$.back", "boolValue", json!(true)),
        piece("$.note", "nullValue", json!("NULL_VALUE")),
        chunk(json!({})),
        chunk(json!({ "name": "next", "args": { "a": 1 } })),
    ];
    let calls = assembled(Dialect::Gemini.assembler(), &chunks);
    assert_eq!(calls.len(), 2);
    assert_eq!(
        calls[0].arguments,
        Arguments::Value(json!({
            "city": "Paris", "stops": [{ "name": "Lyon" }, { "days": 2 }], "back": true, "note": null,
        }))
    );
    assert_eq!(calls[1].arguments, Arguments::Value(json!({ "a": 1 })));
    let broken = assembled(Dialect::Gemini.assembler(), &chunks[..4]);
    assert_eq!(broken[0].arguments, Arguments::Text("{".to_owned()));
}

#[test]
fn an_error_in_the_stream_is_told() {
    for (dialect, event) in [
        (
            Dialect::OpenAi,
            json!({ "error": { "message": "overloaded" } }),
        ),
        (
            Dialect::Responses,
            json!({ "type": "error", "message": "overloaded" }),
        ),
        (
            Dialect::Responses,
            json!({ "type": "response.failed", "response": { "error": { "message": "overloaded" } } }),
        ),
        (
            Dialect::Anthropic,
            json!({ "type": "error", "error": { "message": "overloaded" } }),
        ),
        (
            Dialect::Gemini,
            json!({ "error": { "message": "overloaded" } }),
        ),
        (
            Dialect::Bedrock,
            json!({ "modelStreamErrorException": { "message": "overloaded" } }),
        ),
    ] {
        let error = dialect.assembler().push(&event).unwrap_err();
        assert!(
            matches!(&error, DialectError::Provider(text) if text.contains("overloaded")),
            "{dialect}"
        );
    }
}
