//! Amazon Bedrock's Converse.
//!
//! Source: the API reference of `Converse` (`ToolSpecification`,
//! `ToolUseBlock`, `ToolResultBlock`) and the service model of its SDK.

use serde_json::{Map, Value, json};

use super::anthropic::cut_last;
use super::assembler::{Part, Parts};
use super::content::{self, Piece};
use super::write::{self, Draft};
use super::{Dialect, DialectError, extras, read};
use crate::call::Call;
use crate::definition::Definition;
use crate::file::File;
use crate::outcome::Outcome;
use crate::schema::describe;

const DIALECT: Dialect = Dialect::Bedrock;

pub(super) fn definition(
    definition: &Definition,
    name: &str,
    may_be_strict: bool,
) -> Result<Draft, String> {
    let parameters = write::parameters(DIALECT, definition, may_be_strict)?;
    let mut spec = Map::new();
    spec.insert("name".to_owned(), name.into());
    // An empty text is refused where none at all is taken.
    if !definition.description.is_empty() {
        spec.insert(
            "description".to_owned(),
            definition.description.as_str().into(),
        );
    }
    spec.insert(
        "inputSchema".to_owned(),
        json!({ "json": parameters.schema }),
    );
    if !extras::says_nothing_of_strict(definition, DIALECT) {
        spec.insert("strict".to_owned(), parameters.strict.into());
    }
    extras::add(&mut spec, definition, DIALECT);
    Ok(Draft {
        value: json!({ "toolSpec": spec }),
        strict: parameters.strict,
        notes: parameters.notes,
    })
}

/// Entries that are no `toolSpec`, such as cache points, are passed over.
pub(super) fn import(definitions: &Value) -> Result<Vec<Definition>, DialectError> {
    let inner = definitions.get("toolConfig").unwrap_or(definitions);
    let mut imported = Vec::new();
    for (index, value) in read::definitions(inner)?.iter().enumerate() {
        let spec = match value.as_object() {
            Some(entry) if entry.contains_key("name") => value,
            Some(entry) => match entry.get("toolSpec") {
                Some(spec) => spec,
                None => continue,
            },
            None => {
                return Err(DialectError::Shape(format!(
                    "tool {index}: expected {{\"toolSpec\":{{\"name\",…}}}}, got {}",
                    describe::got(value)
                )));
            }
        };
        let (Some(object), name) = (spec.as_object(), read::text(spec, "name")) else {
            return Err(read::unknown("`toolSpec` to be an object", spec));
        };
        if name.is_empty() {
            return Err(DialectError::Shape(format!("tool {index} has no `name`")));
        }
        let parameters = match spec.pointer("/inputSchema/json") {
            None | Some(Value::Null) => json!({ "type": "object", "properties": {} }),
            Some(parameters) => parameters.clone(),
        };
        let mut definition = Definition::new(name, read::text(spec, "description"), parameters);
        definition.strict = object.get("strict").and_then(Value::as_bool);
        let known = ["name", "description", "inputSchema", "strict"];
        extras::keep(&mut definition, DIALECT, object, &known);
        imported.push(definition);
    }
    Ok(imported)
}

const EXPECTED: &str =
    "a response with `output.message`, a message with `content` or a list of blocks";

pub(super) fn calls(response: &Value) -> Result<Vec<Call>, DialectError> {
    let blocks = blocks(response)?;
    let mut calls: Vec<Call> = blocks
        .iter()
        .filter_map(|block| block.get("toolUse"))
        .enumerate()
        .map(|(index, call)| {
            Call::new(
                read::call_id(call.get("toolUseId"), index),
                read::text(call, "name"),
                read::arguments(call.get("input")),
            )
        })
        .collect();
    let is_cut = response
        .get("stopReason")
        .is_some_and(|reason| reason == "max_tokens");
    if is_cut
        && blocks
            .last()
            .is_some_and(|block| block.get("toolUse").is_some())
    {
        cut_last(&mut calls);
    }
    Ok(calls)
}

/// The blocks of a response, a message, a list, or one alone.
pub(super) fn blocks(response: &Value) -> Result<&[Value], DialectError> {
    let object = match response {
        Value::Array(list) => return Ok(list),
        Value::Object(object) => object,
        _ => return Err(read::unknown(EXPECTED, response)),
    };
    if let Some(Value::Array(blocks)) = message(response).get("content") {
        return Ok(blocks);
    }
    if object.contains_key("toolUse") {
        return Ok(std::slice::from_ref(response));
    }
    match (read::provider_error(object), object.get("message")) {
        (Some(error), _) => Err(error),
        // An exception of the service is a bare `{"message":…}`.
        (None, Some(Value::String(message))) => Err(DialectError::Provider(message.clone())),
        _ => Err(read::unknown(EXPECTED, response)),
    }
}

