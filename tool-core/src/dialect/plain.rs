//! Schemas for providers that take nearly all of JSON Schema, with the few
//! shapes put right for which they refuse a whole request.

use serde_json::{Map, Value, json};

use super::names::NameRule;
use super::notes::{Change, Notes, property_place};
use super::{keys, root, words};

/// What a provider refuses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// The only formats that are taken, where not all are.
    pub(super) formats: Option<&'static [&'static str]>,
    /// Whether `$schema` and `$id` are sent on.
    pub(super) keeps_identity: bool,
    /// Which keys an object may have.
    pub(super) keys: Option<NameRule>,
}

/// The formats that OpenAI knows; another one is refused by newer models.
/// Source: OpenAI's guide to structured outputs, "Supported schemas".
pub(super) const OPENAI_FORMATS: &[&str] = &[
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

/// The schema of the parameters. One without a refused shape comes out as it is.
///
/// # Errors
///
/// Why no such schema can be sent.
pub(super) fn schema(schema: &Value, rules: &Rules, notes: &mut Notes) -> Result<Value, String> {
    let mut object = root::object(schema, notes)?;
    let mut writer = Writer { rules, notes };
    writer.object(&mut object, "")?;
    Ok(Value::Object(object))
}

struct Writer<'a> {
    rules: &'a Rules,
    notes: &'a mut Notes,
}

impl Writer<'_> {
    fn schema(&mut self, schema: &mut Value, place: &str) -> Result<(), String> {
        match schema {
            Value::Object(object) => self.object(object, place),
            // A boolean schema makes some providers drop every tool of a request.
            Value::Bool(true) => {
                *schema = json!({});
                Ok(())
            }
            Value::Bool(false) => {
                *schema = json!({ "not": {} });
                Ok(())
            }
            _ => Err(format!("the schema of `{place}` is no schema")),
        }
    }

    fn object(&mut self, object: &mut Map<String, Value>, place: &str) -> Result<(), String> {
        // It need not be a URI, and then the whole request is refused.
        let has_bad_id = object
            .get("$id")
            .is_some_and(|id| !id.as_str().is_some_and(is_uri_reference));
        if has_bad_id || !self.rules.keeps_identity {
            object.shift_remove("$id");
        }
        if !self.rules.keeps_identity {
            object.shift_remove("$schema");
            object.shift_remove("$comment");
        }
        self.tidy(object, place);
        keys::rename(object, self.rules.keys, place, self.notes);
        for (keyword, value) in object.iter_mut() {
            match (keyword.as_str(), value) {
                ("additionalProperties" | "unevaluatedProperties", Value::Bool(_)) => {}
                ("properties" | "patternProperties" | "dependentSchemas", Value::Object(map)) => {
                    for (key, inner) in map.iter_mut() {
                        self.schema(inner, &property_place(place, key))?;
                    }
                }
                ("$defs" | "definitions", Value::Object(map)) => {
                    for (name, inner) in map.iter_mut() {
                        self.schema(inner, name)?;
                    }
                }
                ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(list)) => {
                    for inner in list {
                        self.schema(inner, place)?;
                    }
                }
                ("items" | "contains" | "unevaluatedItems", inner) => {
                    self.schema(inner, &format!("{place}[]"))?;
                }
                (
                    "additionalProperties"
                    | "unevaluatedProperties"
                    | "propertyNames"
                    | "not"
                    | "if"
                    | "then"
                    | "else",
                    inner,
                ) => self.schema(inner, place)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Puts right what is wrong with one object, not with those inside.
    fn tidy(&mut self, object: &mut Map<String, Value>, place: &str) {
        if object
            .get("properties")
            .is_some_and(|value| !value.is_object())
        {
            object.insert("properties".to_owned(), json!({}));
        }
        prune(object);
        tuple(object);
        if is_of_type(object, "array")
            && !object.contains_key("items")
            && !object.contains_key("prefixItems")
        {
            object.insert("items".to_owned(), json!({}));
        }
        let refused = match (self.rules.formats, object.get("format")) {
            (Some(known), Some(Value::String(format))) => !known.contains(&format.as_str()),
            (_, Some(format)) => !format.is_string(),
            _ => false,
        };
        if refused {
            words::say(object, &["format"], place, self.notes);
        }
        if object
            .get("enum")
            .is_some_and(|values| values.as_array().is_none_or(Vec::is_empty))
        {
            object.shift_remove("enum");
            self.notes.add(Change::Dropped, "enum", place);
        }
    }
}

pub(super) fn is_of_type(schema: &Map<String, Value>, wanted: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => name == wanted,
        Some(Value::Array(names)) => names.iter().any(|name| name == wanted),
        _ => false,
    }
}

/// Takes out the keywords of objects and arrays where the type is another:
/// they say nothing, and providers refuse them.
pub(super) fn prune(schema: &mut Map<String, Value>) {
    if !schema.contains_key("type") {
        return;
    }
    if !is_of_type(schema, "object") {
        for keyword in ["properties", "required", "additionalProperties"] {
            schema.shift_remove(keyword);
        }
    }
    if !is_of_type(schema, "array") {
        for keyword in ["items", "prefixItems"] {
            schema.shift_remove(keyword);
        }
    }
}

/// Writes a tuple without the list form of `items` and without a boolean
/// after `prefixItems`, which older and newer validators read differently.
pub(super) fn tuple(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(_)) = schema.get("items") {
        let first = schema.shift_remove("items").unwrap_or_default();
        if first.as_array().is_some_and(|first| !first.is_empty()) {
            schema.insert("prefixItems".to_owned(), first);
        }
        if let Some(rest) = schema.shift_remove("additionalItems") {
            schema.insert("items".to_owned(), rest);
        }
    }
    let Some(count) = schema
        .get("prefixItems")
        .and_then(Value::as_array)
        .map(Vec::len)
    else {
        return;
    };
    if schema.get("items") == Some(&Value::Bool(false)) {
        schema.shift_remove("items");
        let closer = schema
            .get("maxItems")
            .and_then(Value::as_u64)
            .is_none_or(|most| most > count as u64);
        if closer {
            schema.insert("maxItems".to_owned(), count.into());
        }
    }
}

fn is_uri_reference(text: &str) -> bool {
    !text.chars().any(|character| {
        character.is_whitespace() || character.is_control() || "<>\"{}|\\^`".contains(character)
    })
}
