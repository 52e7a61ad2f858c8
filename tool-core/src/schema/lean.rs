//! What of a schema is worth a model's tokens.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::walk::SubSchemas;

/// What a lean schema keeps of what is not for the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeps {
    /// Nothing: the schema is ours.
    Nothing,
    /// `writeOnly`: somebody else wrote it there.
    WriteOnly,
}

/// The schema without the bounds of 64-bit types. No model writes such a
/// number, and most JSON parsers of providers cannot hold them exactly.
///
/// `writeOnly` says to us which arguments are secrets, and nothing to a model.
pub(crate) fn lean(schema: &Value, keeps: Keeps) -> Cow<'_, Value> {
    match schema {
        Value::Object(object) if has_needless(object, keeps) => {
            let mut object = object.clone();
            remove_needless(&mut object, keeps);
            Cow::Owned(Value::Object(object))
        }
        other => Cow::Borrowed(other),
    }
}

fn is_needless(key: &str, value: &Value, keeps: Keeps) -> bool {
    is_wide(key, value)
        || (keeps == Keeps::Nothing && key == "writeOnly" && value == &Value::Bool(true))
}

fn is_wide(key: &str, value: &Value) -> bool {
    /// The largest integer that JavaScript holds exactly.
    const SAFE: f64 = 9_007_199_254_740_991.0;

    matches!(key, "minimum" | "maximum") && value.as_f64().is_some_and(|bound| bound.abs() > SAFE)
}

fn has_needless(object: &Map<String, Value>, keeps: Keeps) -> bool {
    object.iter().any(|(key, value)| {
        is_needless(key, value, keeps)
            || match value {
                Value::Object(inner) => has_needless(inner, keeps),
                Value::Array(list) => list
                    .iter()
                    .filter_map(Value::as_object)
                    .any(|inner| has_needless(inner, keeps)),
                _ => false,
            }
    })
}

fn remove_needless(schema: &mut Map<String, Value>, keeps: Keeps) {
    schema.retain(|key, value| !is_needless(key, value, keeps));
    SubSchemas::for_each_mut(schema, |_, inner| {
        if let Value::Object(inner) = inner {
            remove_needless(inner, keeps);
        }
    });
}
