//! Secrets in JSON, where each string is looked at as what it says.

use serde_json::Value;
use serde_json::value::RawValue;

use super::named::after_scheme;
use super::names::names_a_secret;
use super::{REDACTED, Redactor};

impl Redactor {
    /// JSON text without secrets, still JSON, or `None` where there are none.
    ///
    /// In JSON text a line break is the letters `\n`, and a secret may be
    /// written with escapes, so that each string is looked at as what it says.
    pub(crate) fn redacted_json(&self, text: &str) -> Option<String> {
        let suspicious = self.inner.shapes.may_be_in_json(text)
            || (self.has_values() && (text.contains('\\') || self.has_value(text)));
        if !suspicious {
            return None;
        }
        match serde_json::from_str::<Value>(text) {
            Ok(mut value) => self.redact_value(&mut value).then(|| value.to_string()),
            Err(_) => self.redacted_unread(text),
        }
    }

    /// The same for what no value can be made of: no JSON, or nested too deep,
    /// or with a number that is too large.
    fn redacted_unread(&self, text: &str) -> Option<String> {
        let is_json = |text| serde_json::from_str::<&RawValue>(text).is_ok();

        let clean = self.redacted(&without_escapes(text))?;
        if is_json(text) && !is_json(&clean) {
            return Some(Value::from(REDACTED).to_string());
        }
        Some(clean)
    }

    /// Takes secrets out of every string, key and number; says whether there was one.
    pub(crate) fn redact_value(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => match self.redacted(text) {
                Some(clean) => {
                    *text = clean;
                    true
                }
                None => false,
            },
            Value::Number(number) if self.has_value(&number.to_string()) => {
                *value = Value::from(REDACTED);
                true
            }
            Value::Array(items) => items
                .iter_mut()
                .fold(false, |found, item| self.redact_value(item) | found),
            Value::Object(members) => {
                let mut found = false;
                for (key, member) in members.iter_mut() {
                    found |= hide_named(key, member) || self.redact_value(member);
                }
                if members.keys().any(|key| self.redacted(key).is_some()) {
                    found = true;
                    *members = std::mem::take(members)
                        .into_iter()
                        .map(|(key, member)| (self.redacted(&key).unwrap_or(key), member))
                        .collect();
                }
                found
            }
            _ => false,
        }
    }
}

/// The text with the characters themselves where escapes stand for such as
/// need none.
fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        plain.push_str(before);
        let code = escape.strip_prefix("\\u").and_then(|code| code.get(..4));
        let character = code
            .and_then(|code| u8::from_str_radix(code, 16).ok())
            .map(char::from)
            .filter(|character| (' '..='~').contains(character) && !"\"\\".contains(*character));
        let length = match character {
            Some(character) => {
                plain.push(character);
                6
            }
            None => {
                let length = 1 + escape.chars().nth(1).map_or(0, char::len_utf8);
                plain.push_str(escape.get(..length).unwrap_or_default());
                length
            }
        };
        rest = escape.get(length..).unwrap_or_default();
    }
    plain.push_str(rest);
    plain
}

/// A text as JSON writes it, without its quotes, where that is another text.
pub(super) fn escaped(text: &str) -> Option<String> {
    let quoted = Value::from(text).to_string();
    let inner = quoted.get(1..quoted.len() - 1)?;
    (inner != text).then(|| inner.to_owned())
}

/// Takes out a text whose key says that it is a secret.
fn hide_named(key: &str, member: &mut Value) -> bool {
    /// A shorter value is a yes or a no.
    const SHORTEST: usize = 4;

    let Value::String(text) = member else {
        return false;
    };
    let is_cookie = (key.eq_ignore_ascii_case("cookie") || key.eq_ignore_ascii_case("set-cookie"))
        && text.contains('=');
    if text.len() < SHORTEST || !(is_cookie || names_a_secret(key)) {
        return false;
    }
    let (scheme, secret) = text.split_at(after_scheme(text));
    if secret == REDACTED {
        return false;
    }
    *text = format!("{scheme}{REDACTED}");
    true
}
