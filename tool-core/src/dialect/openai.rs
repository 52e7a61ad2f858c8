//! OpenAI's chat completions, as most providers and local servers speak.
//!
//! Source: the published description of `POST /chat/completions`
//! (`ChatCompletionTool`, `ChatCompletionMessageToolCall`,
//! `ChatCompletionRequestToolMessage`).

use serde_json::{Value, json};

use super::assembler::{Part, Parts};
use super::write::{self, Draft};
use super::{Dialect, DialectError, content, extras, read};
use crate::call::Call;
use crate::definition::Definition;
use crate::file::File;
use crate::outcome::Outcome;
use crate::schema::describe;

pub(super) fn definition(
    dialect: Dialect,
    definition: &Definition,
    name: &str,
    may_be_strict: bool,
) -> Result<Draft, String> {
    let parameters = write::parameters(dialect, definition, may_be_strict)?;
    let mut function = json!({
        "name": name,
        "description": definition.description,
        "parameters": parameters.schema,
    });
    // The plain form stays what every server takes: `strict` only where it was said.
    let says_strict = dialect == Dialect::OpenAiStrict || definition.strict.is_some();
    if let (true, Value::Object(function)) = (says_strict, &mut function) {
        function.insert("strict".to_owned(), parameters.strict.into());
    }
    Ok(Draft {
        value: json!({ "type": "function", "function": function }),
        strict: parameters.strict,
        notes: parameters.notes,
    })
}

/// Whether the schema was read in a strict form. Servers that speak this
/// dialect differ in what they ask of one, and this one was taken.
pub(super) fn is_own_strict(definition: &Definition) -> bool {
    definition.strict == Some(true)
        && extras::kept(definition, Dialect::OpenAi)
            .is_some_and(|kept| kept.get("strict") == Some(&Value::Bool(true)))
}

/// The names that OpenAI takes: 1 to 64 of `A-Z a-z 0-9 _ -`.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    if super::names::NameRule::of_tools(Dialect::OpenAi).takes(name) {
        Ok(())
    } else {
        Err(format!(
            "the name '{}' must be 1 to 64 letters, digits, `_` and `-`",
            describe::name(name)
        ))
    }
}

pub(super) fn import(definitions: &Value) -> Result<Vec<Definition>, DialectError> {
    read::definitions(definitions)?
        .iter()
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
    let parameters = match function.get("parameters") {
        None | Some(Value::Null) => json!({ "type": "object", "properties": {} }),
        Some(parameters) => parameters.clone(),
    };
    let mut definition = Definition::new(name, read::text(function, "description"), parameters);
    definition.strict = function.get("strict").and_then(Value::as_bool);
    if definition.strict == Some(true) {
        extras::mark(&mut definition, Dialect::OpenAi, "strict", true.into());
    }
    Ok(definition)
}

const EXPECTED: &str = "a response with `choices`, a message with `tool_calls` or a list of calls";

pub(super) fn calls(response: &Value) -> Result<Vec<Call>, DialectError> {
    let object = match response {
        Value::Array(list) => return Ok(list_of_calls(list)),
        Value::Object(object) => object,
        _ => return Err(read::unknown(EXPECTED, response)),
    };
    if object.contains_key("choices") {
        return match message(response)? {
            Some(message) => message_calls(message),
            None => Ok(Vec::new()),
        };
    }
    if let Some(error) = read::provider_error(object) {
        return Err(error);
    }
    if object.contains_key("tool_calls") || object.contains_key("role") {
        return message_calls(response);
    }
    if object.contains_key("function") {
        return Ok(list_of_calls(std::slice::from_ref(response)));
    }
    Err(read::unknown(EXPECTED, response))
}

/// The message of a response. Several choices are alternatives, so that only
/// one can be acted on.
pub(super) fn message(response: &Value) -> Result<Option<&Value>, DialectError> {
    match response.get("choices") {
        Some(Value::Array(choices)) => match choices.first().map(|choice| choice.get("message")) {
            Some(Some(message)) => Ok(Some(message)),
            Some(None) => Err(DialectError::Shape(
                "the first of `choices` has no `message`; a stream's chunks go to an assembler"
                    .to_owned(),
            )),
            None => Ok(None),
        },
        Some(_) => Err(read::unknown(EXPECTED, response)),
        None => Ok(Some(response)),
    }
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
        .map(|(index, value)| {
            // Some servers leave the envelope out.
            let function = value.get("function").unwrap_or(value);
            Call::new(
                read::call_id(value.get("id"), index),
                read::text(function, "name"),
                read::arguments(function.get("arguments")),
            )
        })
        .collect()
}

