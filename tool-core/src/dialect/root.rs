//! The root of a tool's schema: always one plain object.

use serde_json::{Map, Value, json};

use super::notes::{Change, Notes};
use crate::schema::{describe, inlined};

/// The root as an object schema: a reference is followed, `allOf` is merged,
/// and so are the alternatives of `anyOf` and `oneOf`, which no provider
/// takes at the root.
///
/// # Errors
///
/// Why it is no object.
pub(super) fn object(schema: &Value, notes: &mut Notes) -> Result<Map<String, Value>, String> {
    let Some(object) = schema.as_object() else {
        return Err(format!(
            "the parameters must be the schema of an object, not {}",
            describe::got(schema)
        ));
    };
    if is_too_deep(schema) {
        return Err(format!("its schema is nested more than {DEEPEST} deep"));
    }
    let mut object = object.clone();
    if object.contains_key("$ref") {
        object = inlined(schema, &object)
            .ok_or("the root of the parameters is a reference that leads nowhere")?;
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = object.shift_remove(keyword) {
            merge(schema, &mut object, keyword, &branches, notes)?;
        }
    }
    for keyword in ["enum", "const", "not"] {
        if object.shift_remove(keyword).is_some() {
            notes.add(Change::Dropped, keyword, "");
        }
    }
    match object.get("type") {
        Some(Value::String(name)) if name == "object" => {}
        Some(Value::Array(names)) if names.iter().any(|name| name == "object") => {
            object.insert("type".to_owned(), "object".into());
        }
        None => {
            object.insert("type".to_owned(), "object".into());
        }
        Some(other) => {
            return Err(format!(
                "the parameters must be of type `object`, not {}",
                describe::got(other)
            ));
        }
    }
    if !object.get("properties").is_some_and(Value::is_object) {
        object.insert("properties".to_owned(), json!({}));
    }
    Ok(object)
}

/// Deeper schemas are no real ones, and every walk after this one may recurse.
const DEEPEST: usize = 200;

fn is_too_deep(schema: &Value) -> bool {
    let mut pending = vec![(schema, 0)];
    while let Some((value, depth)) = pending.pop() {
        if depth > DEEPEST {
            return true;
        }
        match value {
            Value::Array(list) => pending.extend(list.iter().map(|inner| (inner, depth + 1))),
            Value::Object(map) => pending.extend(map.values().map(|inner| (inner, depth + 1))),
            _ => {}
        }
    }
    false
}

/// The properties of all branches in one object. What holds between them is
/// lost to the model, and the executor checks it.
fn merge(
    root: &Value,
    object: &mut Map<String, Value>,
    keyword: &str,
    branches: &[Value],
    notes: &mut Notes,
) -> Result<(), String> {
    let all = keyword == "allOf";
    let mut common: Option<Vec<Value>> = None;
    let mut closed = true;
    for branch in branches {
        let branch = match branch {
            Value::Object(branch) if branch.contains_key("$ref") => inlined(root, branch)
                .ok_or_else(|| format!("`{keyword}` at the root holds a broken reference"))?,
            Value::Object(branch) => branch.clone(),
            // `true` says nothing more; `false` is a branch that nothing takes.
            _ => continue,
        };
        let known = [
            "type",
            "title",
            "description",
            "properties",
            "required",
            "additionalProperties",
            "$defs",
        ];
        if branch.get("type").is_some_and(|name| name != "object") {
            return Err(format!(
                "`{keyword}` at the root has a branch that is no object"
            ));
        }
        for key in branch.keys().filter(|key| !known.contains(&key.as_str())) {
            notes.add(Change::Dropped, key, "");
        }
        let required = branch
            .get("required")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        common = Some(match common {
            None => required,
            Some(mut before) if all => {
                before.extend(required);
                before
            }
            Some(mut before) => {
                before.retain(|key| required.contains(key));
                before
            }
        });
        closed &= branch.get("additionalProperties") == Some(&Value::Bool(false));
        if let Some(Value::Object(properties)) = branch.get("properties") {
            add_properties(object, properties, all);
        }
    }
    add_required(object, common.unwrap_or_default());
    // A branch that is closed refuses the properties of the others.
    if closed && !all && !branches.is_empty() {
        object.insert("additionalProperties".to_owned(), false.into());
    }
    if !all && branches.len() > 1 {
        notes.say(format!(
            "the alternatives of `{keyword}` at the root are sent as one object; the executor still checks which may stand together"
        ));
    }
    Ok(())
}

fn add_properties(object: &mut Map<String, Value>, properties: &Map<String, Value>, all: bool) {
    let entry = object
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    let Some(own) = entry.as_object_mut() else {
        return;
    };
    for (key, property) in properties {
        match own.get_mut(key) {
            None => {
                own.insert(key.clone(), property.clone());
            }
            Some(before) if before == property || all && is_untyped(property) => {}
            Some(before) if all && is_untyped(before) => *before = property.clone(),
            Some(before) => *before = either(before, property),
        }
    }
}

fn is_untyped(schema: &Value) -> bool {
    schema.as_object().is_none_or(Map::is_empty)
}

/// One schema for what either takes; the tags of a union become one enum.
fn either(left: &Value, right: &Value) -> Value {
    fn values(schema: &Value) -> Option<Vec<Value>> {
        let object = schema.as_object()?;
        let known = ["type", "enum", "const", "description", "title"];
        if object.keys().any(|key| !known.contains(&key.as_str())) {
            return None;
        }
        match (object.get("enum"), object.get("const")) {
            (Some(Value::Array(values)), None) => Some(values.clone()),
            (None, Some(value)) => Some(vec![value.clone()]),
            _ => None,
        }
    }

    if let (Some(mut all), Some(more)) = (values(left), values(right)) {
        for value in more {
            if !all.contains(&value) {
                all.push(value);
            }
        }
        if all.iter().all(Value::is_string) {
            return json!({ "type": "string", "enum": all });
        }
        return json!({ "enum": all });
    }
    let mut branches = match left.get("anyOf") {
        Some(Value::Array(branches)) if left.as_object().is_some_and(|left| left.len() == 1) => {
            branches.clone()
        }
        _ => vec![left.clone()],
    };
    if !branches.contains(right) {
        branches.push(right.clone());
    }
    json!({ "anyOf": branches })
}

fn add_required(object: &mut Map<String, Value>, required: Vec<Value>) {
    if required.is_empty() {
        return;
    }
    let entry = object
        .entry("required")
        .or_insert_with(|| Value::Array(Vec::new()));
    if let Some(own) = entry.as_array_mut() {
        for key in required {
            if !own.contains(&key) {
                own.push(key);
            }
        }
    }
}
