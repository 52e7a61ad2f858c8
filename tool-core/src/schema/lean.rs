//! What of a schema is worth a model's tokens.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::walk::SubSchemas;

/// The schema without the bounds of 64-bit types. No model writes such a
/// number, and most JSON parsers of providers cannot hold them exactly.
pub(crate) fn lean(schema: &Value) -> Cow<'_, Value> {
    match schema {
        Value::Object(object) if has_wide_bound(object) => {
            let mut object = object.clone();
            remove_wide_bounds(&mut object);
            Cow::Owned(Value::Object(object))
        }
        other => Cow::Borrowed(other),
    }
}

fn is_wide(key: &str, value: &Value) -> bool {
    /// The largest integer that JavaScript holds exactly.
    const SAFE: f64 = 9_007_199_254_740_991.0;

    matches!(key, "minimum" | "maximum") && value.as_f64().is_some_and(|bound| bound.abs() > SAFE)
}

fn has_wide_bound(object: &Map<String, Value>) -> bool {
    object.iter().any(|(key, value)| {
        is_wide(key, value)
            || match value {
                Value::Object(inner) => has_wide_bound(inner),
                Value::Array(list) => list.iter().filter_map(Value::as_object).any(has_wide_bound),
                _ => false,
            }
    })
}

fn remove_wide_bounds(schema: &mut Map<String, Value>) {
    schema.retain(|key, value| !is_wide(key, value));
    SubSchemas::for_each_mut(schema, |_, inner| {
        if let Value::Object(inner) = inner {
            remove_wide_bounds(inner);
        }
    });
}
