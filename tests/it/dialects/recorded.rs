//! The 183 recorded exchanges: calls read, definitions written back, results
//! in the recorded shape.

use serde_json::{Value, json};
use tool_core::{Arguments, Call, Catalogue, Definition, Dialect, Executor, Tool};

use super::{keys, lines};

/// What was recorded of one call, read without our code.
struct Recorded {
    id: Option<String>,
    name: String,
    arguments: Value,
}

fn recorded_calls(dialect: Dialect, response: &Value) -> Vec<Recorded> {
    let list = |pointer: &str| {
        response
            .pointer(pointer)
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    let call = |call: &Value, id: &str, arguments: &str| Recorded {
        id: call[id].as_str().map(str::to_owned),
        name: call["name"].as_str().unwrap().to_owned(),
        arguments: match &call[arguments] {
            Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| json!(text)),
            value => value.clone(),
        },
    };
    match dialect {
        Dialect::OpenAi => list("/choices/0/message/tool_calls")
            .iter()
            .map(|value| Recorded {
                id: value["id"].as_str().map(str::to_owned),
                ..call(&value["function"], "id", "arguments")
            })
            .collect(),
        Dialect::Responses => list("/output")
            .iter()
            .filter(|item| item["type"] == "function_call")
            .map(|item| call(item, "call_id", "arguments"))
            .collect(),
        Dialect::Anthropic => list("/content")
            .iter()
            .filter(|block| block["type"] == "tool_use")
            .map(|block| call(block, "id", "input"))
            .collect(),
        Dialect::Gemini => list("/candidates/0/content/parts")
            .iter()
            .filter_map(|part| part.get("functionCall"))
            .map(|value| call(value, "id", "args"))
            .collect(),
        Dialect::Bedrock => list("/output/message/content")
            .iter()
            .filter_map(|block| block.get("toolUse"))
            .map(|value| call(value, "toolUseId", "input"))
            .collect(),
        _ => unreachable!(),
    }
}

fn value_of(arguments: &Arguments) -> Value {
    match arguments {
        Arguments::Text(text) => serde_json::from_str(text).unwrap_or_else(|_| json!(text)),
        Arguments::Value(value) => value.clone(),
        _ => unreachable!(),
    }
}