pub(super) fn message(response: &Value) -> &Value {
    response.pointer("/output/message").unwrap_or(response)
}

/// One message of the user with a block for each result.
pub(super) fn results(outcomes: &[&Outcome]) -> Vec<Value> {
    if outcomes.is_empty() {
        return Vec::new();
    }
    let blocks: Vec<Value> = outcomes
        .iter()
        .map(|outcome| {
            let status = if outcome.is_ok() { "success" } else { "error" };
            json!({ "toolResult": {
                "toolUseId": outcome.call_id,
                "content": content_of(outcome),
                "status": status,
            } })
        })
        .collect();
    vec![json!({ "role": "user", "content": blocks })]
}

fn content_of(outcome: &Outcome) -> Vec<Value> {
    let text = |text: &str| json!({ "text": text });
    let mut blocks = Vec::new();
    for (index, piece) in content::pieces(outcome).into_iter().enumerate() {
        match piece {
            Piece::Text(words) if words.is_empty() => {}
            Piece::Text(words) => blocks.push(text(&words)),
            // The service takes an object here and nothing else.
            Piece::Json(json) => match content::as_object(json) {
                Some(value) => blocks.push(json!({ "json": value })),
                None => blocks.push(text(json)),
            },
            Piece::File(file) => match block(file, index) {
                Some(block) => {
                    if let Some(description) = file
                        .description
                        .as_deref()
                        .filter(|words| !words.is_empty())
                    {
                        blocks.push(text(description));
                    }
                    blocks.push(block);
                }
                None => blocks.push(text(&content::mention(file))),
            },
        }
    }
    if blocks.is_empty() {
        blocks.push(text(content::NO_OUTPUT));
    }
    blocks
}

/// A file as an image or a document, where the service takes its type.
fn block(file: &File, index: usize) -> Option<Value> {
    let media_type = content::media_type(file);
    let source = json!({ "bytes": content::base64(file) });
    if content::is_image(&media_type) {
        let format = media_type.strip_prefix("image/")?;
        return Some(json!({ "image": { "format": format, "source": source } }));
    }
    let format = match media_type.as_str() {
        "application/pdf" => "pdf",
        "text/csv" => "csv",
        "application/msword" => "doc",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => "docx",
        "application/vnd.ms-excel" => "xls",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" => "xlsx",
        "text/html" => "html",
        "text/markdown" => "md",
        _ => content::as_text(file, &media_type).map(|_| "txt")?,
    };
    let name = document_name(&file.filename, index);
    Some(json!({ "document": { "format": format, "name": name, "source": source } }))
}

/// A document's name has letters, digits, single spaces, hyphens, round and
/// square brackets, and at most 200 of them.
fn document_name(filename: &str, index: usize) -> String {
    let stem = filename.rsplit_once('.').map_or(filename, |(stem, _)| stem);
    let legal: String = stem
        .chars()
        .map(|character| {
            if character.is_ascii_alphanumeric() || "-()[]".contains(character) {
                character
            } else {
                ' '
            }
        })
        .take(200)
        .collect();
    let words: Vec<&str> = legal.split_whitespace().collect();
    if words.is_empty() {
        format!("Document {}", index + 1)
    } else {
        words.join(" ")
    }
}

/// Source: the API reference of `ConverseStream`, `ConverseStreamOutput`.
pub(super) fn chunk(event: &Value, parts: &mut Parts) -> Result<(), DialectError> {
    let place = |event: &Value| {
        event
            .get("contentBlockIndex")
            .and_then(Value::as_u64)
            .unwrap_or(0)
    };
    if let Some(event) = event.get("contentBlockStart") {
        if let Some(call) = event.pointer("/start/toolUse") {
            let mut part = Part::new(place(event));
            part.id = call
                .get("toolUseId")
                .and_then(Value::as_str)
                .map(str::to_owned);
            read::text(call, "name").clone_into(&mut part.name);
            part.is_named = true;
            parts.begin(part);
        }
    } else if let Some(event) = event.get("contentBlockDelta") {
        if let (Some(part), Some(call)) = (parts.at(place(event)), event.pointer("/delta/toolUse"))
        {
            part.text.push_str(read::text(call, "input"));
        }
    } else if let Some(event) = event.get("contentBlockStop") {
        if let Some(part) = parts.at(place(event)) {
            part.is_closed = true;
        }
    } else if let Some(object) = event.as_object() {
        for (name, inner) in object {
            if name.ends_with("Exception") {
                let message = format!("{name}: {}", read::text(inner, "message"));
                return Err(DialectError::Provider(message));
            }
        }
    }
    Ok(())
}
