//! Anthropic's messages.
//!
//! Source: the reference of `POST /v1/messages` (`Tool`, `ToolUseBlock`,
//! `ToolResultBlockParam`) and the types of its SDK.

use serde_json::{Map, Value, json};

use super::assembler::{Part, Parts};
use super::content::{self, Piece};
use super::write::{self, Draft};
use super::{Dialect, DialectError, extras, read};
use crate::call::{Arguments, Call};
use crate::definition::Definition;
use crate::file::File;
use crate::outcome::Outcome;
use crate::schema::describe;

const DIALECT: Dialect = Dialect::Anthropic;

pub(super) fn definition(
    definition: &Definition,
    name: &str,
    may_be_strict: bool,
) -> Result<Draft, String> {
    let parameters = write::parameters(DIALECT, definition, may_be_strict)?;
    let mut tool = Map::new();
    tool.insert("name".to_owned(), name.into());
    tool.insert(
        "description".to_owned(),
        definition.description.as_str().into(),
    );
    tool.insert("input_schema".to_owned(), parameters.schema);
    if !extras::says_nothing_of_strict(definition, DIALECT) {
        tool.insert("strict".to_owned(), parameters.strict.into());
    }
    extras::add(&mut tool, definition, DIALECT);
    Ok(Draft {
        value: tool.into(),
        strict: parameters.strict,
        notes: parameters.notes,
    })
}

/// Tools without a schema are the provider's own and are passed over.
pub(super) fn import(definitions: &Value) -> Result<Vec<Definition>, DialectError> {
    let mut imported = Vec::new();
    for (index, value) in read::definitions(definitions)?.iter().enumerate() {
        let own = |kind: &Value| kind != "custom" && !kind.is_null();
        let object = match value.as_object() {
            Some(object) if object.get("type").is_some_and(own) => continue,
            Some(object) if object.contains_key("name") => object,
            _ => {
                return Err(DialectError::Shape(format!(
                    "tool {index}: expected {{\"name\",\"description\",\"input_schema\"}}, got {}",
                    describe::got(value)
                )));
            }
        };
        let parameters = match object.get("input_schema") {
            None | Some(Value::Null) => json!({ "type": "object", "properties": {} }),
            Some(parameters) => parameters.clone(),
        };
        let mut definition = Definition::new(
            read::text(value, "name"),
            read::text(value, "description"),
            parameters,
        );
        definition.strict = object.get("strict").and_then(Value::as_bool);
        let known = ["name", "description", "input_schema", "strict"];
        extras::keep(&mut definition, DIALECT, object, &known);
        imported.push(definition);
    }
    Ok(imported)
}

const EXPECTED: &str = "a message with `content` or a list of content blocks";

pub(super) fn calls(response: &Value) -> Result<Vec<Call>, DialectError> {
    let blocks = blocks(response)?;
    let mut calls: Vec<Call> = blocks
        .iter()
        .filter(|block| is_call(block))
        .enumerate()
        .map(|(index, block)| {
            Call::new(
                read::call_id(block.get("id"), index),
                read::text(block, "name"),
                read::arguments(block.get("input")),
            )
        })
        .collect();
    let is_cut = response
        .get("stop_reason")
        .is_some_and(|reason| reason == "max_tokens");
    if is_cut && blocks.last().is_some_and(is_call) {
        cut_last(&mut calls);
    }
    Ok(calls)
}

pub(super) fn cut_last(calls: &mut [Call]) {
    if let Some(last) = calls.last_mut() {
        let arguments = std::mem::replace(&mut last.arguments, Arguments::Text(String::new()));
        last.arguments = read::cut_off(arguments);
    }
}

/// The calls that are ours to answer; `server_tool_use` is the provider's own.
pub(super) fn is_call(block: &Value) -> bool {
    block.get("type").is_some_and(|kind| kind == "tool_use")
}

