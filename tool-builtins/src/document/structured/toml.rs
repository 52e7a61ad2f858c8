//! TOML as a JSON value.

use serde_json::{Map, Number, Value};

use super::tree::TOO_MUCH;
use crate::document::fault::Fault;
use crate::text::clean::clean;

/// A TOML document has no references, so its values are no more than its bytes.
pub(super) fn read(text: &str) -> Result<Value, Fault> {
    let table: ::toml::Table = ::toml::from_str(text).map_err(|error| {
        let line = error
            .span()
            .and_then(|span| text.get(..span.start))
            .map(|before| before.lines().count().max(1));
        let place = line.map_or_else(String::new, |line| format!(" at line {line}"));
        Fault::malformed(format!("it is not valid TOML{place}"))
    })?;
    json(::toml::Value::Table(table), 0)
}

/// Dates become text.
fn json(value: ::toml::Value, level: usize) -> Result<Value, Fault> {
    if level > 128 {
        return Err(Fault::malformed(TOO_MUCH));
    }
    Ok(match value {
        ::toml::Value::String(text) => Value::String(clean(&text)),
        ::toml::Value::Integer(number) => number.into(),
        ::toml::Value::Float(number) => Number::from_f64(number)
            .map_or_else(|| Value::String(number.to_string()), Value::Number),
        ::toml::Value::Boolean(value) => Value::Bool(value),
        ::toml::Value::Datetime(moment) => Value::String(moment.to_string()),
        ::toml::Value::Array(items) => Value::Array(
            items
                .into_iter()
                .map(|item| json(item, level + 1))
                .collect::<Result<_, _>>()?,
        ),
        ::toml::Value::Table(members) => Value::Object(
            members
                .into_iter()
                .map(|(key, value)| Ok((clean(&key), json(value, level + 1)?)))
                .collect::<Result<Map<_, _>, Fault>>()?,
        ),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn types_stay_and_dates_become_text() {
        let value = read("a = 1\nd = 2024-01-31\n[b]\nc = [1.5, \"x\", inf]\n").unwrap();
        assert_eq!(
            value,
            json!({"a": 1, "d": "2024-01-31", "b": {"c": [1.5, "x", "inf"]}})
        );
    }

    #[test]
    fn a_mistake_is_named_with_its_line() {
        assert_eq!(
            read("a = 1\nb = \n"),
            Err(Fault::malformed("it is not valid TOML at line 2"))
        );
        assert!(read(&format!("a = {}{}", "[".repeat(50_000), "]".repeat(50_000))).is_err());
    }
}
