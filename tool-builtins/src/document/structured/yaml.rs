//! YAML as a JSON value.

use serde::de::DeserializeSeed;
use serde_json::Value;
use serde_yaml_ng::Deserializer;

use super::tree::{Budget, TOO_MUCH};
use crate::document::fault::Fault;

/// One document is its value, several are an array of theirs.
pub(super) fn read(text: &str) -> Result<Value, Fault> {
    let budget = Budget::new();
    let mut values = Vec::new();
    for document in Deserializer::from_str(text) {
        let value = budget.tree().deserialize(document).map_err(|error| {
            if budget.is_spent() {
                return Fault::malformed(TOO_MUCH);
            }
            let place = error.location().map_or_else(String::new, |at| {
                format!(" at line {}, column {}", at.line(), at.column())
            });
            Fault::malformed(format!("it is not valid YAML{place}"))
        })?;
        values.push(value);
    }
    Ok(match values.len() {
        0 => Value::Null,
        1 => values.remove(0),
        _ => Value::Array(values),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn types_stay_and_keys_become_text() {
        let text = "a: 1\nb: [true, null, 1.5, .nan]\n2: x\nd: 2024-01-31\nm: !tag {k: v}\n";
        let expected = json!({"a": 1, "b": [true, null, 1.5, "NaN"], "2": "x", "d": "2024-01-31", "m": {"tag": {"k": "v"}}});
        let mut value = read(text).unwrap();
        value["m"] =
            json!({"tag": value["m"].as_object().unwrap().values().next().unwrap().clone()});
        assert_eq!(value, expected);
        assert_eq!(read("--- 1\n--- 2\n").unwrap(), json!([1, 2]));
        assert_eq!(read("").unwrap(), Value::Null);
    }

    #[test]
    fn aliases_that_multiply_are_refused() {
        let mut bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n".to_owned();
        for level in 1..12 {
            let above = format!("*a{}", level - 1);
            bomb.push_str(&format!(
                "a{level}: &a{level} [{}]\n",
                [above.as_str(); 10].join(",")
            ));
        }
        assert!(matches!(read(&bomb), Err(Fault::Malformed(_))));
        assert!(matches!(read("a: &a [*a]"), Err(Fault::Malformed(_))));
        assert!(matches!(
            read(&"[".repeat(100_000)),
            Err(Fault::Malformed(_))
        ));
    }
}
