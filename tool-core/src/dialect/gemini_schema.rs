//! The part of JSON Schema that Gemini documents.
//!
//! Source: the API's reference of `parametersJsonSchema` and
//! `responseJsonSchema`. The service takes more today; what is not documented
//! is said in the description, so that the model reads it all the same.

use serde_json::{Map, Value, json};

use super::names::NameRule;
use super::notes::{Change, Notes, property_place};
use super::plain::{is_of_type, prune, tuple};
use super::types::{infer_type, split_types};
use super::{keys, root, words};
use crate::schema::{inlined, is_recursive};

const FORMATS: [&str; 3] = ["date-time", "date", "time"];
/// How often a recursive schema is written inside itself.
const LEVELS: usize = 3;
/// A schema that grows beyond this when its references are followed is too
/// large for the service.
const MOST_SCHEMAS: usize = 5_000;

pub(super) fn schema(
    schema: &Value,
    rule: Option<NameRule>,
    notes: &mut Notes,
) -> Result<Value, String> {
    let object = root::object(schema, notes)?;
    let mut writer = Writer {
        root: schema,
        rule,
        notes,
        written: 0,
        inside: Vec::new(),
    };
    writer.node(object, "").map(Value::Object)
}

struct Writer<'a> {
    root: &'a Value,
    rule: Option<NameRule>,
    notes: &'a mut Notes,
    written: usize,
    /// The recursive references that are being followed.
    inside: Vec<String>,
}

