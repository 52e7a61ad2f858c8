//! Rows of values as delimited text.

use std::collections::HashSet;

use serde_json::Value;

use super::error::{FileError, FileErrorKind};
use super::table;
use crate::policy::shown;

const MOST_CELLS: usize = 2_000_000;

/// What stands above the rows.
pub(super) enum Head {
    /// Nothing yet: the names of the columns come first, where the rows are objects.
    New(u8),
    /// A table with these columns.
    Existing { delimiter: u8, columns: Vec<String> },
}

impl Head {
    /// The table in a file.
    pub(super) fn of(path: &str, text: &str) -> Self {
        let table = table::parse(path, text, 0, 0);
        Self::Existing {
            delimiter: u8::try_from(table.delimiter).unwrap_or(b','),
            columns: table.columns,
        }
    }
}

/// The rows as text; text that a spreadsheet would run gets a `'` in front.
pub(super) fn rows(path: &str, rows: &[Value], head: &Head) -> Result<String, FileError> {
    let refuse = |why: &str| {
        let message = format!(
            "the content cannot be written to `{}` as a table: {why}; expected text, an array of objects, or an array \
             of arrays",
            shown(path)
        );
        FileError::new(FileErrorKind::Unwritable, message)
    };
    let (delimiter, existing) = match head {
        Head::New(delimiter) => (*delimiter, None),
        Head::Existing { delimiter, columns } => (*delimiter, Some(columns)),
    };
    let named = named_columns(rows);
    let columns: Vec<&str> = match existing {
        Some(columns) if !named.is_empty() => {
            let known: HashSet<&str> = columns.iter().map(String::as_str).collect();
            if let Some(stranger) = named.iter().find(|name| !known.contains(*name)) {
                return Err(refuse(&format!(
                    "the table there has no column `{}`",
                    shown(stranger)
                )));
            }
            columns.iter().map(String::as_str).collect()
        }
        _ => named,
    };
    // A key of its own in each row makes a table that is mostly empty, and as large as rows times rows.
    if rows.len().saturating_mul(columns.len()) > MOST_CELLS {
        return Err(refuse(&format!("it has more than {MOST_CELLS} cells")));
    }
    let mut writer = csv::WriterBuilder::new()
        .flexible(true)
        .delimiter(delimiter)
        .from_writer(Vec::new());
    let mut failed = false;
    if existing.is_none() && !columns.is_empty() {
        let names = columns.iter().map(|name| harmless(name));
        failed |= writer.write_record(names).is_err();
    }
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

/// The keys of all objects, each once, in the order in which they first come.
fn named_columns(rows: &[Value]) -> Vec<&str> {
    let mut seen = HashSet::new();
    rows.iter()
        .filter_map(Value::as_object)
        .flat_map(|row| row.keys())
        .map(String::as_str)
        .filter(|key| seen.insert(*key))
        .collect()
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
