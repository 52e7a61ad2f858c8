//! Enums, bounds, lengths and patterns.

use serde_json::{Map, Value};

use super::super::words;
use super::Writer;
use super::size::MOST_CHARACTERS_OF_LARGE_ENUM;

impl Writer<'_> {
    pub(super) fn values(
        &mut self,
        object: &mut Map<String, Value>,
        place: &str,
    ) -> Result<(), String> {
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

    pub(super) fn limits(&mut self, object: &mut Map<String, Value>, place: &str) {
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
}
