//! The executor accepts exactly what the canonical schema accepts.

#![allow(dead_code, reason = "fields are there to be read from JSON")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tool_core::{Context, Definition, Tool, tool};

#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Color {
    Red,
    /// As grass.
    Green,
}

#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Inner {
    count: u8,
    #[serde(default)]
    label: String,
    color: Option<Color>,
}

#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Shape {
    Dot,
    Circle { radius: u16 },
}

/// Take one of everything.
#[tool]
#[allow(clippy::too_many_arguments, reason = "one of everything is many")]
fn everything(
    /// A text.
    text: String,
    /// A small number.
    small: Option<i8>,
    /// A wide number.
    wide: Option<i64>,
    /// A bounded number.
    #[tool(default = 3)]
    #[schemars(range(min = 1, max = 9))]
    bounded: u32,
    /// A ratio.
    ratio: Option<f64>,
    /// A flag.
    flag: Option<bool>,
    /// A color.
    color: Option<Color>,
    /// A list.
    #[schemars(length(max = 2))]
    list: Option<Vec<u16>>,
    /// A struct.
    inner: Option<Inner>,
    /// A map.
    map: Option<BTreeMap<String, Option<i32>>>,
    /// A union.
    shape: Option<Shape>,
    /// A short text.
    #[schemars(length(min = 1, max = 3))]
    short: Option<String>,
    /// A letter.
    letter: Option<char>,
    /// A day.
    when: Option<chrono::DateTime<chrono::Utc>>,
) -> String {
    format!(
        "{text}{small:?}{wide:?}{bounded}{ratio:?}{flag:?}{color:?}{list:?}{inner:?}{map:?}{shape:?}{short:?}{letter:?}{when:?}"
    )
}

const NAMES: [&str; 15] = [
    "text", "small", "wide", "bounded", "ratio", "flag", "color", "list", "inner", "map", "shape",
    "short", "letter", "when", "unknown",
];

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-300..300_i64).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        prop_oneof![
            Just(1.0),
            Just(3.5),
            Just(-0.0),
            Just(1e30),
            Just(9.3e18),
            Just(1.9e19),
            Just(255.0),
            Just(256.0)
        ]
        .prop_map(|number: f64| json!(number)),
        prop_oneof![
            Just("red"),
            Just("green"),
            Just("Red"),
            Just(""),
            Just("abc"),
            Just("äöü"),
            Just("abcd"),
            Just("x"),
            Just("dot"),
            Just("circle"),
            Just("2020-01-01T00:00:00Z"),
            Just("2020-13-01T00:00:00Z"),
            Just("a\"\\\n")
        ]
        .prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 12, 4, |inner| {
        let keys = prop_oneof![
            Just("count"),
            Just("label"),
            Just("color"),
            Just("kind"),
            Just("radius"),
            Just("x")
        ];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(keys, inner, 0..4).prop_map(|map| Value::Object(
                map.into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect()
            )),
        ]
    })
}

/// Takes out what counts as absent: `null` where the schema has an optional
/// property that cannot be null. The one thing that a native schema does not say.
fn without_absent(schema: &Value, value: &Value) -> Value {
    let Value::Object(members) = value else {
        if let (Value::Array(items), Some(each)) = (value, schema.get("items")) {
            return items
                .iter()
                .map(|item| without_absent(each, item))
                .collect();
        }
        return value.clone();
    };
    let required = schema
        .get("required")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let mut kept = Map::new();
    for (name, member) in members {
        let property = schema
            .get("properties")
            .and_then(|properties| properties.get(name));
        match property {
            Some(_) if member.is_null() && !required.contains(&json!(name)) => {}
            Some(property) => {
                kept.insert(name.clone(), without_absent(property, member));
            }
            None => {
                kept.insert(name.clone(), member.clone());
            }
        }
    }
    Value::Object(kept)
}

fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(future)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn a_native_tool_accepts_what_its_schema_accepts(
        members in proptest::collection::btree_map(proptest::sample::select(&NAMES[..]), value(), 0..5),
        with_text: bool,
        as_text: bool,
    ) {
        let mut arguments: Map<String, Value> = members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        if with_text {
            arguments.insert("text".to_owned(), "t".into());
        }
        let arguments = Value::Object(arguments);
        let tool = everything::tool();
        let schema = &tool.definition().parameters;
        let validator = jsonschema::options().should_validate_formats(true).build(schema).unwrap();
        let accepted = validator.is_valid(&without_absent(schema, &arguments));
        let result = if as_text {
            block_on(tool.call(arguments.to_string(), &Context::new()))
        } else {
            block_on(tool.call(arguments.clone(), &Context::new()))
        };
        prop_assert_eq!(result.is_ok(), accepted, "{}: {:?}", arguments, result);
        if let Err(error) = result {
            prop_assert!(!error.problems().is_empty());
        }
    }
}

