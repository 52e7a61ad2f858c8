//! The one schema of a native tool, made from what schemars says of its types.
//!
//! Draft 2020-12 with references inlined; no `$schema`, no `title`, no numeric
//! `format`; keys in the order of the declaration; objects closed; an optional
//! property is a plain type that is not in `required`.

use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::numbers::replace_format;
use super::walk::SubSchemas;
use crate::declaration::{Parameter, Refinement};
use crate::docs::{doc_text, joined};

/// String formats that JSON Schema knows and validators check.
const FORMATS: [&str; 12] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "uuid",
    "regex",
];

/// The schema of a tool with one property a parameter.
pub(crate) fn of_parameters(parameters: &[Parameter]) -> Value {
    let mut generator = generator(SchemaSettings::draft2020_12());
    let mut properties = Map::new();
    let mut required = Vec::new();
    for parameter in parameters {
        let mut schema = into_object((parameter.shape.schema)(&mut generator).to_value());
        let description = doc_text(parameter.description);
        if !description.is_empty() {
            schema.insert("description".to_owned(), description.into());
        }
        let optional = (parameter.shape.optional)();
        canonicalise(
            &mut schema,
            Position {
                optional,
                closable: true,
            },
        );
        let mut refinement = Refinement {
            schema: &mut schema,
            has_default: false,
        };
        if let Some(refine) = parameter.refine {
            refine(&mut refinement);
        }
        if !optional && !refinement.has_default {
            required.push(Value::from(parameter.name));
        }
        properties.insert(parameter.name.to_owned(), Value::Object(schema));
    }
    let mut root = Map::new();
    root.insert("type".to_owned(), "object".into());
    root.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        root.insert("required".to_owned(), required.into());
    }
    root.insert("additionalProperties".to_owned(), false.into());
    add_definitions(&mut root, &mut generator);
    Value::Object(root)
}

/// The schema of a tool that takes its arguments as one struct.
pub(crate) fn of_struct(schema: fn(&mut SchemaGenerator) -> Schema) -> Value {
    let mut generator = generator(SchemaSettings::draft2020_12());
    let mut root = into_object(schema(&mut generator).to_value());
    // The tool's own description says it to the model.
    root.remove("description");
    canonicalise(
        &mut root,
        Position {
            optional: false,
            closable: true,
        },
    );
    add_definitions(&mut root, &mut generator);
    Value::Object(root)
}

/// The schema of a tool's result, where its type has one.
pub(crate) fn of_output(schema: fn(&mut SchemaGenerator) -> Option<Schema>) -> Option<Value> {
    let mut generator = generator(SchemaSettings::draft2020_12().for_serialize());
    let mut root = into_object(schema(&mut generator)?.to_value());
    // A result is ours to make and may grow, so it is described, not closed.
    canonicalise(
        &mut root,
        Position {
            optional: false,
            closable: false,
        },
    );
    add_definitions(&mut root, &mut generator);
    Some(Value::Object(root))
}

fn generator(settings: SchemaSettings) -> SchemaGenerator {
    settings
        .with(|settings| {
            settings.meta_schema = None;
            settings.inline_subschemas = true;
        })
        .into_generator()
}

/// Recursive types cannot be inlined and stay behind as definitions.
fn add_definitions(root: &mut Map<String, Value>, generator: &mut SchemaGenerator) {
    let definitions = generator.take_definitions(true);
    if definitions.is_empty() {
        return;
    }
    let definitions: Map<String, Value> = definitions
        .into_iter()
        .map(|(name, schema)| {
            let mut schema = into_object(schema);
            canonicalise(
                &mut schema,
                Position {
                    optional: false,
                    closable: true,
                },
            );
            (name, Value::Object(schema))
        })
        .collect();
    root.insert("$defs".to_owned(), definitions.into());
}

/// `true` is `{}`, which providers take, and `false` is `{"not":{}}`.
fn into_object(schema: Value) -> Map<String, Value> {
    match schema {
        Value::Object(schema) => schema,
        Value::Bool(false) => Map::from_iter([("not".to_owned(), json!({}))]),
        _ => Map::new(),
    }
}

/// Where a schema stands in the one around it.
#[derive(Clone, Copy)]
struct Position {
    /// It is a property that may be absent.
    optional: bool,
    /// It sees all properties of its object, so that it may refuse others.
    closable: bool,
}

