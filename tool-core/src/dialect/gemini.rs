//! Gemini's `generateContent`, as the Gemini API and Vertex AI speak it.
//!
//! Source: the API reference of `models.generateContent`
//! (`FunctionDeclaration`, `FunctionCall`, `FunctionResponse`, `Part`).

use serde_json::{Map, Value, json};

use super::content;
use super::write::{self, Draft};
use super::{Dialect, DialectError, extras, read};
use crate::call::{Arguments, Call};
use crate::definition::Definition;
use crate::file::File;
use crate::outcome::Outcome;
use crate::schema::describe;

const DIALECT: Dialect = Dialect::Gemini;

/// What the ids start with that we made: the provider has never seen them.
const OWN_ID: &str = "gemini_call_";

/// The key of a JSON Schema, in its two spellings, and that of the older
/// `OpenAPI` schema.
const CAMEL: &str = "parametersJsonSchema";
const SNAKE: &str = "parameters_json_schema";
const OLD: &str = "parameters";
const PARAMETERS: [&str; 3] = [CAMEL, SNAKE, OLD];

pub(super) fn definition(definition: &Definition, name: &str) -> Result<Draft, String> {
    let parameters = write::parameters(DIALECT, definition, false)?;
    let mut function = Map::new();
    function.insert("name".to_owned(), name.into());
    function.insert(
        "description".to_owned(),
        definition.description.as_str().into(),
    );
    let kept = extras::kept(definition, DIALECT);
    match kept.and_then(|kept| kept.get(OLD)) {
        Some(old) if from_open_api(old) == definition.parameters => {
            function.insert(OLD.to_owned(), old.clone());
        }
        _ => {
            let is_snake = kept.is_some_and(|kept| kept.contains_key(SNAKE));
            let key = if is_snake { SNAKE } else { CAMEL };
            function.insert(key.to_owned(), parameters.schema);
        }
    }
    for (key, value) in kept.into_iter().flatten() {
        if !PARAMETERS.contains(&key.as_str()) {
            function.insert(key.clone(), value.clone());
        }
    }
    Ok(Draft {
        value: function.into(),
        strict: false,
        notes: parameters.notes,
    })
}

/// Whether the schema was read from this dialect, so that the service took it.
pub(super) fn is_own(definition: &Definition) -> bool {
    extras::kept(definition, DIALECT)
        .is_some_and(|kept| PARAMETERS.iter().any(|key| kept.contains_key(*key)))
}

/// A value under either way to write a key.
fn either<'a>(value: &'a Value, camel: &str, snake: &str) -> Option<&'a Value> {
    value.get(camel).or_else(|| value.get(snake))
}

pub(super) fn import(definitions: &Value) -> Result<Vec<Definition>, DialectError> {
    let mut imported = Vec::new();
    for (index, value) in read::definitions(definitions)?.iter().enumerate() {
        let functions = match either(value, "functionDeclarations", "function_declarations") {
            Some(Value::Array(functions)) => functions.as_slice(),
            Some(only) => std::slice::from_ref(only),
            None if value.get("name").is_some() => std::slice::from_ref(value),
            // The provider's own tools, such as its search.
            None if value.is_object() => continue,
            None => {
                return Err(DialectError::Shape(format!(
                    "tool {index}: expected {{\"functionDeclarations\":[…]}}, got {}",
                    describe::got(value)
                )));
            }
        };
        for function in functions {
            imported.push(import_one(index, function)?);
        }
    }
    Ok(imported)
}

fn import_one(index: usize, value: &Value) -> Result<Definition, DialectError> {
    let (Some(object), Some(name)) = (value.as_object(), value.get("name").and_then(Value::as_str))
    else {
        return Err(DialectError::Shape(format!(
            "tool {index}: expected {{\"name\",\"description\",\"parametersJsonSchema\"}}, got {}",
            describe::got(value)
        )));
    };
    let given = PARAMETERS
        .into_iter()
        .filter_map(|key| Some((key, object.get(key)?)))
        .find(|(_, parameters)| !parameters.is_null());
    let parameters = match given {
        Some((OLD, parameters)) => from_open_api(parameters),
        Some((_, parameters)) => parameters.clone(),
        None => json!({ "type": "object", "properties": {} }),
    };
    let mut definition = Definition::new(name, read::text(value, "description"), parameters);
    let known = ["name", "description", CAMEL, SNAKE, OLD];
    extras::keep(&mut definition, DIALECT, object, &known);
    // What the service was given once it is given again as it was.
    let (key, value) = match given {
        Some((OLD, parameters)) => (OLD, parameters.clone()),
        Some((key, _)) => (key, Value::Null),
        None => (CAMEL, Value::Null),
    };
    extras::mark(&mut definition, DIALECT, key, value);
    Ok(definition)
}

/// The older `parameters` write types in capitals and null as `nullable`.
fn from_open_api(schema: &Value) -> Value {
    let mut schema = schema.clone();
    rewrite_open_api(&mut schema);
    schema
}

