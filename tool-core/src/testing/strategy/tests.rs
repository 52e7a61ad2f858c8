//! What is drawn, held against the checks that calls go through.

use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use super::{faulty_arguments, valid_arguments};
use crate::arguments::RepairMode;
use crate::definition::Definition;
use crate::tool::Tool;

fn object(property: &Value) -> Value {
    json!({ "type": "object", "properties": { "v": property, "w": property }, "required": ["v"], "additionalProperties": false })
}

/// One schema for each thing that can be said.
fn schemas() -> Vec<Value> {
    let properties = [
        json!({}),
        json!(true),
        json!({ "type": "null" }),
        json!({ "type": "boolean" }),
        json!({ "type": "integer" }),
        json!({ "type": "integer", "minimum": 1, "maximum": 255 }),
        json!({ "type": "integer", "exclusiveMinimum": -4, "exclusiveMaximum": 2 }),
        json!({ "type": "integer", "minimum": 0.5, "exclusiveMaximum": 7.5, "multipleOf": 3 }),
        json!({ "type": "integer", "minimum": 0, "maximum": u64::MAX }),
        json!({ "type": "integer", "minimum": -1e30, "maximum": 1e30 }),
        json!({ "type": "number" }),
        json!({ "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1 }),
        json!({ "type": "number", "minimum": 0, "multipleOf": 0.01, "maximum": 3 }),
        json!({ "minimum": 3 }),
        json!({ "type": "string" }),
        json!({ "type": "string", "minLength": 3, "maxLength": 3 }),
        json!({ "type": "string", "minLength": 40 }),
        json!({ "type": "string", "pattern": "^[a-z]+-\\d{2,4}$" }),
        json!({ "type": "string", "pattern": "b+" }),
        json!({ "type": "string", "pattern": "^(a|bc)*$", "minLength": 5, "maxLength": 9 }),
        json!({ "type": "string", "pattern": "^.*$" }),
        json!({ "type": "string", "pattern": "^\\S+\\/\\w+$" }),
        json!({ "type": "string", "format": "date" }),
        json!({ "type": "string", "format": "date-time" }),
        json!({ "type": "string", "format": "time" }),
        json!({ "type": "string", "format": "duration" }),
        json!({ "type": "string", "format": "uuid" }),
        json!({ "type": "string", "format": "email" }),
        json!({ "type": "string", "format": "hostname" }),
        json!({ "type": "string", "format": "uri", "minLength": 1 }),
        json!({ "type": "string", "format": "ipv4" }),
        json!({ "type": "string", "format": "ipv6" }),
        json!({ "type": "string", "format": "regex" }),
        json!({ "type": "string", "format": "json-pointer" }),
        json!({ "type": "string", "format": "nobody knows" }),
        json!({ "enum": ["red", 1, null, {}] }),
        json!({ "type": "string", "enum": ["red", "green", 3] }),
        json!({ "const": "fixed" }),
        json!({ "type": ["string", "null"], "maxLength": 2 }),
        json!({ "type": "array" }),
        json!({ "type": "array", "items": { "type": "integer" }, "minItems": 2, "maxItems": 4, "uniqueItems": true }),
        json!({ "type": "array", "prefixItems": [{ "type": "string" }, { "type": "integer" }], "items": false, "minItems": 2 }),
        json!({ "type": "array", "prefixItems": [{ "type": "string" }], "items": { "type": "boolean" } }),
        json!({ "type": "array", "contains": { "const": 7 }, "minContains": 2, "items": { "type": "integer" } }),
        json!({ "type": "object", "additionalProperties": { "type": "integer" }, "minProperties": 2, "maxProperties": 3 }),
        json!({ "type": "object", "propertyNames": { "pattern": "^[A-Z]{2}$" }, "additionalProperties": { "type": "string" } }),
        json!({ "type": "object", "patternProperties": { "^x-": { "type": "string" } }, "additionalProperties": false }),
        json!({ "type": "object", "properties": { "a": {}, "b": {} }, "dependentRequired": { "a": ["b"] } }),
        json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a", "z"] }),
        json!({ "anyOf": [{ "type": "string" }, { "type": "integer", "minimum": 3 }] }),
        json!({ "oneOf": [{ "type": "integer" }, { "type": "number", "minimum": 2 }] }),
        // Whether one or both branches take a text hangs on whether formats are checked.
        json!({ "oneOf": [{ "type": "string", "maxLength": 1 }, { "type": "string", "format": "date-time" }] }),
        json!({ "oneOf": [
            { "type": "object", "properties": { "kind": { "const": "dot" } }, "required": ["kind"], "additionalProperties": false },
            { "type": "object", "properties": { "kind": { "const": "circle" }, "radius": { "type": "number" } }, "required": ["kind", "radius"], "additionalProperties": false },
        ] }),
        json!({ "allOf": [{ "type": "integer", "minimum": 2 }, { "type": "number", "maximum": 9 }] }),
        json!({ "allOf": [
            { "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"] },
            { "properties": { "b": { "type": "integer" } }, "required": ["b"] },
        ] }),
        json!({ "type": "integer", "not": { "multipleOf": 2 } }),
        json!({ "type": "object", "properties": { "a": { "type": "boolean" }, "b": { "type": "integer" } },
            "if": { "properties": { "a": { "const": true } }, "required": ["a"] }, "then": { "required": ["b"] } }),
        json!({ "type": "object", "properties": { "deep": { "type": "array", "items": { "type": "object", "properties": { "n": { "type": "integer", "maximum": 3 } }, "required": ["n"] } } } }),
        json!({ "type": "string", "default": "x", "examples": ["y"], "description": "Words." }),
    ];
    let mut schemas: Vec<Value> = properties.iter().map(object).collect();
    schemas.extend([
        json!({ "type": "object", "properties": {} }),
        json!({ "properties": { "a": { "type": "string" } } }),
        json!({ "type": ["object", "null"], "properties": { "a": { "type": "string" } }, "required": ["a"] }),
        json!({ "type": "object", "properties": { "tree": { "$ref": "#/$defs/node" } }, "required": ["tree"],
            "$defs": { "node": { "type": "object", "properties": {
                "name": { "type": "string", "minLength": 1 },
                "children": { "type": "array", "items": { "$ref": "#/$defs/node" } },
                "next": { "anyOf": [{ "$ref": "#/$defs/node" }, { "type": "null" }] },
            }, "required": ["name", "next"], "additionalProperties": false } } }),
        json!({ "type": "object", "properties": { "self": { "$ref": "#" }, "n": { "type": "integer" } }, "additionalProperties": false }),
        json!({ "type": "object", "properties": { "v": { "$ref": "#/definitions/v", "description": "Words." } },
            "definitions": { "v": { "type": "integer", "minimum": 5, "not": { "const": 7 } } }, "$schema": "http://json-schema.org/draft-07/schema#" }),
        json!({ "type": "object", "properties": { "tuple": { "$ref": "#/$defs/tuple" } }, "required": ["tuple"],
            "$defs": { "tuple": { "type": "array", "prefixItems": [{ "$ref": "#/$defs/tuple" }, { "$ref": "#/$defs/tuple" }] } } }),
        json!({ "type": "object", "properties": { "map": { "$ref": "#/$defs/map" } }, "required": ["map"],
            "$defs": { "map": { "type": "object", "minProperties": 1, "additionalProperties": { "anyOf": [{ "$ref": "#/$defs/map" }, { "type": "integer" }] } } } }),
        json!({ "type": "object", "properties": { "v": { "$ref": "#/$defs/v" } },
            "$defs": { "v": { "type": "object", "minProperties": 1, "additionalProperties": false,
                "properties": { "again": { "$ref": "#/$defs/v" }, "end": { "type": "boolean" } } } } }),
        object(&json!({ "type": "number", "minimum": f64::MIN, "maximum": f64::MAX })),
        json!({ "$schema": "http://json-schema.org/draft-04/schema#", "type": "object", "required": ["n"],
            "properties": { "n": { "type": "integer", "minimum": 3, "exclusiveMinimum": true, "maximum": 5 } } }),
        json!({ "type": "object", "required": ["mode"], "properties": { "mode": { "enum": ["a", "b"] }, "x": { "type": "integer" } },
            "anyOf": [{ "properties": { "mode": { "const": "a" } } }, { "required": ["x"] }] }),
    ]);
    schemas
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    })
}

