//! The calls in a stream of Gemini.
//!
//! A call comes whole, or, where the request asks for it, argument by
//! argument. Source: Vertex AI's guide to streaming function call arguments
//! (`FunctionCall.partialArgs`, `PartialArg`).

use serde_json::{Map, Value};

use super::assembler::{Part, Parts};
use super::{DialectError, gemini, read};
use crate::call::Arguments;

/// Each chunk is a response with further parts.
pub(super) fn chunk(response: &Value, parts: &mut Parts) -> Result<(), DialectError> {
    for call in gemini::parts(response)?
        .iter()
        .filter_map(gemini::function_call)
    {
        let goes_on = call.get("willContinue") == Some(&Value::Bool(true));
        // Only the first piece of a call has its name.
        let is_piece = read::text(call, "name").is_empty() && parts.is_last_open();
        if !is_piece {
            begin(call, parts);
        }
        if let Some(part) = parts.last() {
            for piece in call
                .get("partialArgs")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
            {
                add(piece, part.value.get_or_insert_default());
            }
            part.is_closed = !goes_on;
        }
    }
    Ok(())
}

fn begin(call: &Value, parts: &mut Parts) {
    let read = gemini::call_of(call, parts.len());
    let mut part = Part::new(parts.len() as u64);
    part.id = Some(read.id);
    part.name = read.name;
    part.is_named = true;
    match read.arguments {
        Arguments::Value(value) => part.value = Some(value),
        Arguments::Text(text) => part.text = text,
    }
    parts.begin(part);
}

/// Puts one piece of an argument in its place; a text goes on where it ended.
fn add(piece: &Value, arguments: &mut Value) {
    let Some(place) = at(arguments, read::text(piece, "jsonPath")) else {
        return;
    };
    match (place, piece.get("stringValue").and_then(Value::as_str)) {
        (Value::String(text), Some(more)) => text.push_str(more),
        (place, Some(text)) => *place = text.into(),
        (place, None) => {
            let value = ["numberValue", "boolValue", "nullValue"]
                .iter()
                .find_map(|key| Some((*key, piece.get(*key)?)));
            match value {
                // The service writes the name of an enum value for it.
                Some(("nullValue", _)) => *place = Value::Null,
                Some((_, value)) => *place = value.clone(),
                None => {}
            }
        }
    }
}

/// The place that a path such as `$.stops[0].name` leads to, made on the way.
fn at<'a>(arguments: &'a mut Value, path: &str) -> Option<&'a mut Value> {
    /// A list that grows by more than this at once is no list of a model.
    const FURTHEST: usize = 10_000;

    let mut place = arguments;
    let mut rest = path.strip_prefix('$')?;
    while !rest.is_empty() {
        let (step, after) = step(rest)?;
        rest = after;
        place = match step {
            Step::Key(key) => {
                if !place.is_object() {
                    *place = Value::Object(Map::new());
                }
                place.as_object_mut()?.entry(key).or_insert(Value::Null)
            }
            Step::Index(index) => {
                if index > FURTHEST {
                    return None;
                }
                if !place.is_array() {
                    *place = Value::Array(Vec::new());
                }
                let list = place.as_array_mut()?;
                if list.len() <= index {
                    list.resize(index + 1, Value::Null);
                }
                list.get_mut(index)?
            }
        };
    }
    Some(place)
}

enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

fn step(path: &str) -> Option<(Step<'_>, &str)> {
    if let Some(path) = path.strip_prefix('.') {
        let end = path.find(['.', '[']).unwrap_or(path.len());
        let (key, rest) = path.split_at_checked(end)?;
        return Some((Step::Key(key), rest));
    }
    let path = path.strip_prefix('[')?;
    for quote in ['\'', '"'] {
        if let Some(path) = path.strip_prefix(quote) {
            let (key, rest) = path.split_once(quote)?;
            return Some((Step::Key(key), rest.strip_prefix(']')?));
        }
    }
    let (index, rest) = path.split_once(']')?;
    Some((Step::Index(index.parse().ok()?), rest))
}
