//! Where a JSON Schema holds other schemas.

use serde_json::{Map, Value};

/// Keywords whose value is one schema.
const ONE: [&str; 10] = [
    "items",
    "additionalProperties",
    "contains",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "not",
    "if",
    "then",
    "else",
];
/// Keywords whose value is a list of schemas.
const LIST: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];
/// Keywords whose value maps names to schemas.
const MAP: [&str; 5] = [
    "properties",
    "patternProperties",
    "dependentSchemas",
    "$defs",
    "definitions",
];

/// Calls a function for each schema directly inside another, with its keyword.
pub(crate) struct SubSchemas;

impl SubSchemas {
    pub(crate) fn for_each<'a>(
        schema: &'a Map<String, Value>,
        mut visit: impl FnMut(&'a str, &'a Value),
    ) {
        for (keyword, value) in schema {
            if ONE.contains(&keyword.as_str()) {
                visit(keyword, value);
            } else if LIST.contains(&keyword.as_str()) {
                for schema in value.as_array().into_iter().flatten() {
                    visit(keyword, schema);
                }
            } else if MAP.contains(&keyword.as_str()) {
                for (_, schema) in value.as_object().into_iter().flatten() {
                    visit(keyword, schema);
                }
            }
        }
    }

    pub(crate) fn for_each_mut(
        schema: &mut Map<String, Value>,
        mut visit: impl FnMut(&str, &mut Value),
    ) {
        for (keyword, value) in schema.iter_mut() {
            if ONE.contains(&keyword.as_str()) {
                visit(keyword, value);
            } else if LIST.contains(&keyword.as_str()) {
                for schema in value.as_array_mut().into_iter().flatten() {
                    visit(keyword, schema);
                }
            } else if MAP.contains(&keyword.as_str()) {
                for (_, schema) in value.as_object_mut().into_iter().flatten() {
                    visit(keyword, schema);
                }
            }
        }
    }
}

/// The schema that a local `$ref` (`#/…`) leads to, or the schema itself.
/// A chain of references is followed to a limit, so that a loop ends.
pub(crate) fn resolve<'a>(root: &'a Value, mut schema: &'a Value) -> &'a Value {
    for _ in 0..16 {
        let Some(reference) = schema.get("$ref").and_then(Value::as_str) else {
            return schema;
        };
        let Some(target) = reference
            .strip_prefix('#')
            .and_then(|pointer| root.pointer(pointer))
        else {
            return schema;
        };
        schema = target;
    }
    schema
}

/// The path of a member of the value at a path.
pub(crate) fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

/// Whether a schema takes `null`, as far as its own keywords tell.
pub(crate) fn accepts_null(root: &Value, schema: &Value) -> bool {
    let schema = resolve(root, schema);
    let Some(schema) = schema.as_object() else {
        return schema.as_bool().unwrap_or(true);
    };
    if let Some(constant) = schema.get("const") {
        return constant.is_null();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values.iter().any(Value::is_null);
    }
    match schema.get("type") {
        Some(Value::String(name)) => return name == "null",
        Some(Value::Array(names)) => return names.iter().any(|name| name == "null"),
        _ => {}
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(branches) = schema.get(keyword).and_then(Value::as_array) {
            return branches.iter().any(|branch| accepts_null(root, branch));
        }
    }
    if let Some(parts) = schema.get("allOf").and_then(Value::as_array) {
        return parts.iter().all(|part| accepts_null(root, part));
    }
    true
}
