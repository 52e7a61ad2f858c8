//! Arguments to show how a tool is called.

use serde_json::{Map, Number, Value};

use crate::schema_words::{required, resolve};

/// Deeper than this nothing is made up: the type may hold itself.
const DEEPEST: usize = 8;
/// A longer list or text than this shows nothing more.
const LONGEST: u64 = 64;

/// Arguments that a schema accepts: every required one, and those of which the
/// schema gives an example. A pattern is met only by an example of the schema.
pub(crate) fn arguments(schema: &Value) -> Value {
    match sample(schema, schema, 0) {
        object @ Value::Object(_) => object,
        _ => Value::Object(Map::new()),
    }
}

fn sample(root: &Value, schema: &Value, depth: usize) -> Value {
    let Some(schema) = resolve(root, schema).as_object() else {
        return Value::from("…");
    };
    if let Some(given) = given(schema) {
        return given.clone();
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        let first = schema.get(keyword).and_then(|branches| branches.get(0));
        if let Some(first) = first.filter(|_| depth < DEEPEST) {
            return sample(root, first, depth + 1);
        }
    }
    let name = match schema.get("type") {
        Some(Value::Array(names)) => names.first().and_then(Value::as_str),
        name => name.and_then(Value::as_str),
    };
    match name {
        Some("integer" | "number") => number(schema),
        Some("boolean") => Value::Bool(true),
        Some("null") => Value::Null,
        Some("array") => array(root, schema, depth),
        Some("object") => object(root, schema, depth),
        None if schema.contains_key("properties") => object(root, schema, depth),
        _ => string(schema),
    }
}

/// What the schema itself offers as a value.
fn given(schema: &Map<String, Value>) -> Option<&Value> {
    let first = |keyword: &str| schema.get(keyword).and_then(|values| values.get(0));
    first("examples")
        .or_else(|| schema.get("default").filter(|value| !value.is_null()))
        .or_else(|| schema.get("const"))
        .or_else(|| first("enum"))
}

fn object(root: &Value, schema: &Map<String, Value>, depth: usize) -> Value {
    let required = required(schema);
    let mut object = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let has_example = resolve(root, property).get("examples").is_some();
        if depth < DEEPEST && (required.contains(&name.as_str()) || has_example) {
            object.insert(name.clone(), sample(root, property, depth + 1));
        }
    }
    Value::Object(object)
}

fn array(root: &Value, schema: &Map<String, Value>, depth: usize) -> Value {
    let fewest = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
    let may_hold = schema.get("maxItems").and_then(Value::as_u64) != Some(0);
    let count = if may_hold {
        fewest.clamp(1, LONGEST)
    } else {
        0
    };
    let items = match schema.get("items") {
        Some(items) if depth < DEEPEST => {
            let item = sample(root, items, depth + 1);
            (0..count).map(|_| item.clone()).collect()
        }
        _ => Vec::new(),
    };
    Value::Array(items)
}

fn number(schema: &Map<String, Value>) -> Value {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_number);
    // The bounds themselves are the numbers that are surely right.
    let inclusive = [bound("minimum"), bound("maximum")];
    let low = bound("minimum")
        .and_then(Number::as_f64)
        .unwrap_or(f64::MIN);
    let high = bound("maximum")
        .and_then(Number::as_f64)
        .unwrap_or(f64::MAX);
    let above = bound("exclusiveMinimum").and_then(Number::as_f64);
    let below = bound("exclusiveMaximum").and_then(Number::as_f64);
    let step = bound("multipleOf").and_then(Number::as_f64);
    let fits = |value: f64| {
        (low..=high).contains(&value)
            && above.is_none_or(|limit| value > limit)
            && below.is_none_or(|limit| value < limit)
            && step.is_none_or(|step| (value / step).fract() == 0.0)
    };
    for small in [1_i32, 0, 10, 100, -1] {
        if fits(f64::from(small)) {
            return small.into();
        }
    }
    if let Some(number) = inclusive
        .into_iter()
        .flatten()
        .find(|number| number.as_f64().is_some_and(fits))
    {
        return Value::Number(number.clone());
    }
    let near = above
        .map(|limit| limit.floor() + 1.0)
        .or(below.map(|limit| limit.ceil() - 1.0));
    match near.filter(|value| fits(*value)).and_then(whole) {
        Some(number) => number,
        None => step
            .and_then(Number::from_f64)
            .map_or(Value::from(1), Value::Number),
    }
}

