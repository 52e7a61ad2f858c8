//! What a native schema accepts and a Rust type does not: `3.0` for an
//! integer, and `null` for something that may be absent.

use serde_json::{Map, Number, Value};

use crate::schema::{accepts_null, resolve};

/// Whether [`normalise`] has anything to look at, so that a value is not cloned for nothing.
pub(super) fn may_change(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Number(number) => number.is_f64(),
        Value::Array(items) => items.iter().any(may_change),
        Value::Object(members) => members.values().any(may_change),
        Value::Bool(_) | Value::String(_) => false,
    }
}

/// Takes out `null` where the schema has an optional property that cannot be
/// null, and writes whole floats as integers where it wants an integer.
pub(super) fn normalise(root: &Value, value: &mut Value) {
    walk(root, root, value);
}

fn walk(root: &Value, schema: &Value, value: &mut Value) {
    let Some(schema) = resolve(root, schema).as_object() else {
        return;
    };
    match value {
        Value::Number(number) => {
            if wants_integer(schema)
                && let Some(whole) = whole(number)
            {
                *number = whole;
            }
        }
        Value::Array(items) => {
            if let Some(each) = schema.get("items") {
                for item in items {
                    walk(root, each, item);
                }
            } else if let Some(Value::Array(each)) = schema.get("prefixItems") {
                for (item, schema) in items.iter_mut().zip(each) {
                    walk(root, schema, item);
                }
            }
        }
        Value::Object(members) => members_of(root, schema, members),
        _ => {}
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        for branch in schema
            .get(keyword)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            if keyword == "allOf" || fits(root, branch, value) {
                walk(root, branch, value);
            }
        }
    }
}

fn members_of(root: &Value, schema: &Map<String, Value>, members: &mut Map<String, Value>) {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|names| names.iter().any(|required| required == name));
    let properties = schema.get("properties").and_then(Value::as_object);
    members.retain(|name, value| {
        let property = properties.and_then(|properties| properties.get(name));
        !property.is_some_and(|property| {
            value.is_null() && !is_required(name) && !accepts_null(root, property)
        })
    });
    // A map whose keys are numbers: all of its members are of one kind.
    let patterns = schema.get("patternProperties").and_then(Value::as_object);
    let pattern = patterns.and_then(|patterns| patterns.values().next());
    for (name, value) in members.iter_mut() {
        let property = properties
            .and_then(|properties| properties.get(name))
            .or(pattern)
            .or_else(|| schema.get("additionalProperties"));
        if let Some(property) = property {
            walk(root, property, value);
        }
    }
}

/// Whether a branch is one that the value may have been meant for: of the
/// same type, and with the same constants.
fn fits(root: &Value, branch: &Value, value: &Value) -> bool {
    let Some(branch) = resolve(root, branch).as_object() else {
        return false;
    };
    match value {
        Value::Number(_) => wants_integer(branch),
        Value::Array(_) => branch.get("type").is_none_or(|name| name == "array"),
        Value::Object(members) if !has_required(branch, members) => false,
        Value::Object(members) => branch
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .filter_map(|(name, property)| Some((name, property.get("const")?)))
            .all(|(name, constant)| members.get(name) == Some(constant)),
        _ => false,
    }
}

fn has_required(branch: &Map<String, Value>, members: &Map<String, Value>) -> bool {
    branch
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .all(|name| members.contains_key(name))
}

fn wants_integer(schema: &Map<String, Value>) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => name == "integer",
        Some(Value::Array(names)) => {
            names.iter().any(|name| name == "integer") && names.iter().all(|name| name != "number")
        }
        _ => false,
    }
}

/// `3.0` as `3`; `None` for `3.5`, for an integer, and for what 64 bits cannot hold.
pub(super) fn whole(number: &Number) -> Option<Number> {
    if !number.is_f64() {
        return None;
    }
    let value = number.as_f64()?;
    if value.fract() != 0.0 {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole and in range by the guards"
    )]
    // Not the very least of 64 bits: an integer below it is read as the same float.
    if value > -9_223_372_036_854_775_808.0 && value < 9_223_372_036_854_775_808.0 {
        Some((value as i64).into())
    } else if (0.0..18_446_744_073_709_551_616.0).contains(&value) {
        Some((value as u64).into())
    } else {
        None
    }
}
