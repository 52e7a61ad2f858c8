//! Every provider's dialect: what goes out, what comes in, and the laws.

mod anthropic;
mod bedrock;
mod calls;
mod data;
mod drawn;
mod gemini;
mod history;
mod laws;
mod mcp;
mod names;
mod recorded;
mod responses;
mod results;
mod streams;
mod strict;
mod wild;
mod wild_requests;

use serde_json::{Map, Value, json};
use std::path::Path;
use tool_core::{Batch, Call, Catalogue, Content, Definition, Dialect, Executor, Output, Tool};

/// The text of a file of the shared data, or nothing where it is absent.
fn shared(path: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/data")
        .join(path);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        println!("skipped: no {}", path.display());
    }
    text
}

fn lines(path: &str) -> Option<Vec<Value>> {
    let text = shared(path)?;
    Some(
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
    )
}

/// A tool that gives its arguments back.
fn echo(definition: Definition) -> Tool {
    Tool::new(definition, |arguments, _| async move { arguments }).unwrap()
}

/// A catalogue with one tool `t` of these parameters.
fn one(parameters: Value) -> Catalogue {
    Catalogue::new([echo(Definition::new("t", "Do it.", parameters))]).unwrap()
}

/// The object schema of these properties.
#[expect(
    clippy::needless_pass_by_value,
    reason = "it is called with what `json!` has just made"
)]
fn object(properties: Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

/// The parameters of the only tool, as this dialect sends them.
fn sent(dialect: Dialect, parameters: Value) -> Value {
    let definitions = dialect.definitions(&one(parameters));
    assert_eq!(definitions.left_out, [], "{dialect}");
    parameters_of(&definitions.tools[0]).clone()
}

fn parameters_of(tool: &Value) -> &Value {
    [
        "/function/parameters",
        "/parameters",
        "/input_schema",
        "/parametersJsonSchema",
        "/parameters_json_schema",
        "/toolSpec/inputSchema/json",
        "/inputSchema",
    ]
    .iter()
    .find_map(|pointer| tool.pointer(pointer))
    .unwrap()
}

fn name_of(tool: &Value) -> &str {
    ["/function/name", "/toolSpec/name", "/name"]
        .iter()
        .find_map(|pointer| tool.pointer(pointer))
        .and_then(Value::as_str)
        .unwrap()
}

fn strict_of(tool: &Value) -> Option<bool> {
    ["/function/strict", "/toolSpec/strict", "/strict"]
        .iter()
        .find_map(|pointer| tool.pointer(pointer))
        .and_then(Value::as_bool)
}

/// The notes about the only tool, as one text.
fn notes(dialect: Dialect, parameters: Value) -> String {
    let definitions = dialect.definitions(&one(parameters));
    let notes: Vec<String> = definitions
        .notes
        .into_iter()
        .map(|(_, note)| note)
        .collect();
    notes.join("\n")
}

/// The batch in which each call of a tool gave this output.
async fn outcomes(outputs: Vec<(&str, Vec<Content>)>) -> Batch {
    let calls: Vec<Call> = outputs
        .iter()
        .enumerate()
        .map(|(index, (id, _))| Call::new(*id, format!("tool_{index}"), json!({})))
        .collect();
    let tools = outputs
        .into_iter()
        .enumerate()
        .map(|(index, (_, content))| {
            let definition = Definition::new(format!("tool_{index}"), "Do it.", object(json!({})));
            Tool::new(definition, move |_, _| {
                let content = content.clone();
                async move { Output::from_iter(content) }
            })
            .unwrap()
        });
    let executor = Executor::new(Catalogue::new(tools).unwrap()).unwrap();
    executor.run(calls).await
}

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value
        .as_object()
        .map(Map::keys)
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    keys.sort_unstable();
    keys
}
