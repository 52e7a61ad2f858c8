//! Schemas and values to draw at random.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

const KEYS: [&str; 7] = ["city", "b c", "$filter", "tags[]", "p.q", "émile", "n"];

fn leaf() -> BoxedStrategy<Value> {
    prop_oneof![
        Just(json!({ "type": "boolean" })),
        (0..5_i64, 5..9_i64)
            .prop_map(|(low, high)| json!({ "type": "integer", "minimum": low, "maximum": high })),
        Just(json!({ "type": "integer", "default": 3, "description": "How many." })),
        Just(json!({ "type": "number", "exclusiveMinimum": 0 })),
        (0..2_u64, 3..6_u64).prop_map(
            |(low, high)| json!({ "type": "string", "minLength": low, "maxLength": high })
        ),
        Just(json!({ "type": "string", "enum": ["red", "green"] })),
        Just(json!({ "const": "fixed" })),
        Just(json!({ "type": ["string", "null"] })),
        Just(json!({ "type": ["string", "integer"] })),
        Just(json!({})),
        Just(json!({ "type": "object", "additionalProperties": { "type": "integer" } })),
    ]
    .boxed()
}

pub(super) fn schema() -> BoxedStrategy<Value> {
    leaf()
        .prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                object(inner.clone()),
                inner.clone().prop_map(|each| json!({ "type": "array", "items": each, "maxItems": 3 })),
                (inner.clone(), inner).prop_map(|(left, right)| json!({ "oneOf": [
                    { "type": "object", "properties": { "kind": { "const": "l" }, "value": left }, "required": ["kind"] },
                    { "type": "object", "properties": { "kind": { "const": "r" }, "value": right }, "required": ["kind", "value"] },
                ] })),
            ]
        })
        .boxed()
}

pub(super) fn object(inner: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    (
        prop::collection::btree_map(prop::sample::select(&KEYS[..]), inner, 0..5),
        any::<u8>(),
        any::<bool>(),
    )
        .prop_map(|(properties, required, closed)| {
            let required: Vec<&str> = properties
                .keys()
                .enumerate()
                .filter(|(index, _)| required & (1 << index) != 0)
                .map(|(_, key)| *key)
                .collect();
            let mut schema =
                json!({ "type": "object", "properties": properties, "required": required });
            if closed {
                schema["additionalProperties"] = false.into();
            }
            schema
        })
        .boxed()
}

/// Bits to choose a value by.
pub(super) struct Choices(pub(super) u64);

impl Choices {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

/// A value that the schema takes.
pub(super) fn value(schema: &Value, choices: &mut Choices) -> Value {
    if let Some(constant) = schema.get("const") {
        return constant.clone();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values[choices.below(values.len())].clone();
    }
    if let Some(branches) = schema.get("oneOf").and_then(Value::as_array) {
        return value(&branches[choices.below(2)], choices);
    }
    let kind = match &schema["type"] {
        Value::String(kind) => kind.as_str(),
        Value::Array(kinds) => kinds[choices.below(2)].as_str().unwrap(),
        _ => return json!("anything"),
    };
    match kind {
        "null" => Value::Null,
        "boolean" => (choices.below(2) == 0).into(),
        "integer" => {
            let low = schema["minimum"].as_u64().unwrap_or(0);
            let high = schema["maximum"].as_u64().unwrap_or(9);
            let span = usize::try_from(high - low + 1).unwrap();
            (low + choices.below(span) as u64).into()
        }
        "number" => json!(0.5),
        "string" => "abc".into(),
        "array" => (0..choices.below(3))
            .map(|_| value(&schema["items"], choices))
            .collect(),
        _ => {
            let mut object = Map::new();
            let required = schema["required"].as_array();
            for (key, property) in schema["properties"].as_object().into_iter().flatten() {
                let needed = required.is_some_and(|required| required.contains(&json!(key)));
                if needed || choices.below(2) == 0 {
                    object.insert(key.clone(), value(property, choices));
                }
            }
            if schema["additionalProperties"].is_object() {
                object.insert("any".to_owned(), 1.into());
            }
            object.into()
        }
    }
}

pub(super) fn any_json() -> BoxedStrategy<Value> {
    let key = prop::sample::select(vec![
        "type",
        "properties",
        "required",
        "items",
        "anyOf",
        "oneOf",
        "allOf",
        "$ref",
        "$defs",
        "enum",
        "const",
        "not",
        "prefixItems",
        "additionalProperties",
        "default",
        "format",
        "choices",
        "message",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "id",
        "output",
        "content",
        "input",
        "candidates",
        "parts",
        "functionCall",
        "args",
        "toolUse",
        "tools",
        "delta",
        "partialArgs",
        "jsonPath",
        "willContinue",
        "index",
        "contentBlockStart",
        "item",
        "event",
        "params",
        "toolSpec",
        "error",
        "functionDeclarations",
        "parametersJsonSchema",
        "inputSchema",
        "input_schema",
        "role",
    ]);
    let text = prop::sample::select(vec![
        "",
        "object",
        "array",
        "string",
        "null",
        "#",
        "#/$defs/a",
        "#/properties/type",
        "function",
        "function_call",
        "tool_use",
        "assistant",
        "{",
        "{\"a\":null}",
        "response.output_item.added",
        "content_block_start",
        "content_block_delta",
        "tools/call",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key.clone(), inner, 0..6).prop_map(|map| Value::Object(
                map.into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect()
            )),
        ]
    })
    .boxed()
}
