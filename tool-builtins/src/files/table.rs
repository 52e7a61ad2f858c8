//! Delimited values: CSV, TSV and their relatives.

use csv::{ReaderBuilder, StringRecord};
use serde::Serialize;

use super::read::extension;
use crate::text::clean::clean;

/// A table of delimited values. Every value stays the text that it was: `00123` keeps its zeros.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Table {
    /// What stands between two values.
    pub delimiter: char,
    /// The names of the columns: those of the first line, or `column_1` and so on when that is a row of values.
    pub columns: Vec<String>,
    /// How many rows the file has, without the line of names.
    pub row_count: usize,
    /// How many of all rows have more or fewer values than there are columns.
    #[serde(skip_serializing_if = "is_zero")]
    pub ragged_rows: usize,
    /// The rows asked for. A short row ends early; the extra values of a long one are kept.
    pub rows: Vec<Vec<String>>,
    /// The offset of the first row that was left out, `None` at the end of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// In the order in which a tie is decided.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Cannot fail: a parser that takes ragged rows and any quoting reads every text somehow.
pub(super) fn parse(path: &str, text: &str, offset: usize, limit: usize) -> Table {
    let (named, text) = separator_line(text);
    let delimiter = named.unwrap_or_else(|| match extension(path).as_str() {
        "tsv" | "tab" => b'\t',
        _ => find_delimiter(text),
    });
    let mut records = records(text, delimiter).peekable();
    let first = records.peek().cloned().unwrap_or_default();
    let columns = if is_header(&first) {
        records.next();
        first
            .iter()
            .map(|name| clean(name).trim().to_owned())
            .collect()
    } else {
        (1..=first.len())
            .map(|number| format!("column_{number}"))
            .collect::<Vec<_>>()
    };

    let end = offset.saturating_add(limit);
    let (mut row_count, mut ragged_rows, mut rows) = (0, 0, Vec::new());
    for record in records {
        ragged_rows += usize::from(record.len() != columns.len());
        if (offset..end).contains(&row_count) {
            rows.push(record.iter().map(clean).collect());
        }
        row_count += 1;
    }
    let next_offset = (end < row_count).then_some(end);
    Table {
        delimiter: char::from(delimiter),
        columns,
        row_count,
        ragged_rows,
        rows,
        next_offset,
    }
}

fn records(text: &str, delimiter: u8) -> impl Iterator<Item = StringRecord> {
    ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes())
        .into_records()
        .map_while(Result::ok)
}

/// Spreadsheets write a first line `sep=;` for each other.
fn separator_line(text: &str) -> (Option<u8>, &str) {
    let Some(rest) = text.strip_prefix("sep=") else {
        return (None, text);
    };
    match rest.as_bytes() {
        [delimiter, b'\r', b'\n', ..] if delimiter.is_ascii() => {
            (Some(*delimiter), rest.get(3..).unwrap_or_default())
        }
        [delimiter, b'\n', ..] if delimiter.is_ascii() => {
            (Some(*delimiter), rest.get(2..).unwrap_or_default())
        }
        _ => (None, text),
    }
}

/// The delimiter with which most of the first rows have the same number of values, and more than one.
fn find_delimiter(text: &str) -> u8 {
    let score = |delimiter: u8| {
        let widths: Vec<usize> = records(text, delimiter)
            .take(50)
            .map(|record| record.len())
            .collect();
        let usual = |width: &usize| widths.iter().filter(|other| *other == width).count();
        let (agree, width) = widths
            .iter()
            .map(|width| (usual(width), *width))
            .max()
            .unwrap_or_default();
        if width < 2 { (0, 0) } else { (agree, width) }
    };
    let mut best = (b',', (0, 0));
    for delimiter in DELIMITERS {
        let found = score(delimiter);
        if found > best.1 {
            best = (delimiter, found);
        }
    }
    best.0
}

/// Names are all there, all different, and none is a number.
fn is_header(record: &StringRecord) -> bool {
    let mut seen = std::collections::BTreeSet::new();
    !record.is_empty()
        && record
            .iter()
            .map(str::trim)
            .all(|name| !name.is_empty() && name.parse::<f64>().is_err() && seen.insert(name))
}
