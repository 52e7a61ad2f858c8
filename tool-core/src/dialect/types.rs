//! The `type` of a schema: told from its other keywords, split, and with
//! `null` besides.

use serde_json::{Map, Value, json};

/// The type that the other keywords imply.
pub(super) fn infer_type(object: &mut Map<String, Value>) {
    if object.contains_key("type") {
        return;
    }
    let values = match (object.get("enum"), object.get("const")) {
        (Some(Value::Array(values)), _) => values.as_slice(),
        (_, Some(value)) => std::slice::from_ref(value),
        _ => &[],
    };
    let mut names: Vec<&str> = values.iter().map(type_of).collect();
    names.sort_unstable();
    names.dedup();
    let inferred: Value = match names.as_slice() {
        [] if object.contains_key("properties") => "object".into(),
        [] if object.contains_key("items") || object.contains_key("prefixItems") => "array".into(),
        [] => return,
        [only] => (*only).into(),
        ["integer", "number"] => "number".into(),
        several => several.iter().copied().map(Value::from).collect(),
    };
    object.insert("type".to_owned(), inferred);
}

pub(super) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// One branch of `anyOf` a type, where a provider takes one type at a time.
pub(super) fn split_types(mut object: Map<String, Value>) -> Map<String, Value> {
    let Some(Value::Array(names)) = object.shift_remove("type") else {
        return object;
    };
    let mut outer = Map::new();
    for keyword in ["title", "description", "default"] {
        if let Some(value) = object.shift_remove(keyword) {
            outer.insert(keyword.to_owned(), value);
        }
    }
    let branches: Vec<Value> = names
        .iter()
        .filter_map(|name| of_one_type(&object, name.as_str()?))
        .collect();
    outer.insert("anyOf".to_owned(), branches.into());
    outer
}

/// The part of a schema that speaks of one type.
fn of_one_type(object: &Map<String, Value>, name: &str) -> Option<Value> {
    let mut branch = object.clone();
    branch.insert("type".to_owned(), name.into());
    let belongs: &[&str] = match name {
        "string" => &[
            "minLength",
            "maxLength",
            "pattern",
            "format",
            "contentEncoding",
            "contentMediaType",
        ],
        "integer" | "number" => &[
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ],
        "array" => &[
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "uniqueItems",
        ],
        "object" => &[
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
        ],
        _ => &[],
    };
    branch.retain(|key, _| {
        ["type", "enum", "const"].contains(&key.as_str()) || belongs.contains(&key.as_str())
    });
    let fits = |value: &Value| {
        let own = type_of(value);
        own == name || name == "number" && own == "integer"
    };
    if let Some(Value::Array(values)) = branch.get_mut("enum") {
        values.retain(fits);
        if values.is_empty() {
            return None;
        }
    }
    if branch.get("const").is_some_and(|value| !fits(value)) {
        return None;
    }
    Some(Value::Object(branch))
}

/// The schema with `null` besides.
pub(super) fn nullable(schema: Value) -> Value {
    let Value::Object(mut object) = schema else {
        return schema;
    };
    if let Some(Value::Array(branches)) = object.get_mut("anyOf") {
        make_nullable(branches);
        return Value::Object(object);
    }
    match object.get("type").cloned() {
        Some(Value::String(name)) => {
            object.insert("type".to_owned(), json!([name, "null"]));
        }
        Some(Value::Array(_)) => return Value::Object(object),
        _ => return json!({ "anyOf": [object, { "type": "null" }] }),
    }
    if let Some(constant) = object.shift_remove("const") {
        object.insert("enum".to_owned(), json!([constant, null]));
    } else if let Some(Value::Array(values)) = object.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    Value::Object(object)
}

/// Lets one branch take `null`, and adds one for it where none can.
pub(super) fn make_nullable(branches: &mut Vec<Value>) {
    match branches
        .iter_mut()
        .find(|branch| branch.get("type").is_some())
    {
        Some(branch) => *branch = nullable(branch.take()),
        None => branches.push(json!({ "type": "null" })),
    }
}
