//! What an imported definition holds besides what we know, kept for the way
//! back into the same dialect.

use serde_json::{Map, Value};

use super::Dialect;
use crate::definition::Definition;

/// What the keys in `meta` start with that hold what was imported.
const PREFIX: &str = "imported/";

fn place(dialect: Dialect) -> String {
    format!("{PREFIX}{dialect}")
}

/// Whether a key of `meta` is one of ours and none of the host's.
pub(super) fn is_ours(key: &str) -> bool {
    key.starts_with(PREFIX)
}

/// Keeps the keys that are not `known` in the definition's `meta`. That `strict` was absent is kept as `null`.
pub(super) fn keep(
    definition: &mut Definition,
    dialect: Dialect,
    object: &Map<String, Value>,
    known: &[&str],
) {
    let mut extras: Map<String, Value> = object
        .iter()
        .filter(|(key, _)| !known.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if known.contains(&"strict") && !object.contains_key("strict") {
        extras.insert("strict".to_owned(), Value::Null);
    }
    if !extras.is_empty() {
        definition.meta.insert(place(dialect), extras.into());
    }
}

/// Keeps one more key.
pub(super) fn mark(definition: &mut Definition, dialect: Dialect, key: &str, value: Value) {
    let extras = definition
        .meta
        .entry(place(dialect))
        .or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(extras) = extras {
        extras.insert(key.to_owned(), value);
    }
}

/// The keys that were kept.
pub(super) fn kept(definition: &Definition, dialect: Dialect) -> Option<&Map<String, Value>> {
    definition.meta.get(&place(dialect))?.as_object()
}

/// Whether the definition was imported from this dialect without a word of `strict`.
pub(super) fn says_nothing_of_strict(definition: &Definition, dialect: Dialect) -> bool {
    definition.strict.is_none()
        && kept(definition, dialect)
            .is_some_and(|extras| extras.get("strict") == Some(&Value::Null))
}

/// Adds the keys that were kept to what is sent.
pub(super) fn add(object: &mut Map<String, Value>, definition: &Definition, dialect: Dialect) {
    for (key, value) in kept(definition, dialect).into_iter().flatten() {
        if key != "strict" {
            object.entry(key).or_insert_with(|| value.clone());
        }
    }
}
