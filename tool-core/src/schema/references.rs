//! What the references of a schema lead to.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::walk::{SubSchemas, resolve};

/// The target of a local reference: `#` or `#/…`.
pub(crate) fn target<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    root.pointer(reference.strip_prefix('#')?)
}

/// Whether following a local reference leads back to itself.
pub(crate) fn is_recursive(root: &Value, reference: &str) -> bool {
    let mut seen = HashSet::new();
    let mut pending: Vec<&Value> = target(root, reference).into_iter().collect();
    while let Some(schema) = pending.pop() {
        let Some(object) = schema.as_object() else {
            continue;
        };
        if let Some(next) = object.get("$ref").and_then(Value::as_str) {
            if next == reference {
                return true;
            }
            if seen.insert(next) {
                pending.extend(target(root, next));
            }
        }
        // The definitions of the root are no part of it until they are named.
        SubSchemas::for_each(object, |keyword, inner| {
            if !matches!(keyword, "$defs" | "definitions") {
                pending.push(inner);
            }
        });
    }
    false
}

/// A schema with what its `$ref` leads to put in its place; its own keywords
/// win over those of the target.
pub(crate) fn inlined(root: &Value, schema: &Map<String, Value>) -> Option<Map<String, Value>> {
    let reference = schema.get("$ref")?.as_str()?;
    let target = resolve(root, target(root, reference)?).as_object()?;
    if target.contains_key("$ref") {
        return None;
    }
    let mut merged = target.clone();
    for (key, value) in schema {
        if key != "$ref" {
            merged.insert(key.clone(), value.clone());
        }
    }
    Some(merged)
}
