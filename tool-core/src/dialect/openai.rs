//! OpenAI's chat completions.
//!
//! Source: the published description of `POST /chat/completions`.

use serde_json::{Value, json};

use super::DialectError;
use crate::call::{Arguments, Call};
use crate::definition::Definition;
use crate::outcome::Outcome;
use crate::schema::{describe, lean};

pub(super) fn definition(definition: &Definition) -> Result<Value, String> {
    check_name(&definition.name)?;
    Ok(json!({
        "type": "function",
        "function": {
            "name": definition.name,
            "description": definition.description,
            "parameters": lean(&definition.parameters).into_owned(),
        },
    }))
}

/// The names that OpenAI takes: 1 to 64 of `A-Z a-z 0-9 _ -`.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    let legal = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    if name.chars().all(legal) && (1..=64).contains(&name.len()) {
        Ok(())
    } else {
        Err(format!(
            "the name '{}' must be 1 to 64 letters, digits, `_` and `-`",
            describe::name(name)
        ))
    }
}

pub(super) fn import(definitions: &Value) -> Result<Vec<Definition>, DialectError> {
    let list = match definitions {
        Value::Array(list) => list.as_slice(),
        Value::Object(object) => match object.get("tools") {
            Some(Value::Array(list)) => list.as_slice(),
            _ => std::slice::from_ref(definitions),
        },
        other => {
            return Err(DialectError::Shape(format!(
                "expected a request, a list of tools or one tool, got {}",
                describe::got(other)
            )));
        }
    };
    list.iter()
        .enumerate()
        .map(|(index, value)| import_one(index, value))
        .collect()
}

fn import_one(index: usize, value: &Value) -> Result<Definition, DialectError> {
    let function = value.get("function").unwrap_or(value);
    let Some(name) = function.get("name").and_then(Value::as_str) else {
        return Err(DialectError::Shape(format!(
            "tool {index}: expected {{\"type\":\"function\",\"function\":{{\"name\",…}}}}, got {}",
            describe::got(value)
        )));
    };
    let text = |key: &str| {
        function
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let parameters = match function.get("parameters") {
        None | Some(Value::Null) => json!({ "type": "object", "properties": {} }),
        Some(parameters) => parameters.clone(),
    };
    let mut definition = Definition::new(name, text("description"), parameters);
    definition.strict = function.get("strict").and_then(Value::as_bool);
    Ok(definition)
}

pub(super) fn calls(response: &Value) -> Result<Vec<Call>, DialectError> {
    let unknown = || {
        DialectError::Shape(format!(
            "expected a response with `choices`, a message with `tool_calls` or a list of calls, got {}",
            describe::got(response)
        ))
    };
    let object = match response {
        Value::Array(list) => return Ok(list_of_calls(list)),
        Value::Object(object) => object,
        _ => return Err(unknown()),
    };
    if let Some(choices) = object.get("choices") {
        // Several choices are alternatives, so that only one can be acted on.
        return match choices.get(0).map(|choice| choice.get("message")) {
            Some(Some(message)) => message_calls(message),
            Some(None) => Err(DialectError::Shape(
                "the first of `choices` has no `message`; a stream's chunks are no response"
                    .to_owned(),
            )),
            None if choices.is_array() => Ok(Vec::new()),
            None => Err(unknown()),
        };
    }
    if let Some(error) = object.get("error").filter(|error| !error.is_null()) {
        let message = error
            .get("message")
            .and_then(Value::as_str)
            .or_else(|| error.as_str())
            .map_or_else(|| error.to_string(), str::to_owned);
        return Err(DialectError::Provider(message));
    }
    if object.contains_key("tool_calls") || object.contains_key("role") {
        return message_calls(response);
    }
    if object.contains_key("function") {
        return Ok(list_of_calls(std::slice::from_ref(response)));
    }
    Err(unknown())
}

fn message_calls(message: &Value) -> Result<Vec<Call>, DialectError> {
    match message.get("tool_calls") {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(list)) => Ok(list_of_calls(list)),
        Some(other) => Err(DialectError::Shape(format!(
            "expected `tool_calls` to be a list, got {}",
            describe::got(other)
        ))),
    }
}

fn list_of_calls(list: &[Value]) -> Vec<Call> {
    list.iter()
        .enumerate()
        .map(|(index, value)| call(index, value))
        .collect()
}

fn call(index: usize, value: &Value) -> Call {
    // Some servers leave the envelope out.
    let function = value.get("function").unwrap_or(value);
    let id = match value.get("id") {
        Some(Value::String(id)) if !id.is_empty() => id.clone(),
        Some(Value::Number(id)) => id.to_string(),
        // Some local servers send none, and a result needs one.
        _ => format!("call_{index}"),
    };
    let name = function
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let arguments = match function.get("arguments") {
        Some(Value::String(text)) => Arguments::Text(text.clone()),
        Some(value) => Arguments::Value(value.clone()),
        None => Arguments::Text(String::new()),
    };
    Call::new(id, name, arguments)
}

pub(super) fn result(outcome: &Outcome) -> Value {
    let mut content = outcome.text().into_owned();
    // A tool's message can hold nothing but text.
    for file in outcome.files() {
        if !content.is_empty() {
            content.push('\n');
        }
        content.push_str(&format!(
            "[file {}: {}, {}]",
            describe::name(&file.filename),
            describe::name(&file.mime_type),
            describe::count(file.content.len(), "byte")
        ));
        if let Some(description) = &file.description {
            content.push(' ');
            content.push_str(description);
        }
    }
    if content.is_empty() {
        // Several providers refuse an empty result.
        content.push_str("(no output)");
    }
    json!({ "role": "tool", "tool_call_id": outcome.call_id, "content": content })
}
