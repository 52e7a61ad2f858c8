//! The Model Context Protocol, for servers that list tools and run calls.
//!
//! Source: the specification's `schema.ts`, revisions 2025-06-18 to
//! 2026-07-28 (`Tool`, `CallToolRequest`, `CallToolResult`, `ContentBlock`).

use serde_json::{Map, Value, json};

use super::content::{self, Piece};
use super::write::Draft;
use super::{Dialect, DialectError, extras, read};
use crate::call::{Arguments, Call};
use crate::definition::{Annotations, Definition};
use crate::file::File;
use crate::outcome::Outcome;
use crate::schema::describe;

const DIALECT: Dialect = Dialect::Mcp;

/// The keys that a definition holds itself; an imported tool keeps them as
/// `null` to remember their order.
const OWN: [&str; 5] = [
    "name",
    "title",
    "description",
    "inputSchema",
    "outputSchema",
];

pub(super) fn definition(definition: &Definition, name: &str) -> Draft {
    let mut notes = Vec::new();
    let mut tool = Map::new();
    if let Some(kept) = extras::kept(definition, DIALECT) {
        for (key, value) in kept {
            if OWN.contains(&key.as_str()) {
                if let Some(value) = own(definition, name, key, true) {
                    tool.insert(key.clone(), value);
                }
            } else if key == "annotations" {
                tool.insert(key.clone(), with_hints(value, definition.annotations));
            } else {
                tool.insert(key.clone(), value.clone());
            }
        }
    }
    for key in OWN {
        if tool.contains_key(key) {
            continue;
        }
        let Some(value) = own(definition, name, key, false) else {
            continue;
        };
        if key == "outputSchema" && value.get("type").is_none_or(|name| name != "object") {
            notes.push(
                "`outputSchema` is left out: before revision 2026-07-28 a result is an object"
                    .to_owned(),
            );
            continue;
        }
        tool.insert(key.to_owned(), value);
    }
    let hints = with_hints(&json!({}), definition.annotations);
    if !tool.contains_key("annotations") && hints.as_object().is_some_and(|hints| !hints.is_empty())
    {
        tool.insert("annotations".to_owned(), hints);
    }
    let meta: Map<String, Value> = definition
        .meta
        .iter()
        .filter(|(key, _)| !extras::is_ours(key))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if !meta.is_empty() {
        tool.insert("_meta".to_owned(), meta.into());
    }
    Draft {
        value: tool.into(),
        strict: false,
        notes,
    }
}

fn own(definition: &Definition, name: &str, key: &str, was_there: bool) -> Option<Value> {
    match key {
        "name" => Some(name.into()),
        "title" => definition.title.as_deref().map(Value::from),
        "description" if definition.description.is_empty() && !was_there => None,
        "description" => Some(definition.description.as_str().into()),
        "inputSchema" => Some(input_schema(&definition.parameters)),
        "outputSchema" => definition.output_schema.clone(),
        _ => None,
    }
}

/// The schema as it is: a server lists what it accepts. The protocol only
/// asks that the root says `object`.
fn input_schema(parameters: &Value) -> Value {
    let mut schema = parameters.clone();
    if let Value::Object(object) = &mut schema
        && object.get("type").is_none_or(|name| name != "object")
    {
        object.insert("type".to_owned(), "object".into());
    }
    schema
}

const HINTS: [&str; 4] = [
    "readOnlyHint",
    "destructiveHint",
    "idempotentHint",
    "openWorldHint",
];

fn hints_of(annotations: Annotations) -> [Option<bool>; 4] {
    [
        annotations.read_only,
        annotations.destructive,
        annotations.idempotent,
        annotations.open_world,
    ]
}

fn with_hints(value: &Value, annotations: Annotations) -> Value {
    let mut object = match value {
        Value::Object(object) => object.clone(),
        // Not ours to judge: it goes out as it came in.
        other => return other.clone(),
    };
    for (key, hint) in HINTS.into_iter().zip(hints_of(annotations)) {
        if let Some(hint) = hint {
            object.insert(key.to_owned(), hint.into());
        }
    }
    object.into()
}

/// Tools from a `tools/list` result, from the whole response, or from a list.
pub(super) fn import(definitions: &Value) -> Result<Vec<Definition>, DialectError> {
    let inner = definitions.get("result").unwrap_or(definitions);
    read::definitions(inner)?
        .iter()
        .enumerate()
        .map(|(index, value)| import_one(index, value))
        .collect()
}