#[test]
fn valid_arguments_are_accepted() {
    for schema in schemas() {
        let definition = Definition::new("t", "A tool.", schema.clone());
        let tool = Tool::new(definition, |_, _| async { "done" }).unwrap();
        let arguments = valid_arguments(&schema);
        assert_eq!(arguments.left_out(), [] as [String; 0], "{schema}");
        let ran = runner(60).run(&arguments, |arguments| {
            let checked = tool.check(arguments, RepairMode::Off);
            checked.arguments.map(drop).map_err(|error| {
                proptest::test_runner::TestCaseError::fail(error.message().to_owned())
            })
        });
        assert!(ran.is_ok(), "{schema}\n{}", ran.unwrap_err());
    }
}

#[test]
fn faulty_arguments_are_refused_where_the_fault_is() {
    for schema in schemas() {
        let definition = Definition::new("t", "A tool.", schema.clone());
        let tool = Tool::new(definition, |_, _| async { "done" }).unwrap();
        let ran = runner(60).run(&faulty_arguments(&schema), |(arguments, fault)| {
            let fail = |why: String| {
                Err(proptest::test_runner::TestCaseError::fail(format!(
                    "{fault:?}: {why}"
                )))
            };
            match tool.check(arguments, RepairMode::Off).arguments {
                Ok(_) => fail("accepted".to_owned()),
                Err(error) => {
                    let is_named = error
                        .problems()
                        .iter()
                        .any(|problem| fault.is_named_by(&problem.path));
                    if is_named {
                        Ok(())
                    } else {
                        fail(format!("{:?}", error.problems()))
                    }
                }
            }
        });
        assert!(ran.is_ok(), "{schema}\n{}", ran.unwrap_err());
    }
}