/// A schema of the keywords that most tools use, and some that few do.
pub(super) fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({})),
        Just(json!({"type": "null"})),
        Just(json!({"type": "boolean"})),
        (prop::option::of(-5..5_i64), prop::option::of(0..300_i64)).prop_map(
            |(minimum, maximum)| {
                let mut schema = json!({"type": "integer"});
                if let Some(minimum) = minimum {
                    schema["minimum"] = minimum.into();
                }
                if let Some(maximum) = maximum {
                    schema["exclusiveMaximum"] = maximum.into();
                }
                schema
            }
        ),
        (
            prop::option::of(prop_oneof![Just(0.5), Just(3.0)]),
            any::<bool>()
        )
            .prop_map(|(minimum, integer)| {
                let mut schema = json!({"type": if integer { "integer" } else { "number" }});
                if let Some(minimum) = minimum {
                    schema["minimum"] = json!(minimum);
                }
                schema
            }),
        (0..3_u64, 1..5_u64).prop_map(
            |(least, most)| json!({"type": "string", "minLength": least, "maxLength": most})
        ),
        Just(json!({"enum": ["red", "green", "x"]})),
        Just(json!({"enum": ["red", 1, null]})),
        Just(json!({"const": "abc"})),
        Just(json!({"type": ["string", "null"]})),
        Just(json!({"type": ["integer", "string"]})),
        Just(
            json!({"type": ["integer", "string", "array"], "minimum": 3, "maxLength": 2, "items": {"type": "null"}})
        ),
        Just(json!({"type": "string", "pattern": "^a"})),
        Just(json!({"type": "string", "format": "date-time"})),
        Just(json!({"type": "array", "uniqueItems": true})),
        Just(json!({"minimum": 3})),
        Just(json!(true)),
        Just(json!(false)),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), prop::option::of(0..3_u64)).prop_map(|(items, most)| {
                let mut schema = json!({"type": "array", "items": items});
                if let Some(most) = most {
                    schema["maxItems"] = most.into();
                }
                schema
            }),
            (
                proptest::collection::btree_map(
                    prop_oneof![Just("count"), Just("label"), Just("color"), Just("kind")],
                    inner.clone(),
                    0..3
                ),
                proptest::collection::vec(
                    prop_oneof![Just("count"), Just("label"), Just("x")],
                    0..2
                ),
                prop_oneof![
                    Just(None),
                    Just(Some(json!(false))),
                    Just(Some(json!({"type": "integer"})))
                ],
            )
                .prop_map(|(properties, required, others)| {
                    let mut schema =
                        json!({"type": "object", "properties": properties, "required": required});
                    if let Some(others) = others {
                        schema["additionalProperties"] = others;
                    }
                    schema
                }),
            proptest::collection::vec(inner.clone(), 1..3)
                .prop_map(|branches| json!({"anyOf": branches})),
            proptest::collection::vec(inner, 1..3).prop_map(|branches| json!({"oneOf": branches})),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn a_run_time_tool_accepts_what_json_schema_accepts(
        schema in schema(),
        value in value(),
        as_text: bool,
        draft in proptest::option::of(prop_oneof![
            Just("https://json-schema.org/draft/2020-12/schema"),
            Just("http://json-schema.org/draft-07/schema#"),
            Just("http://json-schema.org/draft-04/schema#"),
        ]),
    ) {
        let mut root = json!({"type": "object", "properties": {"v": schema}, "required": ["v"]});
        if let Some(draft) = draft {
            root["$schema"] = draft.into();
        }
        // Some keywords are written in another way in the oldest draft.
        prop_assume!(jsonschema::meta::is_valid(&root));
        let validator = jsonschema::validator_for(&root).unwrap();
        let tool = Tool::new(Definition::new("t", "A tool.", root), |arguments, _| async move { arguments }).unwrap();
        let arguments = json!({"v": value});
        let result = if as_text {
            block_on(tool.call(arguments.to_string(), &Context::new()))
        } else {
            block_on(tool.call(arguments.clone(), &Context::new()))
        };
        prop_assert_eq!(result.is_ok(), validator.is_valid(&arguments), "{:?}", result);
        match result {
            Ok(output) => prop_assert_eq!(serde_json::from_str::<Value>(&output.text()).unwrap(), arguments),
            Err(error) => {
                prop_assert!(!error.problems().is_empty());
                for problem in error.problems() {
                    prop_assert_eq!(problem.path.split(['.', '[']).next(), Some("v"));
                }
            }
        }
    }
}