/// One tool message a result. A tool message holds nothing but text, so that
/// files follow in one message of the user.
pub(super) fn results(outcomes: &[&Outcome]) -> Vec<Value> {
    let mut messages: Vec<Value> = outcomes
        .iter()
        .map(|outcome| {
            let content = content::text(outcome, |_| false);
            json!({ "role": "tool", "tool_call_id": outcome.call_id, "content": content })
        })
        .collect();
    let mut parts = Vec::new();
    for outcome in outcomes {
        for file in outcome.files() {
            if let Some(part) = part(file) {
                let words = format!(
                    "File {} of tool call {}:",
                    describe::name(&file.filename),
                    describe::name(&outcome.call_id)
                );
                parts.push(json!({ "type": "text", "text": words }));
                parts.push(part);
            }
        }
    }
    if !parts.is_empty() {
        messages.push(json!({ "role": "user", "content": parts }));
    }
    messages
}

/// A file as a part of the user's message, where chat completions take its type.
fn part(file: &File) -> Option<Value> {
    let media_type = content::media_type(file);
    if content::is_image(&media_type) {
        return Some(json!({
            "type": "image_url",
            "image_url": { "url": content::data_url(file) },
        }));
    }
    match media_type.as_str() {
        "application/pdf" => Some(json!({
            "type": "file",
            "file": { "filename": file.filename, "file_data": content::data_url(file) },
        })),
        "audio/wav" | "audio/x-wav" | "audio/mpeg" | "audio/mp3" => {
            let format = if media_type.ends_with("wav") {
                "wav"
            } else {
                "mp3"
            };
            Some(json!({
                "type": "input_audio",
                "input_audio": { "data": content::base64(file), "format": format },
            }))
        }
        _ => None,
    }
}

/// Source: `ChatCompletionChunk`.
pub(super) fn chunk(chunk: &Value, parts: &mut Parts) -> Result<(), DialectError> {
    if let Some(error) = chunk.as_object().and_then(read::provider_error) {
        return Err(error);
    }
    // Further choices are alternatives, of which the first is acted on.
    let first = chunk
        .get("choices")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .find(|choice| choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0);
    let Some(choice) = first else {
        return Ok(());
    };
    // Some servers end a stream with a whole message.
    let delta = choice.get("delta").or_else(|| choice.get("message"));
    let deltas = delta
        .and_then(|delta| delta.get("tool_calls"))
        .and_then(Value::as_array);
    for (position, delta) in deltas.into_iter().flatten().enumerate() {
        let place = delta
            .get("index")
            .and_then(Value::as_u64)
            .unwrap_or(position as u64);
        self::delta(delta, place, parts);
    }
    if choice.get("finish_reason").is_some_and(Value::is_string) {
        let is_cut = choice
            .get("finish_reason")
            .is_some_and(|reason| reason == "length");
        parts.close_all();
        parts.is_cut = is_cut;
    }
    Ok(())
}

fn delta(delta: &Value, place: u64, parts: &mut Parts) {
    let function = delta.get("function").unwrap_or(delta);
    let id = match delta.get("id") {
        Some(Value::String(id)) if !id.is_empty() => Some(id.clone()),
        Some(Value::Number(id)) => Some(id.to_string()),
        _ => None,
    };
    let name = read::text(function, "name");
    // Some servers number all calls alike, and tell them apart by the id alone.
    let is_new = match parts.at(place) {
        None => true,
        Some(part) => id.is_some() && part.id.is_some() && part.id != id,
    };
    if is_new {
        parts.close_all();
        parts.begin(Part::new(place));
    }
    let Some(part) = parts.at(place) else {
        return;
    };
    if part.id.is_none() {
        part.id = id;
    }
    // A name may come in pieces, or again with every piece.
    if part.name != name {
        part.name.push_str(name);
    }
    match function.get("arguments") {
        Some(Value::String(text)) if !text.is_empty() => {
            part.is_named = true;
            part.text.push_str(text);
        }
        Some(value @ (Value::Object(_) | Value::Array(_))) => {
            part.is_named = true;
            part.is_closed = true;
            part.value = Some(value.clone());
        }
        _ => {}
    }
}