#[test]
fn what_cannot_be_drawn_is_said_and_not_searched_for_without_end() {
    for (property, words) in [
        (
            json!({ "type": "string", "pattern": "^(?=a)b$" }),
            "`v`: `pattern`",
        ),
        (
            json!({ "$ref": "https://example.com/s.json" }),
            "not a usable JSON Schema",
        ),
        (
            json!({ "type": "string", "pattern": "^((a{900}){900}){900}$" }),
            "not a usable JSON Schema",
        ),
        (json!({ "not": {} }), "none in"),
        (json!(false), "no object fits"),
        (
            json!({ "allOf": [{ "const": 1 }, { "const": 2 }] }),
            "no object fits",
        ),
    ] {
        let schema = object(&property);
        let ran = runner(5).run(&valid_arguments(&schema), |_| Ok(()));
        let reason = ran.unwrap_err().to_string();
        assert!(reason.contains(words), "{reason}");
    }
    // Sizes that nobody could wait for.
    for property in [
        json!({ "type": "string", "minLength": 4_000_000_000_u64 }),
        json!({ "type": "array", "minItems": 4_000_000_000_u64 }),
        json!({ "type": "object", "minProperties": 1e18 }),
    ] {
        let ran = runner(5).run(&valid_arguments(&object(&property)), |_| Ok(()));
        let reason = ran.unwrap_err().to_string();
        assert!(reason.contains("cannot generate for `v`"), "{reason}");
    }
    // A value without an end.
    let endless = json!({ "type": "object", "properties": { "self": { "$ref": "#" } }, "required": ["self"] });
    let reason = runner(5).run(&valid_arguments(&endless), |_| Ok(()));
    assert!(reason.unwrap_err().to_string().contains("no object fits"));
}

#[test]
fn a_schema_that_grows_as_it_is_followed_ends() {
    let schema = json!({
        "type": "object",
        "properties": { "a": { "$ref": "#/$defs/a" } },
        "$defs": {
            "a": { "properties": { "x": { "allOf": [{ "$ref": "#/$defs/a" }, { "$ref": "#/$defs/b" }] } } },
            "b": { "properties": { "x": { "allOf": [{ "$ref": "#/$defs/b" }, { "$ref": "#/$defs/a" }] } } },
        },
    });
    assert!(runner(5).run(&valid_arguments(&schema), |_| Ok(())).is_ok());
}

#[test]
fn a_failure_shrinks_to_the_smallest_arguments() {
    let schema = object(&json!({ "type": "integer", "minimum": 1, "maximum": 1_000 }));
    let ran = runner(300).run(&valid_arguments(&schema), |arguments| {
        if arguments["v"].as_i64() > Some(200) {
            return Err(proptest::test_runner::TestCaseError::fail("too much"));
        }
        Ok(())
    });
    let Err(proptest::test_runner::TestError::Fail(_, smallest)) = ran else {
        panic!("three hundred cases find one of eight hundred values");
    };
    assert_eq!(smallest, json!({ "v": 201 }));
}
