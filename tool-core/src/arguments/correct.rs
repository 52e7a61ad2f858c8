//! The call that was probably meant, to show to the model. It is never run:
//! that takes a repair, which needs one reading, and this is a likeness.

use serde_json::{Map, Value};

use super::diagnose::Finder;
use super::{Plan, nearest};
use crate::schema::resolve;

/// A longer example than this would bury the message.
const LONGEST: usize = 300;

/// The arguments with misspelt names and enum values as they were probably
/// meant, where that makes the call right.
pub(super) fn corrected(plan: &Plan, schema: &Value, value: &Value) -> Option<String> {
    let corrected = correct(schema, schema, value)?;
    if corrected == *value || !plan.accepts(&corrected) {
        return None;
    }
    let mut shown = corrected;
    if let Some(secrets) = plan.secrets() {
        secrets.hide(&mut shown);
    }
    let text = shown.to_string();
    if text.len() > LONGEST {
        return None;
    }
    // A secret under a wrong name may have come to another name than a secret's.
    let doubtful = plan.secrets().map(|secrets| secrets.doubtful(value));
    let tells = doubtful.is_some_and(|texts| texts.iter().any(|secret| quotes(&shown, secret)));
    (!tells).then_some(text)
}

/// Whether a text or a number in a value is this text or holds it.
fn quotes(value: &Value, secret: &str) -> bool {
    match value {
        Value::String(text) => !secret.is_empty() && text.contains(secret),
        Value::Number(number) => number.to_string() == secret,
        Value::Array(items) => items.iter().any(|item| quotes(item, secret)),
        Value::Object(members) => members.values().any(|member| quotes(member, secret)),
        Value::Null | Value::Bool(_) => false,
    }
}

/// A value as it was probably meant; `None` where there is more than one likely way.
fn correct(root: &Value, schema: &Value, value: &Value) -> Option<Value> {
    let schema = resolve(root, schema);
    if Finder::new(root).fits(schema, value) {
        return Some(value.clone());
    }
    match value {
        Value::String(word) => {
            let allowed = schema.get("enum")?.as_array()?;
            only(word, allowed.iter().filter_map(Value::as_str)).map(Value::from)
        }
        Value::Object(members) => object(root, schema, members).map(Value::Object),
        Value::Array(items) => {
            let each = schema.get("items")?;
            let items: Option<Vec<Value>> =
                items.iter().map(|item| correct(root, each, item)).collect();
            items.map(Value::Array)
        }
        _ => None,
    }
}

fn object(
    root: &Value,
    schema: &Value,
    members: &Map<String, Value>,
) -> Option<Map<String, Value>> {
    let properties = schema.get("properties")?.as_object()?;
    let mut corrected = Map::new();
    for (name, value) in members {
        let name = if properties.contains_key(name) {
            name
        } else {
            let absent = properties
                .keys()
                .map(String::as_str)
                .filter(|property| !members.contains_key(*property));
            only(name, absent)?
        };
        let value = correct(root, properties.get(name)?, value)?;
        if corrected.insert(name.to_owned(), value).is_some() {
            return None;
        }
    }
    Some(corrected)
}

/// The only word that is near.
fn only<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    match nearest(word, known).as_slice() {
        [one] => Some(one),
        _ => None,
    }
}
