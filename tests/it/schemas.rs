//! The canonical schema of awkward types.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Deserialize;
use serde_json::{Value, json};
use tool_core::tool;

macro_rules! schema_of {
    ($ty:ty) => {{
        /// Take a value.
        #[tool(name = "schema-of")]
        #[allow(unused_variables, reason = "only the schema is looked at")]
        fn take(
            /// The value.
            value: $ty,
        ) {
        }

        let mut schema = take::tool().definition().parameters.clone();
        let required = schema.get("required").is_some();
        let mut property = schema["properties"]["value"].take();
        property.as_object_mut().unwrap().remove("description");
        (property, required)
    }};
}

#[derive(Deserialize, schemars::JsonSchema)]
#[allow(dead_code, reason = "only the schema is looked at")]
struct Point {
    /// East.
    x: f32,
    y: Option<f32>,
}

#[derive(Deserialize, schemars::JsonSchema)]
#[allow(dead_code, reason = "only the schema is looked at")]
enum Mixed {
    Unit,
    Pair(u8, u8),
    Named { point: Point },
}

#[test]
fn every_type_has_a_lean_schema_that_every_provider_can_start_from() {
    let point = json!({
        "type": "object",
        "properties": {"x": {"description": "East.", "type": "number"}, "y": {"type": "number"}},
        "required": ["x"],
        "additionalProperties": false
    });
    let cases: Vec<((Value, bool), Value, bool)> = vec![
        (schema_of!(String), json!({"type": "string"}), true),
        (schema_of!(Option<String>), json!({"type": "string"}), false),
        (schema_of!(bool), json!({"type": "boolean"}), true),
        (
            schema_of!(u8),
            json!({"type": "integer", "minimum": 0, "maximum": 255}),
            true,
        ),
        (
            schema_of!(Option<i32>),
            json!({"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX}),
            false,
        ),
        (schema_of!(f64), json!({"type": "number"}), true),
        (
            schema_of!(Vec<String>),
            json!({"type": "array", "items": {"type": "string"}}),
            true,
        ),
        (
            schema_of!(HashSet<bool>),
            json!({"type": "array", "uniqueItems": true, "items": {"type": "boolean"}}),
            true,
        ),
        (
            schema_of!(HashMap<String, bool>),
            json!({"type": "object", "additionalProperties": {"type": "boolean"}, "properties": {}}),
            true,
        ),
        (
            schema_of!(BTreeMap<String, Value>),
            json!({"type": "object", "additionalProperties": true, "properties": {}}),
            true,
        ),
        (schema_of!(Value), json!({}), true),
        (
            schema_of!(Vec<Value>),
            json!({"type": "array", "items": {}}),
            true,
        ),
        (schema_of!(Point), point.clone(), true),
        (schema_of!(Option<Point>), point.clone(), false),
        (
            schema_of!((u8, bool)),
            json!({
                "type": "array",
                "prefixItems": [{"type": "integer", "minimum": 0, "maximum": 255}, {"type": "boolean"}],
                "minItems": 2,
                "maxItems": 2
            }),
            true,
        ),
        (
            schema_of!(chrono::DateTime<chrono::Utc>),
            json!({"type": "string", "format": "date-time"}),
            true,
        ),
    ];
    for ((schema, required), expected, expected_required) in cases {
        // The order of keys inside a leaf is schemars' own.
        assert_eq!(schema, expected);
        assert_eq!(required, expected_required, "{schema}");
    }
    let (mixed, _) = schema_of!(Mixed);
    let text = mixed.to_string();
    assert!(
        !text.contains("title") && !text.contains("uint8") && !text.contains("$ref"),
        "{text}"
    );
}

#[test]
fn a_property_may_be_named_like_a_keyword() {
    #[derive(Deserialize, schemars::JsonSchema)]
    #[allow(dead_code, reason = "only the schema is looked at")]
    struct Keywords {
        title: String,
        format: u8,
        r#enum: Option<bool>,
        properties: Vec<u8>,
    }

    let (schema, _) = schema_of!(Keywords);
    let names: Vec<_> = schema["properties"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    assert_eq!(names, ["title", "format", "enum", "properties"]);
}
