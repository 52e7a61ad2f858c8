//! Secrets in JSON, where each string is looked at as what it says.

use serde_json::Value;

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
        let mut value: Value = serde_json::from_str(text).ok()?;
        self.redact_value(&mut value).then(|| value.to_string())
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
