//! Keywords of a schema in words, for a description, where a provider has no
//! such keyword.

use serde_json::{Map, Value};

use super::notes::{Change, Notes};

/// Takes keywords out of a schema and says them in its description; those
/// that words cannot say are dropped. Both are noted.
pub(super) fn say(
    schema: &mut Map<String, Value>,
    keywords: &[&str],
    place: &str,
    notes: &mut Notes,
) {
    let mut said = Vec::new();
    for keyword in keywords {
        let Some(value) = schema.shift_remove(*keyword) else {
            continue;
        };
        if tells_nothing(keyword, &value) {
            continue;
        }
        match in_words(keyword, &value) {
            Some(words) => {
                said.push(words);
                notes.add(Change::Said, keyword, place);
            }
            None => notes.add(Change::Dropped, keyword, place),
        }
    }
    append(schema, &said);
}

/// Adds words to the description, in brackets.
pub(super) fn append(schema: &mut Map<String, Value>, words: &[String]) {
    if words.is_empty() {
        return;
    }
    let words = words.join("; ");
    let description = match schema.get("description").and_then(Value::as_str) {
        Some(text) if !text.trim().is_empty() => format!("{text} ({words})"),
        _ => words,
    };
    schema.insert("description".to_owned(), description.into());
}

/// Whether leaving the keyword out changes neither what is accepted nor what is meant.
fn tells_nothing(keyword: &str, value: &Value) -> bool {
    match keyword {
        // Absent is absent.
        "default" => value.is_null(),
        "minLength" | "minItems" | "minProperties" => value.as_u64() == Some(0),
        "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" => value == &Value::Bool(false),
        "examples" => value.as_array().is_none_or(Vec::is_empty),
        "propertyNames" => {
            value.as_bool() == Some(true)
                || value
                    .as_object()
                    .is_some_and(|names| names.keys().all(|key| key == "type"))
        }
        _ => false,
    }
}

fn in_words(keyword: &str, value: &Value) -> Option<String> {
    let words = match keyword {
        "default" => format!("default: {value}"),
        "format" => format!("format: {}", value.as_str()?),
        "pattern" => format!("matches the pattern {}", value.as_str()?),
        "minLength" => format!("at least {value} characters"),
        "maxLength" => format!("at most {value} characters"),
        "minItems" => format!("at least {value} items"),
        "maxItems" => format!("at most {value} items"),
        "minProperties" => format!("at least {value} keys"),
        "maxProperties" => format!("at most {value} keys"),
        "minimum" => format!("at least {value}"),
        "maximum" => format!("at most {value}"),
        "exclusiveMinimum" => format!("greater than {value}"),
        "exclusiveMaximum" => format!("less than {value}"),
        "multipleOf" => format!("a multiple of {value}"),
        "uniqueItems" => "no item twice".to_owned(),
        "contentEncoding" => format!("encoded in {}", value.as_str()?),
        "contentMediaType" => format!("of type {}", value.as_str()?),
        "deprecated" => "deprecated".to_owned(),
        "readOnly" => "read only".to_owned(),
        "writeOnly" => "write only".to_owned(),
        "const" => format!("always {value}"),
        "enum" => format!("one of {}", list(value.as_array()?)),
        "examples" => format!("for example {}", list(value.as_array()?)),
        "propertyNames" => format!("each key {}", keys(value.as_object()?)?),
        _ => return None,
    };
    Some(words)
}

fn keys(names: &Map<String, Value>) -> Option<String> {
    let words: Option<Vec<String>> = names
        .iter()
        .filter(|(keyword, _)| *keyword != "type")
        .map(|(keyword, value)| in_words(keyword, value))
        .collect();
    Some(words?.join(", "))
}

fn list(values: &[Value]) -> String {
    let values: Vec<String> = values.iter().map(Value::to_string).collect();
    values.join(", ")
}
