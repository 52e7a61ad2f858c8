//! Cells, as they come, gathered into the rows that were asked for.

use std::collections::{BTreeMap, BTreeSet};

use super::Sheet;
use crate::document::bounds::{CELLS, COLUMNS};

/// The rows of one sheet, of which only those that were asked for are kept.
pub(super) struct Rows {
    /// Which rows with a value are kept, the first row counted as 0.
    offset: usize,
    limit: usize,
    first: BTreeMap<u32, String>,
    kept: Vec<BTreeMap<u32, String>>,
    row: Option<u32>,
    /// How many rows hold a value, the one being read included.
    seen: usize,
    cells: usize,
    columns: Option<(u32, u32)>,
}

impl Rows {
    pub(super) fn new(offset: usize, limit: usize) -> Self {
        Self {
            offset,
            limit,
            first: BTreeMap::new(),
            kept: Vec::new(),
            row: None,
            seen: 0,
            cells: 0,
            columns: None,
        }
    }

    /// Takes a cell; its text is only made where it is kept. Gives `false` when no more are wanted.
    pub(super) fn take(&mut self, row: u32, column: u32, text: impl FnOnce() -> String) -> bool {
        self.cells += 1;
        if self.cells > CELLS {
            return false;
        }
        if self.row != Some(row) {
            self.row = Some(row);
            self.seen += 1;
            if self.is_kept() {
                self.kept.push(BTreeMap::new());
            }
        }
        let (low, high) = self.columns.unwrap_or((column, column));
        self.columns = Some((low.min(column), high.max(column)));
        // The columns that are shown start at the first with a value, which is not known before the end.
        if self.seen == 1 {
            self.first.insert(column, text());
        } else if self.is_kept()
            && let Some(kept) = self.kept.last_mut()
            && kept.len() < 4 * COLUMNS
        {
            kept.insert(column, text());
        }
        true
    }

    /// Whether the row being read is kept besides the first, which may be the names of the columns.
    fn is_kept(&self) -> bool {
        // One row more at either end, as it is not yet known whether the first counts.
        let place = self.seen.saturating_sub(1);
        place >= 1 && place >= self.offset && place <= self.offset.saturating_add(self.limit)
    }

    pub(super) fn finish(self, sheet: &mut Sheet) {
        let Some((low, high)) = self.columns else {
            return;
        };
        let width = (high - low) as usize + 1;
        sheet.column_count = width;
        let dense = |row: &BTreeMap<u32, String>| -> Vec<String> {
            let mut values: Vec<String> = (low..=high)
                .take(COLUMNS)
                .map(|column| row.get(&column).cloned().unwrap_or_default())
                .collect();
            while values.last().is_some_and(String::is_empty) {
                values.pop();
            }
            values
        };
        let named = is_header(&self.first, width);
        let mut kept = self.kept.iter().map(dense);
        let end = self.offset.saturating_add(self.limit);
        if named {
            sheet.columns = dense(&self.first)
                .iter()
                .map(|name| name.trim().to_owned())
                .collect();
            sheet.row_count = self.seen - 1;
            // Row 0 after the names is the second of all; the first that was kept may be one too early.
            if self.offset > 0 {
                kept.next();
            }
            sheet.rows = kept.take(self.limit).collect();
        } else {
            sheet.columns = (low..=high).take(COLUMNS).map(letters).collect();
            sheet.row_count = self.seen;
            let first = (self.offset == 0).then(|| dense(&self.first));
            sheet.rows = first.into_iter().chain(kept).take(self.limit).collect();
        }
        sheet.next_offset = (end < sheet.row_count).then_some(end);
        if width > COLUMNS {
            sheet.notes.push(format!(
                "only the first {COLUMNS} of {width} columns are shown"
            ));
        }
        if self.cells > CELLS {
            sheet
                .notes
                .push(format!("only the first {CELLS} cells were read"));
        }
    }
}

/// Names are all there, all different, and none is a number.
fn is_header(first: &BTreeMap<u32, String>, width: usize) -> bool {
    let mut seen = BTreeSet::new();
    first.len() == width
        && width <= COLUMNS
        && first
            .values()
            .map(|name| name.trim())
            .all(|name| !name.is_empty() && name.parse::<f64>().is_err() && seen.insert(name))
}

/// The letters of a column, `A` for 0.
fn letters(column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(column) + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(
            b'A' + u8::try_from(rest % 26).unwrap_or_default(),
        ));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(cells: &[(u32, u32, &str)], offset: usize, limit: usize) -> Sheet {
        let mut rows = Rows::new(offset, limit);
        for (row, column, text) in cells {
            assert!(rows.take(*row, *column, || (*text).to_owned()));
        }
        let mut sheet = Sheet::default();
        rows.finish(&mut sheet);
        sheet
    }

    #[test]
    fn columns_have_letters() {
        for (column, name) in [
            (0, "A"),
            (25, "Z"),
            (26, "AA"),
            (701, "ZZ"),
            (702, "AAA"),
            (16_383, "XFD"),
        ] {
            assert_eq!(letters(column), name);
        }
    }

    #[test]
    fn rows_come_in_parts_that_together_are_the_sheet() {
        for first in ["name", "7"] {
            let cells: Vec<(u32, u32, &str)> = [(0, 1, first)]
                .into_iter()
                .chain((1..30).map(|row| (row * 3, 1, "5")))
                .collect();
            let mut offset = 0;
            let mut all = Vec::new();
            loop {
                let part = sheet(&cells, offset, 7);
                all.extend(part.rows);
                let Some(next) = part.next_offset else { break };
                offset = next;
            }
            let named = first == "name";
            assert_eq!(all.len(), if named { 29 } else { 30 });
            assert_eq!(all[0], [if named { "5" } else { "7" }]);
        }
    }

    #[test]
    fn far_corners_cost_nothing() {
        let sheet = sheet(&[(0, 0, "1"), (1_048_575, 16_383, "2")], 0, 50);
        assert_eq!((sheet.row_count, sheet.column_count), (2, 16_384));
        assert_eq!(sheet.rows, [vec!["1".to_owned()], Vec::new()]);
        assert_eq!(sheet.notes.len(), 1);
    }
}
