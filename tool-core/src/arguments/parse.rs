//! JSON text to a value, strictly: one complete value, no key twice.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::redact::quoting::cleared;
use crate::schema::describe;

/// Why a text is not the arguments of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    TooLong { bytes: usize, limit: usize },
    Empty,
    CutOff { characters: usize, end: String },
    TooDeep,
    Duplicate(String),
    NotJson(String),
}

impl Fault {
    /// A text that ends too early, with its last words.
    pub(super) fn cut_off(text: &str) -> Self {
        let characters = text.chars().count();
        let shown = cleared(text);
        let before = shown.chars().count().saturating_sub(20);
        let end: String = shown.chars().skip(before).collect();
        Self::CutOff {
            characters,
            end: end.escape_debug().to_string(),
        }
    }

    /// The same without a word of the text, for a tool that takes secrets.
    pub(super) fn without_text(self) -> Self {
        match self {
            Self::CutOff { characters, .. } => Self::CutOff {
                characters,
                end: String::new(),
            },
            Self::Duplicate(_) => {
                Self::Duplicate("a key is there twice; send each key once".to_owned())
            }
            // What the parser says holds a place and no text.
            other => other,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { bytes, limit } => write!(
                formatter,
                "{bytes} bytes are more than the limit of {limit} bytes"
            ),
            Self::Empty => formatter.write_str("expected a JSON object, got nothing"),
            Self::CutOff { characters, end } if end.is_empty() => write!(
                formatter,
                "the JSON was cut off after {characters} characters; send it again, complete"
            ),
            Self::CutOff { characters, end } => write!(
                formatter,
                "the JSON was cut off after {characters} characters, at `{end}`; send it again, complete"
            ),
            Self::TooDeep => formatter.write_str("nested deeper than 128 levels"),
            Self::Duplicate(message) | Self::NotJson(message) => formatter.write_str(message),
        }
    }
}

/// Parses one complete JSON value of bounded size and depth.
pub(crate) fn value(text: &str, max_bytes: usize) -> Result<Value, Fault> {
    if text.len() > max_bytes {
        return Err(Fault::TooLong {
            bytes: text.len(),
            limit: max_bytes,
        });
    }
    if text.trim().is_empty() {
        return Err(Fault::Empty);
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    Strict
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value))
        .map_err(|error| fault(text, &error))
}

fn fault(text: &str, error: &serde_json::Error) -> Fault {
    let message = error.to_string();
    if error.is_eof() {
        return Fault::cut_off(text);
    }
    if error.is_data() {
        // The only error of ours; serde_json adds the place to it.
        return Fault::Duplicate(message);
    }
    if message.starts_with("recursion limit") {
        return Fault::TooDeep;
    }
    Fault::NotJson(format!("not valid JSON: {message}"))
}

/// A value without the same key twice in an object: of two values for one
/// parameter none can be taken for the one that was meant.
pub(crate) struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            if object.contains_key(&key) {
                let key = describe::name(&key);
                return Err(A::Error::custom(format_args!(
                    "the key `{key}` is there twice; send each key once"
                )));
            }
            let value = members.next_value_seed(Self)?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::{Fault, value};
    use serde_json::json;

    #[test]
    fn a_complete_text_is_one_value() {
        assert_eq!(
            value(r#" {"a":[1,2.5,"x",null]} "#, 100),
            Ok(json!({"a":[1,2.5,"x",null]}))
        );
    }

    #[test]
    fn a_text_that_ends_early_is_cut_off() {
        assert_eq!(
            value(r#"{"a":"bc"#, 100),
            Err(Fault::cut_off(r#"{"a":"bc"#))
        );
    }

    #[test]
    fn a_key_twice_is_named_at_any_depth() {
        let fault = value(r#"{"a":{"b":1,"b":2}}"#, 100).unwrap_err();
        assert!(
            fault.to_string().contains("the key `b` is there twice"),
            "{fault}"
        );
    }

    #[test]
    fn a_deep_nest_is_refused_without_recursion_to_its_end() {
        let deep = "[".repeat(10_000) + &"]".repeat(10_000);
        assert_eq!(value(&deep, 100_000), Err(Fault::TooDeep));
    }

    #[test]
    fn a_second_value_is_refused() {
        let fault = value("{} {}", 100).unwrap_err();
        assert!(
            fault
                .to_string()
                .starts_with("not valid JSON: trailing characters"),
            "{fault}"
        );
    }
}