fn rewrite_open_api(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            let nullable = object.get("nullable") == Some(&Value::Bool(true));
            if let Some(Value::String(name)) = object.get_mut("type")
                && name.chars().all(|character| character.is_ascii_uppercase())
            {
                name.make_ascii_lowercase();
            }
            if nullable && let Some(Value::String(name)) = object.get("type") {
                let both = json!([name, "null"]);
                object.insert("type".to_owned(), both);
                object.shift_remove("nullable");
            }
            for (key, inner) in object.iter_mut() {
                if key == "properties" {
                    for (_, property) in inner.as_object_mut().into_iter().flatten() {
                        rewrite_open_api(property);
                    }
                } else if matches!(key.as_str(), "items" | "anyOf" | "additionalProperties") {
                    rewrite_open_api(inner);
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(rewrite_open_api),
        _ => {}
    }
}

const EXPECTED: &str = "a response with `candidates`, a content with `parts` or a list of parts";

pub(super) fn calls(response: &Value) -> Result<Vec<Call>, DialectError> {
    let calls = parts(response)?
        .iter()
        .filter_map(function_call)
        .enumerate()
        .map(|(index, call)| call_of(call, index))
        .collect();
    Ok(calls)
}

pub(super) fn function_call(part: &Value) -> Option<&Value> {
    either(part, "functionCall", "function_call")
}

/// The id of a call that the service gave none.
pub(super) fn own_id(index: usize) -> String {
    format!("{OWN_ID}{index}")
}

pub(super) fn call_of(call: &Value, index: usize) -> Call {
    let id = match call.get("id").and_then(Value::as_str) {
        Some(id) if !id.is_empty() => id.to_owned(),
        // The service pairs by name and order; our own callers pair by id.
        _ => own_id(index),
    };
    let arguments = match call.get("args") {
        None | Some(Value::Null) => Arguments::Value(json!({})),
        args => read::arguments(args),
    };
    Call::new(id, read::text(call, "name"), arguments)
}

/// The parts of the first candidate, of a content, of a list, or one alone.
pub(super) fn parts(response: &Value) -> Result<&[Value], DialectError> {
    let object = match response {
        Value::Array(list) => return Ok(list),
        Value::Object(object) => object,
        _ => return Err(read::unknown(EXPECTED, response)),
    };
    if let Some(error) = read::provider_error(object) {
        return Err(error);
    }
    if object.contains_key("candidates") {
        let Some(candidate) = response.pointer("/candidates/0") else {
            return Ok(&[]);
        };
        if let Some(Value::Array(parts)) = candidate.pointer("/content/parts") {
            return Ok(parts);
        }
        // The model wrote a call that the service could not read and did not pass on.
        if read::text(candidate, "finishReason") == "MALFORMED_FUNCTION_CALL" {
            return Err(DialectError::Provider(format!(
                "the model wrote a malformed call: {}",
                read::text(candidate, "finishMessage")
            )));
        }
        return Ok(&[]);
    }
    if let Some(Value::Array(parts)) = object.get("parts") {
        return Ok(parts);
    }
    if let Some(Value::String(reason)) = response.pointer("/promptFeedback/blockReason") {
        return Err(DialectError::Provider(format!(
            "the prompt was blocked: {reason}"
        )));
    }
    if function_call(response).is_some() || object.contains_key("text") {
        return Ok(std::slice::from_ref(response));
    }
    if object.contains_key("role") || object.contains_key("usageMetadata") {
        return Ok(&[]);
    }
    Err(read::unknown(EXPECTED, response))
}

/// One content of the user with a response for each call, and one with the
/// files, which a function's response cannot hold in all models.
pub(super) fn results(outcomes: &[&Outcome], names: &dyn Fn(&str) -> String) -> Vec<Value> {
    if outcomes.is_empty() {
        return Vec::new();
    }
    let mut responses = Vec::new();
    let mut files = Vec::new();
    for outcome in outcomes {
        let mut response = Map::new();
        if !outcome.call_id.starts_with(OWN_ID) {
            response.insert("id".to_owned(), outcome.call_id.as_str().into());
        }
        response.insert("name".to_owned(), names(&outcome.tool).into());
        response.insert("response".to_owned(), response_of(outcome));
        responses.push(json!({ "functionResponse": response }));
        for file in outcome.files() {
            let media_type = content::media_type(file);
            if is_taken(file, &media_type) {
                let words = format!("This is the file {}:", describe::name(&file.filename));
                files.push(json!({ "text": words }));
                files.push(json!({ "inlineData": {
                    "mimeType": media_type,
                    "data": content::base64(file),
                } }));
            }
        }
    }
    let mut contents = vec![json!({ "role": "user", "parts": responses })];
    if !files.is_empty() {
        contents.push(json!({ "role": "user", "parts": files }));
    }
    contents
}

fn response_of(outcome: &Outcome) -> Value {
    let Ok(output) = &outcome.result else {
        return json!({ "error": outcome.text() });
    };
    let mut response = Map::new();
    let parsed = output
        .json()
        .and_then(|json| serde_json::from_str::<Value>(json.as_str()).ok());
    let text = output.text();
    let has_files = output.files().next().is_some();
    let result = match parsed {
        Some(value) => value,
        None if text.is_empty() && has_files => Value::Null,
        None if text.is_empty() => content::NO_OUTPUT.into(),
        None => text.into_owned().into(),
    };
    if !result.is_null() || !has_files {
        response.insert("result".to_owned(), result);
    }
    if has_files {
        let mentions: Vec<Value> = output
            .files()
            .map(|file| content::mention(file).into())
            .collect();
        response.insert("files".to_owned(), mentions.into());
    }
    response.into()
}

/// The types that all current models take as inline data.
fn is_taken(file: &File, media_type: &str) -> bool {
    const TAKEN: [&str; 7] = [
        "image/png",
        "image/jpeg",
        "image/webp",
        "image/heic",
        "image/heif",
        "application/pdf",
        "text/plain",
    ];

    !file.content.is_empty()
        && (TAKEN.contains(&media_type)
            || media_type.starts_with("audio/")
            || media_type.starts_with("video/"))
}