impl Writer<'_> {
    fn schema(&mut self, schema: &Value, place: &str) -> Result<Value, String> {
        match schema {
            Value::Object(object) => self.node(object.clone(), place).map(Value::Object),
            Value::Bool(false) => {
                self.notes.add(Change::Dropped, "false", place);
                Ok(json!({}))
            }
            _ => {
                self.notes.add(Change::Untyped, "type", place);
                Ok(json!({}))
            }
        }
    }

    fn node(
        &mut self,
        mut object: Map<String, Value>,
        place: &str,
    ) -> Result<Map<String, Value>, String> {
        self.written += 1;
        if self.written > MOST_SCHEMAS {
            return Err(format!(
                "it has more than {MOST_SCHEMAS} parts with its references followed"
            ));
        }
        if let Some(reference) = object
            .get("$ref")
            .and_then(Value::as_str)
            .map(str::to_owned)
        {
            return self.reference(&object, &reference, place);
        }
        for keyword in [
            "$schema",
            "$id",
            "$comment",
            "$anchor",
            "$defs",
            "definitions",
            "title",
            "deprecated",
            "readOnly",
            "writeOnly",
        ] {
            object.shift_remove(keyword);
        }
        if let Some(Value::Array(parts)) = object.shift_remove("allOf") {
            object = self.all_of(object, &parts, place)?;
            if object.contains_key("$ref") || object.contains_key("allOf") {
                return self.node(object, place);
            }
        }
        if let Some(branches) = object.shift_remove("oneOf") {
            if object.contains_key("anyOf") {
                self.notes.add(Change::Dropped, "oneOf", place);
            } else {
                self.notes.add(Change::Loosened, "oneOf", place);
                object.insert("anyOf".to_owned(), branches);
            }
        }
        if object.contains_key("anyOf") {
            return self.union(object, place);
        }
        infer_type(&mut object);
        if !object.contains_key("type") {
            self.notes.add(Change::Untyped, "type", place);
        }
        if let Some(Value::Array(names)) = object.get("type") {
            match names.as_slice() {
                [only] => {
                    let only = only.clone();
                    object.insert("type".to_owned(), only);
                }
                [first, second] if (first == "null") != (second == "null") => {}
                _ => return self.node(split_types(object), place),
            }
        }
        self.values(&mut object, place);
        self.drop_unknown(&mut object, place);
        prune(&mut object);
        self.inside(&mut object, place)?;
        Ok(object)
    }

    fn reference(
        &mut self,
        object: &Map<String, Value>,
        reference: &str,
        place: &str,
    ) -> Result<Map<String, Value>, String> {
        let Some(target) = inlined(self.root, object) else {
            return Err(format!("the reference of `{place}` leads nowhere"));
        };
        if !is_recursive(self.root, reference) {
            return self.node(target, place);
        }
        let level = self
            .inside
            .iter()
            .filter(|inside| *inside == reference)
            .count();
        if level >= LEVELS {
            self.notes.say(format!(
                "a recursive schema is written {LEVELS} levels deep; deeper values are taken all the same"
            ));
            // What lies deeper is said by its type alone.
            let mut end = Map::new();
            for keyword in ["type", "description"] {
                if let Some(value) = target.get(keyword) {
                    end.insert(keyword.to_owned(), value.clone());
                }
            }
            return Ok(end);
        }
        self.inside.push(reference.to_owned());
        let written = self.node(target, place);
        self.inside.pop();
        written
    }

    /// The parts as one schema, as far as their keywords do not contradict.
    fn all_of(
        &mut self,
        mut object: Map<String, Value>,
        parts: &[Value],
        place: &str,
    ) -> Result<Map<String, Value>, String> {
        for part in parts {
            let Some(part) = part.as_object() else {
                continue;
            };
            let part = inlined(self.root, part).unwrap_or_else(|| part.clone());
            self.written += 1;
            if self.written > MOST_SCHEMAS {
                return Err(format!("it has more than {MOST_SCHEMAS} parts"));
            }
            for (keyword, value) in part {
                match (object.get_mut(&keyword), value) {
                    (None, value) => {
                        object.insert(keyword, value);
                    }
                    (Some(Value::Object(own)), Value::Object(more)) if keyword == "properties" => {
                        for (key, property) in more {
                            own.entry(key).or_insert(property);
                        }
                    }
                    (Some(Value::Array(own)), Value::Array(more)) if keyword == "required" => {
                        for key in more {
                            if !own.contains(&key) {
                                own.push(key);
                            }
                        }
                    }
                    (Some(own), value) if *own == value => {}
                    _ if keyword == "description" => {}
                    _ => self.notes.add(Change::Dropped, &keyword, place),
                }
            }
        }
        Ok(object)
    }

    fn union(
        &mut self,
        mut object: Map<String, Value>,
        place: &str,
    ) -> Result<Map<String, Value>, String> {
        let branches = match object.shift_remove("anyOf") {
            Some(Value::Array(branches)) => branches,
            _ => Vec::new(),
        };
        let is_null = |branch: &Value| branch.get("type").is_some_and(|name| name == "null");
        let nullable = branches.iter().any(is_null);
        let mut written = Vec::new();
        for branch in branches.iter().filter(|branch| !is_null(branch)) {
            let branch = self.schema(branch, place)?;
            if !written.contains(&branch) {
                written.push(branch);
            }
        }
        let beside: Vec<String> = object
            .keys()
            .filter(|keyword| {
                !["description", "default", "examples", "type"].contains(&keyword.as_str())
            })
            .cloned()
            .collect();
        for keyword in beside {
            object.shift_remove(&keyword);
            self.notes.add(Change::Dropped, &keyword, place);
        }
        object.shift_remove("type");
        words::say(&mut object, &["default", "examples"], place, self.notes);
        if nullable {
            super::types::make_nullable(&mut written);
        }
        if written.len() == 1
            && let Some(Value::Object(only)) = written.pop()
        {
            for (keyword, value) in only {
                object.entry(keyword).or_insert(value);
            }
            return Ok(object);
        }
        if !written.is_empty() {
            object.insert("anyOf".to_owned(), written.into());
        }
        Ok(object)
    }

    /// An enum holds texts and numbers.
    fn values(&mut self, object: &mut Map<String, Value>, place: &str) {
        if let Some(constant) = object.shift_remove("const") {
            object.entry("enum").or_insert_with(|| json!([constant]));
        }
        let Some(values) = object.get("enum") else {
            return;
        };
        let plain = |value: &Value| value.is_string() || value.is_number() || value.is_null();
        let sayable = values.as_array().is_some_and(|values| {
            values.iter().all(plain) && values.iter().any(|value| !value.is_null())
        });
        if !sayable {
            words::say(object, &["enum"], place, self.notes);
        }
    }

    fn drop_unknown(&mut self, object: &mut Map<String, Value>, place: &str) {
        const KNOWN: [&str; 13] = [
            "type",
            "description",
            "enum",
            "format",
            "minimum",
            "maximum",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
        ];

        tuple(object);
        if let Some(Value::Object(patterns)) = object.get("patternProperties")
            && let (Some(each), 1) = (patterns.values().next(), patterns.len())
            && object
                .get("additionalProperties")
                .is_none_or(|value| value == &Value::Bool(false))
        {
            let each = each.clone();
            object.insert("additionalProperties".to_owned(), each);
            self.notes.add(Change::Dropped, "patternProperties", place);
            object.shift_remove("patternProperties");
        }
        let mut unknown: Vec<String> = object
            .keys()
            .filter(|keyword| !KNOWN.contains(&keyword.as_str()))
            .cloned()
            .collect();
        let format = object.get("format").and_then(Value::as_str);
        if format.is_some_and(|format| !FORMATS.contains(&format)) {
            unknown.push("format".to_owned());
        }
        let unknown: Vec<&str> = unknown.iter().map(String::as_str).collect();
        words::say(object, &unknown, place, self.notes);
    }

    fn inside(&mut self, object: &mut Map<String, Value>, place: &str) -> Result<(), String> {
        if let Some(Value::Object(properties)) = object.get_mut("properties") {
            for (key, property) in properties.iter_mut() {
                *property = self.schema(&property.take(), &property_place(place, key))?;
            }
            keep_known(object);
        } else if object.shift_remove("required").is_some() {
            self.notes.add(Change::Dropped, "required", place);
        }
        keys::rename(object, self.rule, place, self.notes);
        match object.get_mut("additionalProperties") {
            Some(each @ Value::Object(_)) => *each = self.schema(&each.take(), place)?,
            None | Some(Value::Bool(_)) => {}
            Some(_) => {
                object.shift_remove("additionalProperties");
            }
        }
        if is_of_type(object, "array") {
            if let Some(Value::Array(each)) = object.get_mut("prefixItems") {
                for item in each {
                    *item = self.schema(&item.take(), place)?;
                }
            } else {
                let each = object.get("items").cloned().unwrap_or_else(|| json!({}));
                object.insert("items".to_owned(), each);
            }
            if let Some(each) = object.get("items").cloned() {
                let each = self.schema(&each, &format!("{place}[]"))?;
                object.insert("items".to_owned(), each);
            }
        }
        Ok(())
    }
}

/// A required key without a property is an error of the request.
fn keep_known(object: &mut Map<String, Value>) {
    let keys: Vec<String> = object
        .get("properties")
        .and_then(Value::as_object)
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default();
    let Some(Value::Array(required)) = object.get_mut("required") else {
        return;
    };
    required.retain(|key| {
        key.as_str()
            .is_some_and(|key| keys.iter().any(|known| known == key))
    });
    if required.is_empty() {
        object.shift_remove("required");
    }
}