fn canonicalise(schema: &mut Map<String, Value>, position: Position) {
    for keyword in ["$schema", "title"] {
        schema.remove(keyword);
    }
    if position.optional {
        remove_null(schema);
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = joined(description);
    }
    fold_documented_enum(schema);
    replace_format(schema);
    if let Some(format) = schema.get("format").and_then(Value::as_str)
        && !FORMATS.contains(&format)
    {
        schema.remove("format");
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("array") if !schema.contains_key("prefixItems") => {
            schema.entry("items").or_insert_with(|| json!({}));
        }
        Some("object") => {
            schema.entry("properties").or_insert_with(|| json!({}));
        }
        _ => {}
    }

    let combined = ["anyOf", "oneOf", "allOf", "$ref", "not", "if"]
        .iter()
        .any(|keyword| schema.contains_key(*keyword));
    let has_properties = schema
        .get("properties")
        .and_then(Value::as_object)
        .is_some_and(|properties| !properties.is_empty());
    if position.closable
        && has_properties
        && !combined
        && !schema.contains_key("additionalProperties")
        && !schema.contains_key("unevaluatedProperties")
    {
        schema.insert("additionalProperties".to_owned(), false.into());
    }

    let required: Vec<Value> = schema
        .get("required")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    for (name, property) in properties_mut(schema) {
        let optional = !required.iter().any(|required| required == name);
        let mut inner = into_object(property.take());
        canonicalise(
            &mut inner,
            Position {
                optional,
                closable: position.closable,
            },
        );
        *property = Value::Object(inner);
    }
    SubSchemas::for_each_mut(schema, |keyword, inner| {
        if keyword == "properties" || (keyword == "additionalProperties" && inner.is_boolean()) {
            return;
        }
        // A part of `allOf` sees only its own properties, and a branch beside
        // `properties` does not see those; neither may refuse the others.
        let closable = position.closable
            && keyword != "allOf"
            && !(matches!(keyword, "anyOf" | "oneOf") && has_properties);
        let mut object = into_object(inner.take());
        canonicalise(
            &mut object,
            Position {
                optional: false,
                closable,
            },
        );
        *inner = Value::Object(object);
    });
}

fn properties_mut(schema: &mut Map<String, Value>) -> impl Iterator<Item = (&String, &mut Value)> {
    schema
        .get_mut("properties")
        .and_then(Value::as_object_mut)
        .into_iter()
        .flatten()
}

/// Turns "a value or null" into "a value": what is optional is left out.
fn remove_null(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if types.len() == 1
            && let Some(only) = types.pop()
        {
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = schema.get_mut(keyword) else {
            continue;
        };
        branches.retain(|branch| branch.get("type").is_none_or(|name| name != "null"));
        if branches.len() == 1
            && let Some(Value::Object(only)) = branches.pop()
        {
            schema.shift_remove(keyword);
            for (key, value) in only {
                // The words at the place of use win over those at the type.
                schema.entry(key).or_insert(value);
            }
        }
    }
}

/// An enum whose variants have docs comes as `oneOf` of constants, which some
/// providers refuse and others ignore. It becomes one `enum`, and the docs
/// become lines of the description.
fn fold_documented_enum(schema: &mut Map<String, Value>) {
    let Some(branches) = schema.get("oneOf").and_then(Value::as_array) else {
        return;
    };
    let mut values = Vec::new();
    let mut docs = Vec::new();
    for branch in branches {
        let Some(branch) = branch.as_object() else {
            return;
        };
        if branch.get("type").is_none_or(|name| name != "string") {
            return;
        }
        let known = [
            "type",
            "const",
            "enum",
            "description",
            "title",
            "deprecated",
        ];
        if branch.keys().any(|key| !known.contains(&key.as_str())) {
            return;
        }
        match (branch.get("const"), branch.get("enum")) {
            (Some(value), None) => {
                if let (Some(name), Some(text)) = (
                    value.as_str(),
                    branch.get("description").and_then(Value::as_str),
                ) {
                    docs.push(format!("`{name}`: {}", joined(text)));
                }
                values.push(value.clone());
            }
            (None, Some(Value::Array(several))) => values.extend(several.iter().cloned()),
            _ => return,
        }
    }
    schema.shift_remove("oneOf");
    let words: Vec<String> = schema
        .shift_remove("description")
        .as_ref()
        .and_then(Value::as_str)
        .map(str::to_owned)
        .into_iter()
        .chain(docs)
        .collect();
    schema.insert("type".to_owned(), "string".into());
    schema.insert("enum".to_owned(), values.into());
    if !words.is_empty() {
        schema.insert("description".to_owned(), words.join("\n").into());
    }
}
