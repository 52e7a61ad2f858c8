//! A schema and a value in a few words, for error messages.

use serde_json::{Map, Number, Value};

use super::walk::resolve;
use crate::redact::{self, quoting::cleared};

/// How many characters of a value an error message shows.
const SHOWN: usize = 60;

/// What a schema takes, in words: `an integer from 1 to 100`.
pub(crate) fn expected(root: &Value, schema: &Value) -> String {
    let Some(schema) = resolve(root, schema).as_object() else {
        return "a value".to_owned();
    };
    if let Some(constant) = schema.get("const") {
        return constant.to_string();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return one_of(values);
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(branches) = schema.get(keyword).and_then(Value::as_array) {
            return alternatives(branches.iter().map(|branch| expected(root, branch)));
        }
    }
    match schema.get("type") {
        Some(Value::String(name)) => of_type(root, schema, name),
        Some(Value::Array(names)) => alternatives(
            names
                .iter()
                .filter_map(Value::as_str)
                .map(|name| of_type(root, schema, name)),
        ),
        _ => "a value".to_owned(),
    }
}

fn of_type(root: &Value, schema: &Map<String, Value>, name: &str) -> String {
    match name {
        "integer" => number("an integer", schema),
        "number" => number("a number", schema),
        "boolean" => "`true` or `false`".to_owned(),
        "null" => "null".to_owned(),
        "string" => string(schema),
        "array" => array(root, schema),
        "object" => "an object".to_owned(),
        other => other.to_owned(),
    }
}

fn number(noun: &str, schema: &Map<String, Value>) -> String {
    let bound = |keyword| schema.get(keyword).and_then(Value::as_number);
    // The bounds of a 64-bit type tell a reader nothing.
    let tells = |number: &&Number| number.as_f64().is_none_or(|value| value.abs() < 9.0e15);
    let minimum = bound("minimum").filter(tells);
    let maximum = bound("maximum").filter(tells);
    let mut words = match (minimum, maximum) {
        (Some(minimum), Some(maximum)) => format!("{noun} from {minimum} to {maximum}"),
        (Some(minimum), None) => format!("{noun} of at least {minimum}"),
        (None, Some(maximum)) => format!("{noun} of at most {maximum}"),
        (None, None) => noun.to_owned(),
    };
    if let Some(limit) = bound("exclusiveMinimum") {
        words.push_str(&format!(" greater than {limit}"));
    }
    if let Some(limit) = bound("exclusiveMaximum") {
        words.push_str(&format!(" less than {limit}"));
    }
    if let Some(step) = bound("multipleOf") {
        words.push_str(&format!(" that is a multiple of {step}"));
    }
    words
}

fn string(schema: &Map<String, Value>) -> String {
    let mut words = match schema.get("format").and_then(Value::as_str) {
        Some(format) => format!("a string in the format `{format}`"),
        None => "a string".to_owned(),
    };
    if let Some(length) = length(schema, "minLength", "maxLength") {
        words.push_str(&format!(" of {length} characters"));
    }
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
        words.push_str(&format!(" that matches `{pattern}`"));
    }
    words
}

fn array(root: &Value, schema: &Map<String, Value>) -> String {
    let mut words = "an array".to_owned();
    if let Some(length) = length(schema, "minItems", "maxItems") {
        words.push_str(&format!(" of {length} items"));
    }
    if let Some(items) = schema.get("items") {
        let each = expected(root, items);
        if each != "a value" && each.len() < 100 {
            words.push_str(&format!(", each {each}"));
        }
    }
    words
}

fn length(schema: &Map<String, Value>, minimum: &str, maximum: &str) -> Option<String> {
    let bound = |keyword| schema.get(keyword).and_then(Value::as_u64);
    match (bound(minimum), bound(maximum)) {
        (Some(minimum), Some(maximum)) if minimum == maximum => Some(minimum.to_string()),
        (Some(minimum), Some(maximum)) => Some(format!("{minimum} to {maximum}")),
        (Some(minimum), None) => Some(format!("at least {minimum}")),
        (None, Some(maximum)) => Some(format!("at most {maximum}")),
        (None, None) => None,
    }
}

pub(crate) fn one_of(values: &[Value]) -> String {
    /// More values than this would bury the message.
    const LISTED: usize = 50;
    let listed: Vec<String> = values.iter().take(LISTED).map(Value::to_string).collect();
    let more = match values.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" or {more} others"),
    };
    match listed.as_slice() {
        [only] => only.clone(),
        several => format!("one of {}{more}", several.join(", ")),
    }
}

fn alternatives(words: impl Iterator<Item = String>) -> String {
    let mut distinct: Vec<String> = Vec::new();
    for word in words {
        if !distinct.contains(&word) {
            distinct.push(word);
        }
    }
    match distinct.as_slice() {
        [] => "a value".to_owned(),
        several => several.join(" or "),
    }
}

/// A value as it came, shortened: `500`, `"abc…"`, `an object`.
pub(crate) fn got(value: &Value) -> String {
    match value {
        Value::String(text) => {
            let shown = cleared(text);
            if shown.chars().count() <= SHOWN {
                return Value::from(shown).to_string();
            }
            let start: String = shown.chars().take(SHOWN).collect();
            format!(
                "{}… ({} characters)",
                Value::from(start),
                text.chars().count()
            )
        }
        Value::Array(items) if items.is_empty() => "an empty array".to_owned(),
        Value::Array(items) => format!("an array of {}", count(items.len(), "item")),
        Value::Object(members) => format!("an object with {}", count(members.len(), "key")),
        scalar => scalar.to_string(),
    }
}

/// What kind of value came, and nothing of what it says: `a string`.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string, which is not shown",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// A text, shortened.
pub(crate) fn shown(text: &str) -> String {
    const LONGEST: usize = 200;

    let text = cleared(text);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.into_owned(),
    }
}

/// Whether the name at the end of a path says that a secret is there.
pub(crate) fn names_a_secret(path: &str) -> bool {
    let name = path.rsplit('.').next().unwrap_or_default();
    redact::names_a_secret(name.split('[').next().unwrap_or_default())
}

/// `1 item`, `2 items`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    if number == 1 {
        format!("1 {noun}")
    } else {
        format!("{number} {noun}s")
    }
}

/// A name from outside, shortened and without control characters.
pub(crate) fn name(text: &str) -> String {
    let text = cleared(text);
    let mut shown: String = text
        .chars()
        .take(SHOWN)
        .flat_map(char::escape_debug)
        .collect();
    if text.chars().count() > SHOWN {
        shown.push('…');
    }
    shown
}
