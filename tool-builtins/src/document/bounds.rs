//! How much of a document is taken in.

use crate::policy::Limits;

/// How deep elements may stand in one another. Real documents stay below 60.
pub(crate) const DEPTH: usize = 256;

/// How many entries of an archive, or parts of a package, are looked at.
pub(crate) const ENTRIES: usize = 10_000;

/// The longest text that is made of a document, in bytes. The rest is left out, and a note says so.
pub(crate) const TEXT: usize = 8 * 1024 * 1024;

/// How many cells with a value are read of one sheet.
pub(crate) const CELLS: usize = 2_000_000;

/// How many columns of a sheet are shown.
pub(crate) const COLUMNS: usize = 100;

/// How many sheets of a workbook are read.
pub(crate) const SHEETS: usize = 256;

/// How much of an expanded document is read, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The bytes of all parts together, after decompression.
    pub(crate) expanded: usize,
}

impl Bounds {
    pub(crate) fn of(limits: &Limits) -> Self {
        Self {
            expanded: limits.expanded,
        }
    }
}
