//! Schemas for strict modes, where the provider binds the model to the schema
//! and takes only a part of JSON Schema.

use serde_json::{Map, Value};

use super::names::NameRule;
use super::notes::{Change, Notes, property_place};
use super::plain::{OPENAI_FORMATS, is_of_type, prune, tuple};
use super::types::{infer_type, make_nullable, nullable, split_types};
use super::{keys, root, words};
use crate::schema::{accepts_null, inlined, is_recursive, target};

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

/// OpenAI's published limits for one schema.
const MOST_PROPERTIES: usize = 5_000;
const MOST_SCHEMAS: usize = 20_000;
const MOST_LEVELS: usize = 10;
const MOST_ENUM_VALUES: usize = 1_000;
const MOST_CHARACTERS: usize = 120_000;
/// An enum of more than 250 values may have this many characters.
const MOST_CHARACTERS_OF_LARGE_ENUM: usize = 15_000;

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

fn definition_of<'a>(root: &'a Value, name: &str) -> Option<&'a Value> {
    ["$defs", "definitions"]
        .iter()
        .find_map(|keyword| root.get(keyword)?.get(name))
}

#[derive(Default)]
struct Size {
    schemas: usize,
    properties: usize,
    enum_values: usize,
    characters: usize,
}

impl Size {
    fn check(&self) -> Result<(), String> {
        if self.properties > MOST_PROPERTIES {
            return Err(format!("it has more than {MOST_PROPERTIES} properties"));
        }
        if self.enum_values > MOST_ENUM_VALUES {
            return Err(format!("it has more than {MOST_ENUM_VALUES} enum values"));
        }
        if self.characters > MOST_CHARACTERS {
            return Err(format!(
                "its names and enum values have more than {MOST_CHARACTERS} characters"
            ));
        }
        Ok(())
    }
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