/// The blocks of a response or message, of a list, or one alone.
pub(super) fn blocks(response: &Value) -> Result<&[Value], DialectError> {
    let object = match response {
        Value::Array(list) => return Ok(list),
        Value::Object(object) => object,
        _ => return Err(read::unknown(EXPECTED, response)),
    };
    if let Some(error) = read::provider_error(object) {
        return Err(error);
    }
    match object.get("content") {
        Some(Value::Array(blocks)) => Ok(blocks),
        Some(Value::String(_)) => Ok(&[]),
        _ if is_call(response) || object.contains_key("text") => Ok(std::slice::from_ref(response)),
        _ => Err(read::unknown(EXPECTED, response)),
    }
}

/// One message of the user with a block for each result: results in several
/// messages, or after other content, are refused.
pub(super) fn results(outcomes: &[&Outcome]) -> Vec<Value> {
    if outcomes.is_empty() {
        return Vec::new();
    }
    let blocks: Vec<Value> = outcomes
        .iter()
        .map(|outcome| {
            json!({
                "type": "tool_result",
                "tool_use_id": outcome.call_id,
                "content": content_of(outcome),
                "is_error": !outcome.is_ok(),
            })
        })
        .collect();
    vec![json!({ "role": "user", "content": blocks })]
}

fn content_of(outcome: &Outcome) -> Value {
    if outcome.files().next().is_none() {
        return content::text(outcome, |_| false).into();
    }
    let text = |text: &str| json!({ "type": "text", "text": text });
    let mut blocks = Vec::new();
    for piece in content::pieces(outcome) {
        match piece {
            // An empty text block is refused.
            Piece::Text(words) if words.trim().is_empty() => {}
            Piece::Text(words) => blocks.push(text(&words)),
            Piece::Json(json) => blocks.push(text(json)),
            Piece::File(file) => match block(file) {
                Some(block) => {
                    if let Some(description) = file
                        .description
                        .as_deref()
                        .filter(|words| !words.trim().is_empty())
                    {
                        blocks.push(text(description));
                    }
                    blocks.push(block);
                }
                None => blocks.push(text(&content::mention(file))),
            },
        }
    }
    blocks.into()
}

/// A file as an image or a document, where the service takes its type.
fn block(file: &File) -> Option<Value> {
    let media_type = content::media_type(file);
    if content::is_image(&media_type) {
        return Some(json!({
            "type": "image",
            "source": { "type": "base64", "media_type": media_type, "data": content::base64(file) },
        }));
    }
    let source = if media_type == "application/pdf" {
        json!({ "type": "base64", "media_type": media_type, "data": content::base64(file) })
    } else {
        // Every text is taken as plain text.
        let text = content::as_text(file, &media_type)?;
        json!({ "type": "text", "media_type": "text/plain", "data": text })
    };
    Some(json!({ "type": "document", "source": source, "title": file.filename }))
}

/// Source: the reference of streaming messages, `RawMessageStreamEvent`.
pub(super) fn chunk(event: &Value, parts: &mut Parts) -> Result<(), DialectError> {
    if let Some(error) = event.as_object().and_then(read::provider_error) {
        return Err(error);
    }
    let place = event.get("index").and_then(Value::as_u64).unwrap_or(0);
    match read::text(event, "type") {
        "content_block_start" => {
            // A cut concerns the last block alone, and this one follows it.
            let Some(block) = event.get("content_block").filter(|block| is_call(block)) else {
                return Ok(());
            };
            let mut part = Part::new(place);
            part.id = block.get("id").and_then(Value::as_str).map(str::to_owned);
            read::text(block, "name").clone_into(&mut part.name);
            part.is_named = true;
            part.value = block
                .get("input")
                .filter(|input| input.as_object().is_some_and(|input| !input.is_empty()))
                .cloned();
            parts.begin(part);
        }
        "content_block_delta" => {
            if let (Some(part), Some(delta)) = (parts.at(place), event.get("delta")) {
                part.text.push_str(read::text(delta, "partial_json"));
            }
        }
        "content_block_stop" => {
            if let Some(part) = parts.at(place) {
                part.is_closed = true;
            }
        }
        _ => {}
    }
    Ok(())
}