fn import_one(index: usize, value: &Value) -> Result<Definition, DialectError> {
    let (Some(object), Some(name)) = (value.as_object(), value.get("name").and_then(Value::as_str))
    else {
        return Err(DialectError::Shape(format!(
            "tool {index}: expected {{\"name\",\"inputSchema\",…}}, got {}",
            describe::got(value)
        )));
    };
    let parameters = match object.get("inputSchema") {
        None | Some(Value::Null) => json!({ "type": "object", "properties": {} }),
        Some(parameters) => parameters.clone(),
    };
    let mut definition = Definition::new(name, read::text(value, "description"), parameters);
    let annotations = object.get("annotations");
    definition.title = object
        .get("title")
        .or_else(|| annotations?.get("title"))
        .and_then(Value::as_str)
        .map(str::to_owned);
    definition.output_schema = object.get("outputSchema").cloned();
    let hint = |key: &str| annotations?.get(key)?.as_bool();
    let [read_only, destructive, idempotent, open_world] = HINTS.map(hint);
    definition.annotations = Annotations {
        read_only,
        destructive,
        idempotent,
        open_world,
    };
    if let Some(Value::Object(meta)) = object.get("_meta") {
        definition.meta.clone_from(meta);
    }
    let kept: Map<String, Value> = object
        .iter()
        .map(|(key, value)| {
            let known = OWN.contains(&key.as_str()) || key == "_meta";
            let value = if known { Value::Null } else { value.clone() };
            (key.clone(), value)
        })
        .collect();
    for (key, value) in kept {
        extras::mark(&mut definition, DIALECT, &key, value);
    }
    Ok(definition)
}

const EXPECTED: &str = "a `tools/call` request, its `params` or a list of them";

pub(super) fn calls(request: &Value) -> Result<Vec<Call>, DialectError> {
    let list = match request {
        Value::Array(list) => list.as_slice(),
        one => std::slice::from_ref(one),
    };
    let mut calls = Vec::new();
    for value in list {
        let params = match value.get("method").and_then(Value::as_str) {
            Some("tools/call") => value.get("params").unwrap_or(&Value::Null),
            // Other requests and notifications are no calls.
            Some(_) => continue,
            None => value,
        };
        if let Some(error) = value.as_object().and_then(read::provider_error) {
            return Err(error);
        }
        if params.get("name").is_none() {
            return Err(read::unknown(EXPECTED, value));
        }
        let arguments = match params.get("arguments") {
            None | Some(Value::Null) => Arguments::Value(json!({})),
            arguments => read::arguments(arguments),
        };
        calls.push(Call::new(
            read::call_id(value.get("id"), calls.len()),
            read::text(params, "name"),
            arguments,
        ));
    }
    Ok(calls)
}

/// One `CallToolResult` a call.
pub(super) fn results(outcomes: &[&Outcome]) -> Vec<Value> {
    outcomes.iter().map(|outcome| result(outcome)).collect()
}

fn result(outcome: &Outcome) -> Value {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let mut blocks = Vec::new();
    for piece in content::pieces(outcome) {
        match piece {
            Piece::Text(words) => blocks.push(text(&words)),
            Piece::Json(json) => blocks.push(text(json)),
            Piece::File(file) => {
                if let Some(description) = &file.description {
                    blocks.push(text(description));
                }
                blocks.push(block(file));
            }
        }
    }
    let mut result = Map::new();
    result.insert("content".to_owned(), blocks.into());
    // Before revision 2026-07-28 it must be an object.
    let structured = outcome
        .result
        .as_ref()
        .ok()
        .and_then(|output| content::as_object(output.json()?.as_str()));
    if let Some(structured) = structured {
        result.insert("structuredContent".to_owned(), structured);
    }
    result.insert("isError".to_owned(), (!outcome.is_ok()).into());
    result.into()
}

fn block(file: &File) -> Value {
    let media_type = content::media_type(file);
    for kind in ["image", "audio"] {
        if media_type.starts_with(kind)
            && media_type
                .get(kind.len()..)
                .is_some_and(|rest| rest.starts_with('/'))
        {
            return json!({ "type": kind, "data": content::base64(file), "mimeType": media_type });
        }
    }
    let mut resource = Map::new();
    resource.insert("uri".to_owned(), uri(&file.filename).into());
    resource.insert("mimeType".to_owned(), media_type.as_str().into());
    match content::as_text(file, &media_type) {
        Some(text) => resource.insert("text".to_owned(), text.into()),
        None => resource.insert("blob".to_owned(), content::base64(file).into()),
    };
    json!({ "type": "resource", "resource": resource })
}

/// A URI for a name, which has no folder to be found in.
fn uri(filename: &str) -> String {
    let mut uri = "file:///".to_owned();
    for byte in filename.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}
