//! One file, written as a whole.

use serde_json::Value;

use super::error::{FileError, FileErrorKind};
use super::read::extension;
use crate::policy::{Policy, shown};

/// A file that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// How many bytes the file has now.
    pub bytes: usize,
}

/// Writes a file below the root, replacing what was there; parent directories are created.
///
/// A string is written as it is. Any other value is written as indented JSON, or, to a name that ends in `.csv` or
/// `.tsv`, as a table when it is an array of objects or of arrays.
///
/// In a table, text that a spreadsheet would run as a formula gets a `'` in front.
///
/// # Errors
///
/// A [`FileError`] when the path is refused, when the operating system refuses, and when the value is no table but the
/// name asks for one.
pub fn write_file(policy: &Policy, path: &str, content: &Value) -> Result<Written, FileError> {
    let text = match content {
        Value::String(text) => text.clone(),
        value => match extension(path).as_str() {
            "csv" => table(path, value, b',')?,
            "tsv" | "tab" => table(path, value, b'\t')?,
            _ => format!("{value:#}\n"),
        },
    };
    policy.write(path, text.as_bytes())?;
    Ok(Written { bytes: text.len() })
}

fn table(path: &str, value: &Value, delimiter: u8) -> Result<String, FileError> {
    let refuse = |why: &str| {
        let message = format!(
            "the content cannot be written to `{}` as a table: {why}; expected text, an array of objects, or an array \
             of arrays",
            shown(path)
        );
        FileError::new(FileErrorKind::Unwritable, message)
    };
    let rows = value
        .as_array()
        .ok_or_else(|| refuse("it is not an array"))?;
    let mut columns: Vec<&str> = Vec::new();
    for row in rows {
        for key in row.as_object().into_iter().flat_map(|row| row.keys()) {
            if !columns.contains(&key.as_str()) {
                columns.push(key);
            }
        }
    }
    let mut writer = csv::WriterBuilder::new()
        .flexible(true)
        .delimiter(delimiter)
        .from_writer(Vec::new());
    let mut failed = if columns.is_empty() {
        false
    } else {
        writer
            .write_record(columns.iter().map(|name| harmless(name)))
            .is_err()
    };
    for row in rows {
        let cells: Vec<String> = match row {
            Value::Object(row) => columns
                .iter()
                .map(|column| row.get(*column).map(cell).unwrap_or_default())
                .collect(),
            Value::Array(row) if columns.is_empty() => row.iter().map(cell).collect(),
            _ => return Err(refuse("its rows are not all objects or all arrays")),
        };
        failed |= writer.write_record(&cells).is_err();
    }
    // Writing to memory does not fail; if it ever did, half a table must not be written.
    let bytes = writer
        .into_inner()
        .ok()
        .filter(|_| !failed)
        .ok_or_else(|| refuse("it could not be encoded"))?;
    String::from_utf8(bytes).map_err(|_| refuse("it could not be encoded"))
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => harmless(text),
        value => value.to_string(),
    }
}

/// Spreadsheets run a cell that starts like this; a plain number starts like it too and is left alone.
fn harmless(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']);
    if formula && text.parse::<f64>().is_err() {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}
