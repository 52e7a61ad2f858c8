//! What a schema takes, in a few words for a person: `integer from 1 to 100`.

use serde_json::{Map, Value};

/// Deeper than this a nested type is only named.
const DEEPEST: usize = 3;

/// What `schema`, a part of `root`, takes.
pub(crate) fn words(root: &Value, schema: &Value) -> String {
    describe(root, schema, 0)
}

/// Follows local references, a bounded number of times: they may go in circles.
pub(crate) fn resolve<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let mut found = schema;
    for _ in 0..16 {
        let target = found
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|reference| reference.strip_prefix('#'))
            .and_then(|pointer| root.pointer(pointer));
        match target {
            Some(target) => found = target,
            None => break,
        }
    }
    found
}

fn describe(root: &Value, schema: &Value, depth: usize) -> String {
    let Some(schema) = resolve(root, schema).as_object() else {
        return "anything".to_owned();
    };
    if let Some(constant) = schema.get("const") {
        return constant.to_string();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        return format!("one of {}", values.join(", "));
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(branches) = schema.get(keyword).and_then(Value::as_array) {
            return either(
                branches
                    .iter()
                    .map(|branch| describe(root, branch, depth + 1)),
            );
        }
    }
    match schema.get("type") {
        Some(Value::String(name)) => of_type(root, schema, name, depth),
        Some(Value::Array(names)) => either(
            names
                .iter()
                .filter_map(Value::as_str)
                .map(|name| of_type(root, schema, name, depth)),
        ),
        _ => "anything".to_owned(),
    }
}

fn of_type(root: &Value, schema: &Map<String, Value>, name: &str, depth: usize) -> String {
    match name {
        "integer" | "number" => number(name, schema),
        "string" => string(schema),
        "array" => array(root, schema, depth),
        "object" => object(root, schema, depth),
        other => other.to_owned(),
    }
}

fn number(name: &str, schema: &Map<String, Value>) -> String {
    // The bounds of a wide integer type tell a reader nothing.
    let of_type = [
        i64::from(u32::MAX),
        i64::from(i32::MAX),
        i64::from(i32::MIN),
    ];
    let bound = |keyword: &str| {
        schema
            .get(keyword)
            .and_then(Value::as_number)
            .filter(|number| {
                number.as_f64().is_none_or(|value| value.abs() < 9.0e15)
                    && number
                        .as_i64()
                        .is_none_or(|value| !of_type.contains(&value))
            })
    };
    let mut words = vec![match (bound("minimum"), bound("maximum")) {
        (Some(minimum), Some(maximum)) => format!("{name} from {minimum} to {maximum}"),
        (Some(minimum), None) => format!("{name} of at least {minimum}"),
        (None, Some(maximum)) => format!("{name} of at most {maximum}"),
        (None, None) => name.to_owned(),
    }];
    for (keyword, relation) in [
        ("exclusiveMinimum", "greater than"),
        ("exclusiveMaximum", "less than"),
        ("multipleOf", "a multiple of"),
    ] {
        words.extend(bound(keyword).map(|limit| format!("{relation} {limit}")));
    }
    words.join(", ")
}

fn string(schema: &Map<String, Value>) -> String {
    let text = |keyword: &str| schema.get(keyword).and_then(Value::as_str);
    let format = text("format").map(|format| format!(" in the format {format}"));
    let length =
        length(schema, "minLength", "maxLength").map(|length| format!(" of {length} characters"));
    let pattern = text("pattern").map(|pattern| format!(" that matches {pattern}"));
    let parts = [Some("string".to_owned()), format, length, pattern];
    parts.into_iter().flatten().collect()
}

fn array(root: &Value, schema: &Map<String, Value>, depth: usize) -> String {
    let length = length(schema, "minItems", "maxItems").map(|length| format!(" of {length} items"));
    let each = schema
        .get("items")
        .filter(|_| depth < DEEPEST)
        .map(|items| describe(root, items, depth + 1))
        .filter(|each| each != "anything")
        .map(|each| format!(", each {each}"));
    [Some("array".to_owned()), length, each]
        .into_iter()
        .flatten()
        .collect()
}

fn object(root: &Value, schema: &Map<String, Value>, depth: usize) -> String {
    let properties = schema
        .get("properties")
        .and_then(Value::as_object)
        .filter(|properties| !properties.is_empty() && depth < DEEPEST);
    let Some(properties) = properties else {
        return "object".to_owned();
    };
    let required = required(schema);
    let members: Vec<String> = properties
        .iter()
        .map(|(name, schema)| {
            let mark = if required.contains(&name.as_str()) {
                ""
            } else {
                "?"
            };
            format!("{name}{mark}: {}", describe(root, schema, depth + 1))
        })
        .collect();
    format!("object {{ {} }}", members.join("; "))
}

/// The names that an object schema requires.
pub(crate) fn required(schema: &Map<String, Value>) -> Vec<&str> {
    schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default()
}

fn length(schema: &Map<String, Value>, minimum: &str, maximum: &str) -> Option<String> {
    let bound = |keyword| schema.get(keyword).and_then(Value::as_u64);
    match (bound(minimum), bound(maximum)) {
        (Some(minimum), Some(maximum)) if minimum == maximum => Some(minimum.to_string()),
        (Some(minimum), Some(maximum)) => Some(format!("{minimum} to {maximum}")),
        (Some(minimum), None) => Some(format!("at least {minimum}")),
        (None, Some(maximum)) => Some(format!("at most {maximum}")),
        (None, None) => None,
    }
}

fn either(words: impl Iterator<Item = String>) -> String {
    let mut distinct: Vec<String> = Vec::new();
    for word in words {
        if !distinct.contains(&word) {
            distinct.push(word);
        }
    }
    if distinct.is_empty() {
        "anything".to_owned()
    } else {
        distinct.join(" or ")
    }
}

#[cfg(test)]
mod tests {
    use super::words;
    use serde_json::json;

    #[test]
    fn a_schema_reads_as_a_person_says_it() {
        for (schema, expected) in [
            (
                json!({ "type": "integer", "minimum": 1, "maximum": 100 }),
                "integer from 1 to 100",
            ),
            (
                json!({ "type": "string", "format": "uri" }),
                "string in the format uri",
            ),
            (
                json!({ "enum": ["open", "closed"] }),
                r#"one of "open", "closed""#,
            ),
            (
                json!({ "type": "array", "items": { "type": "string" } }),
                "array, each string",
            ),
            (json!({ "type": ["string", "null"] }), "string or null"),
            (json!({}), "anything"),
            (
                json!({ "type": "object", "properties": { "a": { "type": "string" }, "b": {} }, "required": ["a"] }),
                "object { a: string; b?: anything }",
            ),
        ] {
            assert_eq!(words(&schema, &schema), expected);
        }
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let root = json!({ "$defs": { "tree": { "type": "array", "items": { "$ref": "#/$defs/tree" } } }, "$ref": "#/$defs/tree" });
        assert!(words(&root, &root).starts_with("array, each array"));
        let circle = json!({ "$ref": "#" });
        assert_eq!(words(&circle, &circle), "anything");
    }
}
