//! JSON Lines.

use serde_json::Value;

use crate::document::fault::Fault;

/// The values of the lines asked for, as an array. Blank lines count, and have no value.
pub(super) fn read(text: &str, offset: usize, limit: usize) -> Result<Value, Fault> {
    let text = text.trim_start_matches('\u{feff}');
    let mut values = Vec::new();
    for (number, line) in (1_usize..).zip(text.lines()).skip(offset).take(limit) {
        if line.trim().is_empty() {
            continue;
        }
        let value = serde_json::from_str(line).map_err(|error| {
            Fault::malformed(format!(
                "line {number}, column {} is not valid JSON",
                error.column()
            ))
        })?;
        values.push(value);
    }
    Ok(Value::Array(values))
}