/// A float that is a whole number, as JSON writes an integer.
fn whole(value: f64) -> Option<Value> {
    format!("{value}").parse::<i64>().ok().map(Value::from)
}

fn string(schema: &Map<String, Value>) -> Value {
    let known = match schema.get("format").and_then(Value::as_str) {
        Some("uri" | "url" | "uri-reference" | "iri") => "https://example.com",
        Some("date-time") => "2026-01-31T12:00:00Z",
        Some("date") => "2026-01-31",
        Some("time") => "12:00:00Z",
        Some("duration") => "PT1H",
        Some("email") => "ada@example.com",
        Some("hostname") => "example.com",
        Some("ipv4") => "192.0.2.1",
        Some("ipv6") => "2001:db8::1",
        Some("uuid") => "00000000-0000-4000-8000-000000000000",
        Some("regex") => "^a+$",
        _ => {
            return text(schema);
        }
    };
    Value::from(known)
}

/// The word `text`, made as long or as short as the schema wants it.
fn text(schema: &Map<String, Value>) -> Value {
    let length = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
    let shortest = length("minLength").unwrap_or(0);
    let longest = length("maxLength").unwrap_or(LONGEST);
    let count = shortest.clamp(longest.min(4), LONGEST);
    let text: String = (0..count)
        .zip("text".chars().cycle())
        .map(|(_, letter)| letter)
        .collect();
    Value::from(text)
}

#[cfg(test)]
mod tests {
    use super::arguments;
    use serde_json::json;
    use tool_core::{Context, Definition, Tool};

    #[test]
    fn the_schema_accepts_its_example() {
        let schemas = [
            json!({ "type": "integer", "minimum": 5, "maximum": 9 }),
            json!({ "type": "integer", "exclusiveMinimum": 200, "maximum": 300 }),
            json!({ "type": "number", "maximum": -0.5 }),
            json!({ "type": "number", "multipleOf": 0.25, "exclusiveMinimum": 0, "maximum": 0.5 }),
            json!({ "type": "string", "minLength": 10 }),
            json!({ "type": "string", "maxLength": 2 }),
            json!({ "type": "string", "format": "uuid" }),
            json!({ "type": "string", "pattern": "^[0-9]+$", "examples": ["42"] }),
            json!({ "type": "array", "items": { "type": "string" }, "minItems": 3 }),
            json!({ "type": "array", "maxItems": 0 }),
            json!({ "anyOf": [{ "type": "boolean" }, { "type": "null" }] }),
            json!({ "enum": ["open", "closed"] }),
            json!({ "type": "object", "properties": { "a": { "type": "null" } }, "required": ["a"] }),
            json!({ "$ref": "#/$defs/tree" }),
        ];
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        for schema in schemas {
            let parameters = json!({
                "type": "object",
                "properties": { "value": schema, "other": { "type": "string" } },
                "required": ["value"],
                "$defs": { "tree": { "type": "object", "properties": {
                    "children": { "type": "array", "items": { "$ref": "#/$defs/tree" } }
                } } }
            });
            let example = arguments(&parameters);
            assert!(example.get("value").is_some() && example.get("other").is_none());
            let tool = Tool::new(Definition::new("t", "", parameters), |_, _| async {
                "fine"
            })
            .unwrap();
            let answer = runtime.block_on(tool.call(example.clone(), &Context::new()));
            assert!(answer.is_ok(), "{example}: {answer:?}");
        }
    }
}
