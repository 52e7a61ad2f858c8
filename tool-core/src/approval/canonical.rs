//! Bytes that say what a JSON value means, however it is written.

use serde_json::{Map, Number, Value};

/// How deep a value may be nested. A pending record is parsed again inside
/// whatever a host keeps it in, and parsers stop at 128 levels.
pub(super) const DEEPEST: usize = 100;

/// A value is nested deeper than [`DEEPEST`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooDeep;

/// Appends a text, with its length before it.
pub(super) fn text(text: &str, out: &mut Vec<u8>) {
    length(text.len(), out);
    out.extend_from_slice(text.as_bytes());
}

/// Appends a value: the same bytes for values that mean the same, whatever the
/// order of their keys and the spelling of their numbers; different bytes for
/// any others. No value's bytes begin with those of another.
pub(crate) fn value(value: &Value, out: &mut Vec<u8>) -> Result<(), TooDeep> {
    write(value, 0, out)
}

fn write(value: &Value, depth: usize, out: &mut Vec<u8>) -> Result<(), TooDeep> {
    if depth > DEEPEST {
        return Err(TooDeep);
    }
    match value {
        Value::Null => out.push(0),
        Value::Bool(false) => out.push(1),
        Value::Bool(true) => out.push(2),
        Value::Number(number) => write_number(number, out),
        Value::String(string) => {
            out.push(6);
            text(string, out);
        }
        Value::Array(items) => {
            out.push(7);
            length(items.len(), out);
            for item in items {
                write(item, depth + 1, out)?;
            }
        }
        Value::Object(members) => write_members(members, depth, out)?,
    }
    Ok(())
}

fn write_members(
    members: &Map<String, Value>,
    depth: usize,
    out: &mut Vec<u8>,
) -> Result<(), TooDeep> {
    out.push(8);
    length(members.len(), out);
    let mut members: Vec<(&String, &Value)> = members.iter().collect();
    members.sort_unstable_by_key(|(key, _)| *key);
    for (key, member) in members {
        text(key, out);
        write(member, depth + 1, out)?;
    }
    Ok(())
}

/// `1`, `1.0` and `1e0` are one number, as for JSON Schema and JavaScript.
fn write_number(number: &Number, out: &mut Vec<u8>) {
    let integer = number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from));
    let float = number.as_f64();
    match (integer.or_else(|| float.and_then(whole)), float) {
        (Some(integer), _) => {
            out.push(3);
            out.extend_from_slice(&integer.to_le_bytes());
        }
        (None, Some(float)) => {
            out.push(4);
            out.extend_from_slice(&float.to_bits().to_le_bytes());
        }
        // Only where a crate in the program turns on `arbitrary_precision`.
        (None, None) => {
            out.push(5);
            text(&number.to_string(), out);
        }
    }
}

/// A float that is an integer which JSON parsers may read as one.
fn whole(float: f64) -> Option<i128> {
    /// 2 to the power of 64: beyond it every parser of ours reads a float.
    const LIMIT: f64 = 18_446_744_073_709_551_616.0;

    if float.fract() != 0.0 || float.abs() > LIMIT {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a whole number of this size fits exactly"
    )]
    Some(float as i128)
}

fn length(length: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&(length as u64).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};
    use serde_json::{Value, json};

    use super::{DEEPEST, TooDeep, value};
    use crate::approval::tests::json_value;

    fn bytes(json: &Value) -> Vec<u8> {
        let mut out = Vec::new();
        value(json, &mut out).unwrap();
        out
    }

    fn parsed(text: &str) -> Vec<u8> {
        bytes(&serde_json::from_str(text).unwrap())
    }

    #[test]
    fn order_and_spelling_do_not_matter_and_all_else_does() {
        for (left, right) in [
            (
                r#"{"a":1,"b":[{"c":2,"d":3}]}"#,
                r#"{"b":[{"d":3.0,"c":2e0}],"a":1.0}"#,
            ),
            ("18446744073709551615", "18446744073709551615"),
            ("9007199254740992", "9007199254740992.0"),
            ("0", "-0.0"),
            ("\"\\u00e9\"", "\"é\""),
            ("1e20", "100000000000000000000"),
        ] {
            assert_eq!(parsed(left), parsed(right), "{left} {right}");
        }
        for (left, right) in [
            ("[1,2]", "[2,1]"),
            ("1", "\"1\""),
            ("[[],1]", "[[1]]"),
            ("{}", "[]"),
            ("9007199254740993", "9007199254740992"),
            ("0.1", "0.10000000000000002"),
            (r#"{"a":null}"#, "{}"),
            (r#"{"ab":"c"}"#, r#"{"a":"bc"}"#),
            ("0", "false"),
        ] {
            assert_ne!(parsed(left), parsed(right), "{left} {right}");
        }
    }

    #[test]
    fn a_deep_value_is_refused() {
        let nested = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
        assert_eq!(value(&nested(DEEPEST), &mut Vec::new()), Ok(()));
        assert_eq!(value(&nested(DEEPEST + 1), &mut Vec::new()), Err(TooDeep));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn values_have_the_same_bytes_where_they_are_equal(left in json_value(), right in json_value()) {
            let text = serde_json::to_string_pretty(&left).unwrap();
            prop_assert_eq!(parsed(&text), bytes(&left));
            // Objects compare without regard to order; numbers may be written either way.
            if left == right {
                prop_assert_eq!(bytes(&left), bytes(&right));
            }
        }
    }
}
