//! JSON files, as values.

use serde_json::Value;

use super::error::{FileError, FileErrorKind};
use crate::policy::shown;
use crate::text::clean::clean;

/// Parses `text`; the strings inside are cleaned like any other text.
pub(super) fn parse(path: &str, text: &str) -> Result<Value, FileError> {
    let mut value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| malformed(path, &error))?;
    clean_strings(&mut value);
    Ok(value)
}

fn malformed(path: &str, error: &serde_json::Error) -> FileError {
    let full = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let what = full.strip_suffix(&place).unwrap_or(&full);
    let message = format!(
        "`{}` is not valid JSON: line {}, column {}: {what}",
        shown(path),
        error.line(),
        error.column()
    );
    FileError::new(FileErrorKind::Malformed, message)
        .with_hint("to see it as it is, read it with the format `text`")
}

/// The parsers allow 128 levels, so this recursion is bounded.
pub(super) fn clean_strings(value: &mut Value) {
    match value {
        Value::String(text) => *text = clean(text),
        Value::Array(items) => items.iter_mut().for_each(clean_strings),
        Value::Object(members) => {
            if members.keys().any(|key| clean(key) != *key) {
                *members = std::mem::take(members)
                    .into_iter()
                    .map(|(key, value)| (clean(&key), value))
                    .collect();
            }
            members.values_mut().for_each(clean_strings);
        }
        _ => {}
    }
}