/// Everything in the request's tools that is a function of ours.
fn recorded_tools(dialect: Dialect, request: &Value) -> Vec<Value> {
    let tools = match dialect {
        Dialect::Bedrock => &request["toolConfig"]["tools"],
        _ => &request["tools"],
    };
    let tools = match tools {
        Value::Array(tools) => tools.clone(),
        Value::Null => Vec::new(),
        one => vec![one.clone()],
    };
    let functions = |tool: &Value| {
        ["functionDeclarations", "function_declarations"]
            .iter()
            .find_map(|key| tool.get(key))
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    match dialect {
        Dialect::Gemini => tools.iter().flat_map(functions).collect(),
        Dialect::Responses => tools
            .into_iter()
            .filter(|tool| tool["type"] == "function")
            .collect(),
        Dialect::Anthropic => tools
            .into_iter()
            .filter(|tool| tool.get("input_schema").is_some())
            .collect(),
        Dialect::Bedrock => tools
            .into_iter()
            .filter(|tool| tool.get("toolSpec").is_some())
            .collect(),
        _ => tools,
    }
}

/// A definition with what its absence means: one kind of tool is the default.
fn same(dialect: Dialect, tool: &Value) -> Value {
    let mut tool = tool.clone();
    if dialect == Dialect::OpenAi {
        tool["type"] = "function".into();
    }
    tool
}

async fn every_exchange(file: &str, dialect: Dialect, count: usize) {
    let Some(exchanges) = lines(&format!("recorded/{file}.jsonl")) else {
        return;
    };
    assert_eq!(exchanges.len(), count);
    let (mut calls_read, mut written, mut reworded) = (0, 0, Vec::new());
    let (mut answered, mut shapes) = (0, Vec::new());
    for exchange in &exchanges {
        let id = exchange["id"].as_str().unwrap();
        let (request, response) = (&exchange["request"], &exchange["response"]);

        let calls = dialect.calls(response).unwrap();
        let recorded = recorded_calls(dialect, response);
        assert_eq!(calls.len(), recorded.len(), "{id}");
        for (call, recorded) in calls.iter().zip(&recorded) {
            if let Some(given) = &recorded.id {
                assert_eq!(&call.id, given, "{id}");
            }
            assert_eq!(call.name, recorded.name, "{id}");
            assert_eq!(value_of(&call.arguments), recorded.arguments, "{id}");
        }
        calls_read += calls.len();

        let definitions = dialect.import(request).unwrap();
        let tools = recorded_tools(dialect, request);
        assert_eq!(definitions.len(), tools.len(), "{id}");
        for (definition, tool) in definitions.iter().zip(&tools) {
            let again = dialect.definition(definition).unwrap();
            if same(dialect, &again) == same(dialect, tool) {
                written += 1;
            } else {
                reworded.push(format!("{id}: {}\n{again}\n{tool}", definition.name));
            }
        }

        answered += results(dialect, exchange, &calls, &mut shapes).await;
    }
    println!(
        "{file}: {count} exchanges, {calls_read} calls, {written} definitions equal, {} reworded, \
         {answered} results in the recorded shape",
        reworded.len()
    );
    assert!(shapes.is_empty(), "{shapes:#?}");
    assert!(reworded.is_empty(), "{reworded:#?}");
}

/// What was recorded as the result of each call, by id or else by order.
fn recorded_results(dialect: Dialect, next: &Value) -> Vec<(Option<String>, Value)> {
    let mut found = Vec::new();
    let list = match dialect {
        Dialect::Responses => &next["input"],
        Dialect::Gemini => &next["contents"],
        _ => &next["messages"],
    };
    for message in list.as_array().into_iter().flatten() {
        let blocks = match dialect {
            Dialect::OpenAi | Dialect::Responses => vec![message.clone()],
            Dialect::Gemini => message["parts"].as_array().cloned().unwrap_or_default(),
            _ => message["content"].as_array().cloned().unwrap_or_default(),
        };
        for block in blocks {
            let id = match dialect {
                Dialect::OpenAi if block["role"] == "tool" => &block["tool_call_id"],
                Dialect::Responses if block["type"] == "function_call_output" => &block["call_id"],
                Dialect::Anthropic if block["type"] == "tool_result" => &block["tool_use_id"],
                Dialect::Bedrock if block.get("toolResult").is_some() => {
                    &block["toolResult"]["toolUseId"]
                }
                Dialect::Gemini if block.get("functionResponse").is_some() => {
                    &block["functionResponse"]["id"]
                }
                _ => continue,
            };
            found.push((id.as_str().map(str::to_owned), block.clone()));
        }
    }
    found
}

/// Runs the recorded calls with tools that answer as recorded, and compares
/// the shape of our results with those in the next request.
async fn results(
    dialect: Dialect,
    exchange: &Value,
    calls: &[Call],
    shapes: &mut Vec<String>,
) -> usize {
    let recorded = recorded_results(dialect, &exchange["next_request"]);
    let mut definitions: Vec<Definition> = Vec::new();
    for call in calls {
        if definitions.iter().all(|known| known.name != call.name) {
            let open = json!({ "type": "object" });
            definitions.push(Definition::new(call.name.as_str(), "Do it.", open));
        }
    }
    let tools = definitions
        .into_iter()
        .map(|definition| Tool::new(definition, |_, _| async { "what the tool says" }).unwrap());
    let executor = Executor::new(Catalogue::new(tools).unwrap()).unwrap();
    let outcomes = executor.run(calls.to_vec()).await;
    let messages = dialect.results(&outcomes);
    let ours: Vec<(Option<String>, Value)> = recorded_results(
        dialect,
        &json!({ "messages": messages, "input": messages, "contents": messages }),
    );
    assert_eq!(ours.len(), calls.len());
    let mut compared = 0;
    for (id, block) in &ours {
        let same_id = |(given, _): &&(Option<String>, Value)| given.is_some() && given == id;
        // Where Gemini gave no id, the recording program made one up.
        let same_name = |(_, other): &&(Option<String>, Value)| {
            dialect == Dialect::Gemini
                && other["functionResponse"]["name"] == block["functionResponse"]["name"]
        };
        let Some((_, other)) = recorded
            .iter()
            .find(same_id)
            .or_else(|| recorded.iter().rev().find(same_name))
        else {
            continue;
        };
        compared += 1;
        let inner = |value: &Value| match dialect {
            Dialect::Bedrock => value["toolResult"].clone(),
            Dialect::Gemini => value["functionResponse"].clone(),
            _ => value.clone(),
        };
        let (block, mut other) = (inner(block), inner(other));
        if dialect == Dialect::Gemini {
            // We send files in a content of their own, which older models take too.
            other.as_object_mut().unwrap().shift_remove("parts");
            if block.get("id").is_none() {
                other.as_object_mut().unwrap().shift_remove("id");
            }
        }
        if keys(&block) != keys(&other) {
            shapes.push(format!("{}: {block} for {other}", exchange["id"]));
        }
    }
    compared
}

#[tokio::test]
async fn openai() {
    every_exchange("openai", Dialect::OpenAi, 37).await;
}

#[tokio::test]
async fn responses() {
    every_exchange("responses", Dialect::Responses, 25).await;
}

#[tokio::test]
async fn anthropic() {
    every_exchange("anthropic", Dialect::Anthropic, 39).await;
}

#[tokio::test]
async fn gemini() {
    every_exchange("gemini", Dialect::Gemini, 69).await;
}

#[tokio::test]
async fn bedrock() {
    every_exchange("bedrock", Dialect::Bedrock, 13).await;
}