    /// A reference stays where the mode takes it, and nothing stands beside it.
    fn reference(&mut self, object: &Map<String, Value>, place: &str) -> Result<Reference, String> {
        let Some(reference) = object.get("$ref").and_then(Value::as_str) else {
            return Err(format!("`{place}` has a reference that is no text"));
        };
        if target(self.root, reference).is_none() {
            return Err(format!("the reference of `{place}` leads nowhere"));
        }
        if !is_recursive(self.root, reference) {
            return match inlined(self.root, object) {
                Some(inlined) => Ok(Reference::Inlined(inlined)),
                None => Err(format!("the reference of `{place}` leads nowhere")),
            };
        }
        if !self.mode.is_openai() {
            return Err(format!("`{place}` is recursive"));
        }
        for keyword in object.keys().filter(|keyword| *keyword != "$ref") {
            self.notes.add(Change::Dropped, keyword, place);
        }
        let kept = if reference == "#" {
            reference.to_owned()
        } else {
            let name = ["#/$defs/", "#/definitions/"]
                .iter()
                .find_map(|prefix| reference.strip_prefix(prefix))
                .filter(|name| definition_of(self.root, name).is_some())
                .ok_or_else(|| format!("the reference of `{place}` is no definition"))?;
            self.pending.push(name.to_owned());
            format!("#/$defs/{name}")
        };
        Ok(Reference::Kept(Map::from_iter([(
            "$ref".to_owned(),
            kept.into(),
        )])))
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

    fn values(&mut self, object: &mut Map<String, Value>, place: &str) -> Result<(), String> {
        let simple = |value: &Value| !value.is_array() && !value.is_object();
        let Some(values) = object.get("enum") else {
            return match object.get("const") {
                Some(value) if !simple(value) => {
                    Err(format!("`{place}` has a constant that is no simple value"))
                }
                _ => Ok(()),
            };
        };
        let values = values.as_array().map(Vec::as_slice).unwrap_or_default();
        if values.is_empty() || !values.iter().all(simple) {
            return Err(format!("`{place}` has an enum of other than simple values"));
        }
        let characters: usize = values
            .iter()
            .map(|value| value.as_str().map_or(0, str::len))
            .sum();
        if values.len() > 250 && characters > MOST_CHARACTERS_OF_LARGE_ENUM {
            return Err(format!("`{place}` has too long an enum"));
        }
        self.size.enum_values += values.len();
        self.size.characters += characters;
        Ok(())
    }

    fn limits(&mut self, object: &mut Map<String, Value>, place: &str) {
        let mut said = vec![
            "minLength",
            "maxLength",
            "uniqueItems",
            "contentEncoding",
            "contentMediaType",
        ];
        if !self.mode.is_openai() {
            said.extend([
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
                "maxItems",
            ]);
            if object.get("minItems").and_then(Value::as_u64) > Some(1) {
                said.push("minItems");
            }
        }
        let format = object.get("format").and_then(Value::as_str);
        if format.is_some_and(|format| !self.mode.takes_format(format)) {
            said.push("format");
        }
        let pattern = object.get("pattern").and_then(Value::as_str);
        if pattern.is_some_and(|pattern| !self.is_simple(pattern)) {
            said.push("pattern");
        }
        words::say(object, &said, place, self.notes);
    }

    fn is_simple(&self, pattern: &str) -> bool {
        let look_around = ["(?=", "(?!", "(?<"]
            .iter()
            .any(|mark| pattern.contains(mark));
        let reference = (1..=9).any(|group| pattern.contains(&format!("\\{group}")));
        let boundary = pattern.contains("\\b") || pattern.contains("\\B");
        !look_around && (self.mode.is_openai() || !(reference || boundary))
    }

    fn items(
        &mut self,
        object: &mut Map<String, Value>,
        place: &str,
        depth: usize,
    ) -> Result<(), String> {
        tuple(object);
        if let Some(Value::Array(each)) = object.shift_remove("prefixItems") {
            let mut distinct: Vec<&Value> = Vec::new();
            for item in &each {
                if !distinct.contains(&item) {
                    distinct.push(item);
                }
            }
            let ([only], None) = (distinct.as_slice(), object.get("items")) else {
                return Err(format!("`{place}` is a tuple"));
            };
            let only = (*only).clone();
            object.insert("items".to_owned(), only);
        }
        let Some(each) = object.get("items") else {
            return Err(format!("the items of `{place}` have no type"));
        };
        let each = self.schema(&each.clone(), &format!("{place}[]"), depth)?;
        object.insert("items".to_owned(), each);
        Ok(())
    }

    fn object(
        &mut self,
        mut object: Map<String, Value>,
        place: &str,
        depth: usize,
    ) -> Result<Map<String, Value>, String> {
        if depth >= MOST_LEVELS {
            return Err(format!("it has more than {MOST_LEVELS} levels of objects"));
        }
        self.annotations(&mut object, place);
        match object.get("additionalProperties") {
            None | Some(Value::Bool(false)) => {}
            Some(Value::Object(each)) if !each.is_empty() => {
                return Err(format!("{} a map", is(place)));
            }
            Some(_) => return Err(format!("{} free-form", is(place))),
        }
        let known = [
            "type",
            "title",
            "description",
            "default",
            "properties",
            "required",
            "additionalProperties",
            "unevaluatedProperties",
            "enum",
        ];
        if let Some(keyword) = object.keys().find(|key| !known.contains(&key.as_str())) {
            return Err(format!("{} an object with `{keyword}`", is(place)));
        }
        object.shift_remove("unevaluatedProperties");
        if object.contains_key("enum") {
            return Err(format!("{} an enum of objects", is(place)));
        }
        let properties = match object.get("properties") {
            Some(Value::Object(properties)) => properties.clone(),
            _ => Map::new(),
        };
        let closed = object.contains_key("additionalProperties");
        if properties.is_empty() && depth > 0 && !closed {
            return Err(format!("{} free-form", is(place)));
        }
        let mut required: Vec<Value> = match object.shift_remove("required") {
            Some(Value::Array(required)) => required,
            _ => Vec::new(),
        };
        if let Some(missing) = required
            .iter()
            .filter_map(Value::as_str)
            .find(|key| !properties.contains_key(*key))
        {
            return Err(format!(
                "{} an object without the required `{missing}`",
                is(place)
            ));
        }
        let mut written = Map::new();
        for (key, property) in &properties {
            self.size.properties += 1;
            self.size.characters += key.len();
            let place = property_place(place, key);
            let optional = !required.iter().any(|required| required == key);
            let mut schema = self.schema(property, &place, depth + 1)?;
            if optional && self.mode.is_openai() {
                required.push(key.as_str().into());
                if !accepts_null(self.root, property) {
                    schema = nullable(schema);
                } else if !property.get("default").is_some_and(Value::is_null) {
                    return Err(format!(
                        "`{place}` may be absent or null, and strict mode has one word for both"
                    ));
                }
            }
            written.insert(key.clone(), schema);
        }
        object.insert("properties".to_owned(), written.into());
        if self.mode.is_openai() || !required.is_empty() {
            object.insert("required".to_owned(), required.into());
        }
        object.insert("additionalProperties".to_owned(), false.into());
        keys::rename(&mut object, self.mode.keys(), place, self.notes);
        Ok(object)
    }
}

enum Reference {
    Kept(Map<String, Value>),
    Inlined(Map<String, Value>),
}

fn is(place: &str) -> String {
    if place.is_empty() {
        "the root is".to_owned()
    } else {
        format!("`{place}` is")
    }
}
