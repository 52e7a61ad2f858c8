//! What a careful programmer writes with `serde_json` and `jsonschema`.

use std::{future::ready, hint::black_box};

use serde::Deserialize;
use serde_json::{Value, json};
use tool_benches::{harness::Row, workload::Failure};

use crate::ARGUMENTS;

/// The row that parses, validates against the schema and reads the struct.
pub(crate) const VALIDATED: &str = "hand: parse, `jsonschema`, `from_value`";

#[derive(Debug, Deserialize)]
struct Arguments {
    city: String,
    days: u8,
    ratio: f64,
}

pub(crate) fn rows() -> Vec<Row> {
    let schema = json!({
        "type": "object",
        "properties": {
            "city": { "type": "string", "minLength": 1, "maxLength": 100 },
            "days": { "type": "integer", "minimum": 1, "maximum": 14 },
            "ratio": { "type": "number", "minimum": 0, "maximum": 1 },
        },
        "required": ["city", "days", "ratio"],
        "additionalProperties": false,
    });
    let validator = jsonschema::validator_for(&schema).expect("the schema is right");
    let validator: &'static jsonschema::Validator = Box::leak(Box::new(validator));
    vec![Row::new(
        VALIDATED,
        |answer: &Result<String, Failure>| answer.as_ref().is_ok_and(|text| text == "Berlin 3 0.5"),
        move || ready(call(validator, black_box(ARGUMENTS))),
    )]
}

fn call(validator: &jsonschema::Validator, arguments: &str) -> Result<String, Failure> {
    let value: Value = serde_json::from_str(arguments)?;
    if !validator.is_valid(&value) {
        return Err("the arguments do not fit".into());
    }
    let Arguments { city, days, ratio } = serde_json::from_value(value)?;
    Ok(format!("{city} {days} {ratio}"))
}
