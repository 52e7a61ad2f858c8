//! Schemas for strict modes, where the provider binds the model to the schema
//! and takes only a part of JSON Schema.

mod object;
mod reference;
mod scalar;
mod size;

use serde_json::{Map, Value};

use super::names::NameRule;
use super::notes::{Change, Notes};
use super::plain::{OPENAI_FORMATS, is_of_type, prune};
use super::types::{infer_type, make_nullable, split_types};
use super::{root, words};
use crate::schema::accepts_null;
use reference::{Reference, definition_of};
use size::{MOST_SCHEMAS, Size};

/// Whose strict mode it is, and so what it takes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mode {
    /// OpenAI: all keys are required, so that an optional one takes `null`.
    /// Source: its guide to structured outputs, "Supported schemas".
    OpenAi,
    /// Anthropic, and Bedrock, which speaks to the same models: no bounds, no
    /// recursion, and only some keys. Source: Anthropic's guide to structured
    /// outputs, "JSON Schema limitations", and `transform_schema` of its SDK.
    Anthropic(Option<NameRule>),
}

impl Mode {
    fn is_openai(self) -> bool {
        matches!(self, Self::OpenAi)
    }

    fn takes_format(self, format: &str) -> bool {
        OPENAI_FORMATS.contains(&format) || (!self.is_openai() && format == "uri")
    }

    fn keys(self) -> Option<NameRule> {
        match self {
            Self::OpenAi => None,
            Self::Anthropic(keys) => keys,
        }
    }
}

/// The schema of the parameters in a strict form.
///
/// # Errors
///
/// Why strict mode cannot say it.
pub(super) fn schema(schema: &Value, mode: Mode, notes: &mut Notes) -> Result<Value, String> {
    let object = root::object(schema, notes)?;
    let mut writer = Writer {
        root: schema,
        mode,
        notes,
        pending: Vec::new(),
        size: Size::default(),
    };
    let mut written = writer.object(object, "", 0)?;
    let mut definitions = Map::new();
    while let Some(name) = writer.pending.pop() {
        if definitions.contains_key(&name) {
            continue;
        }
        let definition = definition_of(schema, &name)
            .ok_or_else(|| format!("the reference to `{name}` leads nowhere"))?;
        let definition = writer.schema(definition, &name, 1)?;
        definitions.insert(name, definition);
    }
    if !definitions.is_empty() {
        written.insert("$defs".to_owned(), definitions.into());
    }
    writer.size.check()?;
    Ok(Value::Object(written))
}

struct Writer<'a> {
    root: &'a Value,
    mode: Mode,
    notes: &'a mut Notes,
    /// The definitions that were referred to and are not yet written.
    pending: Vec<String>,
    size: Size,
}

