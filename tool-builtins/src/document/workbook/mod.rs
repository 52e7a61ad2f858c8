//! Spreadsheets: which sheets there are, how large they are, and the rows that were asked for.

mod cell;
mod read;
mod rows;
mod show;

use serde::{Deserialize, Serialize};

pub(crate) use read::read;

/// The sheets of a spreadsheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Workbook {
    /// The sheets, in the order of their tabs. All are listed; rows are there of the sheets that were asked for.
    pub sheets: Vec<Sheet>,
}

/// One sheet. Rows without any value are left out and not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Sheet {
    /// The name on the tab.
    pub name: String,
    /// Whether the tab is hidden.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// The names of the columns: the first row where it names them, else the letters `A`, `B` and so on.
    pub columns: Vec<String>,
    /// How many rows hold a value, without the row of names.
    pub row_count: usize,
    /// How many columns there are from the first to the last value; at most 100 of them are shown.
    pub column_count: usize,
    /// The rows asked for, each value as text: dates as `2024-01-31`, times as `08:30:00`.
    pub rows: Vec<Vec<String>>,
    /// The offset of the first row that was left out, `None` at the end of the sheet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    /// What must be said of it, such as that it has more cells than are counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
