//! OpenAI's Responses.
//!
//! Source: the published description of `POST /responses` (`FunctionTool`,
//! `FunctionToolCall`, `FunctionCallOutputItemParam`).

use serde_json::{Map, Value, json};

use super::assembler::{Part, Parts};
use super::content::{self, Piece};
use super::write::{self, Draft};
use super::{Dialect, DialectError, extras, read};
use crate::call::Call;
use crate::definition::Definition;
use crate::outcome::Outcome;
use crate::schema::describe;

const DIALECT: Dialect = Dialect::Responses;

pub(super) fn definition(
    definition: &Definition,
    name: &str,
    may_be_strict: bool,
) -> Result<Draft, String> {
    let parameters = write::parameters(DIALECT, definition, may_be_strict)?;
    let mut tool = Map::new();
    tool.insert("type".to_owned(), "function".into());
    tool.insert("name".to_owned(), name.into());
    // An import may have had none, which is not the same as an empty one.
    let has_none = extras::kept(definition, DIALECT)
        .is_some_and(|kept| kept.get("description") == Some(&Value::Null));
    let description = match definition.description.as_str() {
        "" if has_none => Value::Null,
        text => text.into(),
    };
    tool.insert("description".to_owned(), description);
    tool.insert("parameters".to_owned(), parameters.schema);
    // Both are required keys here; without `strict` the service makes it true.
    tool.insert("strict".to_owned(), parameters.strict.into());
    extras::add(&mut tool, definition, DIALECT);
    Ok(Draft {
        value: tool.into(),
        strict: parameters.strict,
        notes: parameters.notes,
    })
}

/// Tools that are not functions are the provider's own and are passed over.
pub(super) fn import(definitions: &Value) -> Result<Vec<Definition>, DialectError> {
    let mut imported = Vec::new();
    for (index, value) in read::definitions(definitions)?.iter().enumerate() {
        let object = match value.as_object() {
            Some(object) if object.get("type").is_some_and(|kind| kind == "function") => object,
            Some(object) if object.contains_key("type") => continue,
            _ => {
                return Err(DialectError::Shape(format!(
                    "tool {index}: expected {{\"type\":\"function\",\"name\",…}}, got {}",
                    describe::got(value)
                )));
            }
        };
        let name = read::text(value, "name");
        if name.is_empty() {
            return Err(DialectError::Shape(format!("tool {index} has no `name`")));
        }
        let parameters = match object.get("parameters") {
            None | Some(Value::Null) => json!({ "type": "object", "properties": {} }),
            Some(parameters) => parameters.clone(),
        };
        let mut definition = Definition::new(name, read::text(value, "description"), parameters);
        definition.strict = object.get("strict").and_then(Value::as_bool);
        let known = ["type", "name", "description", "parameters", "strict"];
        extras::keep(&mut definition, DIALECT, object, &known);
        if object.get("description").is_none_or(Value::is_null) {
            extras::mark(&mut definition, DIALECT, "description", Value::Null);
        }
        imported.push(definition);
    }
    Ok(imported)
}

const EXPECTED: &str = "a response with `output` or a list of items";

pub(super) fn calls(response: &Value) -> Result<Vec<Call>, DialectError> {
    let calls = items(response)?
        .iter()
        .filter(|item| is_call(item))
        .enumerate()
        .map(|(index, item)| {
            let id = item.get("call_id").or_else(|| item.get("id"));
            Call::new(
                read::call_id(id, index),
                read::text(item, "name"),
                read::arguments(item.get("arguments")),
            )
        })
        .collect();
    Ok(calls)
}

pub(super) fn is_call(item: &Value) -> bool {
    item.get("type").is_some_and(|kind| kind == "function_call")
}

/// The items of a response, of a list, or one alone.
pub(super) fn items(response: &Value) -> Result<&[Value], DialectError> {
    let object = match response {
        Value::Array(list) => return Ok(list),
        Value::Object(object) => object,
        _ => return Err(read::unknown(EXPECTED, response)),
    };
    if let Some(error) = read::provider_error(object) {
        return Err(error);
    }
    match object.get("output") {
        Some(Value::Array(items)) => Ok(items),
        _ if object.contains_key("type") || object.contains_key("role") => {
            Ok(std::slice::from_ref(response))
        }
        _ => Err(read::unknown(EXPECTED, response)),
    }
}

/// One item a result; a list of parts only where there are files to show.
pub(super) fn results(outcomes: &[&Outcome]) -> Vec<Value> {
    outcomes
        .iter()
        .map(|outcome| {
            json!({
                "type": "function_call_output",
                "call_id": outcome.call_id,
                "output": output(outcome),
            })
        })
        .collect()
}

fn output(outcome: &Outcome) -> Value {
    if outcome.files().next().is_none() {
        return content::text(outcome, |_| false).into();
    }
    let text = |text: &str| json!({ "type": "input_text", "text": text });
    let mut parts = Vec::new();
    for piece in content::pieces(outcome) {
        let file = match piece {
            Piece::Text(words) => {
                if !words.is_empty() {
                    parts.push(text(&words));
                }
                continue;
            }
            Piece::Json(json) => {
                parts.push(text(json));
                continue;
            }
            Piece::File(file) => file,
        };
        let media_type = content::media_type(file);
        let part = if content::is_image(&media_type) {
            json!({ "type": "input_image", "detail": "auto", "image_url": content::data_url(file) })
        } else if media_type == "application/pdf" || content::as_text(file, &media_type).is_some() {
            json!({
                "type": "input_file",
                "filename": file.filename,
                "file_data": content::data_url(file),
            })
        } else {
            parts.push(text(&content::mention(file)));
            continue;
        };
        if let Some(description) = &file.description {
            parts.push(text(description));
        }
        parts.push(part);
    }
    parts.into()
}

/// Source: `ResponseStreamEvent`.
pub(super) fn chunk(event: &Value, parts: &mut Parts) -> Result<(), DialectError> {
    let place = event
        .get("output_index")
        .and_then(Value::as_u64)
        .unwrap_or(0);
    match read::text(event, "type") {
        "response.output_item.added" | "response.output_item.done" => {
            let Some(item) = event.get("item").filter(|item| is_call(item)) else {
                return Ok(());
            };
            if parts.at(place).is_none() {
                parts.begin(Part::new(place));
            }
            let Some(part) = parts.at(place) else {
                return Ok(());
            };
            let id = item.get("call_id").or_else(|| item.get("id"));
            part.id = id.and_then(Value::as_str).map(str::to_owned);
            read::text(item, "name").clone_into(&mut part.name);
            part.is_named = true;
            if read::text(event, "type").ends_with("done") {
                read::text(item, "arguments").clone_into(&mut part.text);
                part.is_closed = true;
            }
        }
        "response.function_call_arguments.delta" => {
            if let Some(part) = parts.at(place) {
                part.text.push_str(read::text(event, "delta"));
            }
        }
        "response.function_call_arguments.done" => {
            if let Some(part) = parts.at(place) {
                read::text(event, "arguments").clone_into(&mut part.text);
                part.is_closed = true;
            }
        }
        "error" => {
            // The message stands in the event itself, or one level deeper.
            let nested = event.pointer("/error/message").and_then(Value::as_str);
            let message = nested.unwrap_or_else(|| read::text(event, "message"));
            return Err(DialectError::Provider(message.to_owned()));
        }
        "response.failed" => {
            let response = event.get("response").and_then(Value::as_object);
            return Err(response
                .and_then(read::provider_error)
                .unwrap_or_else(|| DialectError::Provider("the response failed".to_owned())));
        }
        _ => {}
    }
    Ok(())
}