impl Writer<'_> {
    fn schema(&mut self, schema: &Value, place: &str, depth: usize) -> Result<Value, String> {
        let Value::Object(object) = schema else {
            return Err(format!("`{place}` takes any value"));
        };
        // References that are followed again and again can grow without end.
        self.size.schemas += 1;
        if self.size.schemas > MOST_SCHEMAS {
            return Err(format!("it has more than {MOST_SCHEMAS} parts"));
        }
        self.node(object.clone(), place, depth).map(Value::Object)
    }

    fn node(
        &mut self,
        mut object: Map<String, Value>,
        place: &str,
        depth: usize,
    ) -> Result<Map<String, Value>, String> {
        if object.contains_key("$ref") {
            match self.reference(&object, place)? {
                Reference::Kept(reference) => return Ok(reference),
                Reference::Inlined(inlined) => object = inlined,
            }
        }
        if let Some(Value::Array(branches)) = object.get("allOf") {
            let [Value::Object(only)] = branches.as_slice() else {
                return Err(format!("`{place}` has `allOf`"));
            };
            let only = only.clone();
            object.shift_remove("allOf");
            for (key, value) in only {
                object.entry(key).or_insert(value);
            }
            return self.node(object, place, depth);
        }
        self.annotations(&mut object, place);
        for keyword in [
            "not",
            "if",
            "then",
            "else",
            "dependentRequired",
            "dependentSchemas",
            "dependencies",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "contains",
            "unevaluatedItems",
            "$dynamicRef",
        ] {
            if object.contains_key(keyword) {
                return Err(format!("`{place}` has `{keyword}`"));
            }
        }
        if let Some(branches) = object.shift_remove("oneOf") {
            if object.contains_key("anyOf") {
                return Err(format!("`{place}` has both `anyOf` and `oneOf`"));
            }
            self.notes.add(Change::Loosened, "oneOf", place);
            object.insert("anyOf".to_owned(), branches);
        }
        if object.contains_key("anyOf") {
            return self.union(object, place, depth);
        }
        infer_type(&mut object);
        match object.get("type") {
            Some(Value::String(_)) => {}
            Some(Value::Array(names)) => {
                let count = names.iter().filter(|name| *name != "null").count();
                if count != 1 || names.len() > 2 {
                    let object = split_types(object);
                    return self.node(object, place, depth);
                }
                if names.len() == 1 {
                    let only = names.first().cloned().unwrap_or_default();
                    object.insert("type".to_owned(), only);
                }
            }
            _ => return Err(format!("`{place}` has no type")),
        }
        prune(&mut object);
        self.values(&mut object, place)?;
        if is_of_type(&object, "object") {
            return self.object(object, place, depth);
        }
        self.limits(&mut object, place);
        if is_of_type(&object, "array") {
            self.items(&mut object, place, depth)?;
        }
        Ok(object)
    }

    /// What says nothing of the accepted values.
    fn annotations(&mut self, object: &mut Map<String, Value>, place: &str) {
        for keyword in [
            "$schema",
            "$id",
            "$comment",
            "$anchor",
            "$defs",
            "definitions",
        ] {
            object.shift_remove(keyword);
        }
        for keyword in ["deprecated", "readOnly", "writeOnly"] {
            object.shift_remove(keyword);
        }
        words::say(object, &["examples"], place, self.notes);
        if self.mode.is_openai() {
            words::say(object, &["default"], place, self.notes);
        }
    }

    fn union(
        &mut self,
        mut object: Map<String, Value>,
        place: &str,
        depth: usize,
    ) -> Result<Map<String, Value>, String> {
        let Some(Value::Array(branches)) = object.shift_remove("anyOf") else {
            return Err(format!("`anyOf` of `{place}` is no list"));
        };
        for keyword in object.keys() {
            if !["title", "description", "default", "type"].contains(&keyword.as_str()) {
                return Err(format!("`{place}` has `{keyword}` beside `anyOf`"));
            }
        }
        // A type beside the branches only says again what they say.
        object.shift_remove("type");
        let mut written = Vec::new();
        let mut nullable = false;
        for branch in &branches {
            if branch.get("type").is_some_and(|name| name == "null") {
                nullable = true;
                continue;
            }
            match self.schema(branch, place, depth)? {
                // A union inside a union is one union.
                Value::Object(mut inner) if inner.len() == 1 && inner.contains_key("anyOf") => {
                    if let Some(Value::Array(inner)) = inner.shift_remove("anyOf") {
                        written.extend(inner);
                    }
                }
                branch => written.push(branch),
            }
        }
        if nullable && !written.iter().any(|branch| accepts_null(self.root, branch)) {
            make_nullable(&mut written);
        }
        if written.len() == 1
            && let Some(Value::Object(only)) = written.pop()
        {
            if only.contains_key("$ref") {
                return Ok(only);
            }
            for (key, value) in only {
                object.entry(key).or_insert(value);
            }
            return Ok(object);
        }
        if written.is_empty() {
            return Err(format!("`{place}` takes only null"));
        }
        object.insert("anyOf".to_owned(), written.into());
        Ok(object)
    }
}
