//! A spreadsheet as Markdown.

use super::{Sheet, Workbook};
use crate::document::markdown::table;

/// Sheets beyond this many bytes of text are named only.
const ENOUGH: usize = 100_000;

impl Workbook {
    /// Every sheet under its name, with its size, its rows as a table, and how to get the rest.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = String::new();
        for sheet in &self.sheets {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&sheet.title());
            if text.len() < ENOUGH && !sheet.rows.is_empty() {
                text.push('\n');
                text.push_str(&sheet.table());
                text.push_str(&sheet.rest());
            }
        }
        if self.sheets.is_empty() {
            text.push_str("[the workbook has no sheets]\n");
        }
        text
    }
}

impl Sheet {
    fn title(&self) -> String {
        let hidden = if self.hidden { ", hidden" } else { "" };
        let name = self.name.split_whitespace().collect::<Vec<_>>().join(" ");
        let rows = count(self.row_count, "row");
        let columns = count(self.column_count, "column");
        let notes: Vec<String> = self
            .notes
            .iter()
            .map(|note| format!("[{note}]\n"))
            .collect();
        let notes = notes.concat();
        format!("## {name} ({rows} × {columns}{hidden})\n{notes}")
    }

    fn table(&self) -> String {
        let mut rows = vec![self.columns.clone()];
        rows.extend(self.rows.iter().cloned());
        table(&rows)
    }

    fn rest(&self) -> String {
        self.next_offset.map_or_else(String::new, |next| {
            format!(
                "[{} of {} rows; for more: sheet `{}`, offset {next}]\n",
                self.rows.len(),
                self.row_count,
                self.name
            )
        })
    }
}

fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}
