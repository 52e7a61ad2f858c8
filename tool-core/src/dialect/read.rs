//! What the readers of all dialects share.

use serde_json::{Map, Value};

use super::DialectError;
use crate::call::Arguments;
use crate::schema::describe;

/// The definitions in a request, in its list of tools, or one alone.
pub(super) fn definitions(value: &Value) -> Result<&[Value], DialectError> {
    match value {
        Value::Array(list) => Ok(list),
        Value::Object(object) => match object.get("tools") {
            Some(Value::Array(list)) => Ok(list),
            // A request without tools, or one that holds a single one.
            Some(only @ Value::Object(_)) => Ok(std::slice::from_ref(only)),
            Some(Value::Null) => Ok(&[]),
            _ => Ok(std::slice::from_ref(value)),
        },
        other => Err(DialectError::Shape(format!(
            "expected a request, a list of tools or one tool, got {}",
            describe::got(other)
        ))),
    }
}

/// The error that a provider reports instead of a response: `{"error":…}`.
pub(super) fn provider_error(object: &Map<String, Value>) -> Option<DialectError> {
    let error = object.get("error").filter(|error| !error.is_null())?;
    let message = error
        .get("message")
        .and_then(Value::as_str)
        .or_else(|| error.as_str())
        .map_or_else(|| error.to_string(), str::to_owned);
    Some(DialectError::Provider(message))
}

/// Nothing that the dialect knows.
pub(super) fn unknown(expected: &str, got: &Value) -> DialectError {
    DialectError::Shape(format!("expected {expected}, got {}", describe::got(got)))
}

/// The text under a key, or nothing.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The id that the provider gave, or one by the call's place, which is the
/// same each time: some providers give none, and a result needs one.
pub(super) fn call_id(id: Option<&Value>, index: usize) -> String {
    match id {
        Some(Value::String(id)) if !id.is_empty() => id.clone(),
        Some(Value::Number(id)) => id.to_string(),
        _ => format!("{OWN_ID}{index}"),
    }
}

/// What the ids start with that no provider gave.
pub(super) const OWN_ID: &str = "call_";

/// Arguments as they came: a text that is still to be parsed, or a value.
pub(super) fn arguments(value: Option<&Value>) -> Arguments {
    match value {
        Some(Value::String(text)) => Arguments::Text(text.clone()),
        Some(value) => Arguments::Value(value.clone()),
        None => Arguments::Text(String::new()),
    }
}

/// The arguments of a call that the provider cut off, as the incomplete text
/// that they are, so that nobody runs a part for the whole.
pub(super) fn cut_off(arguments: Arguments) -> Arguments {
    match arguments {
        Arguments::Value(value) => {
            let mut text = value.to_string();
            text.pop();
            Arguments::Text(text)
        }
        text @ Arguments::Text(_) => text,
    }
}
