//! What the two processes say to one another.
//!
//! To the worker: one line of JSON, an [`Order`], and then the bytes of the document to the end. From the worker: an
//! [`Answer`] as JSON to the end.

use serde::{Deserialize, Serialize};

use crate::document::{Fault, Kind, Reading, Request};

/// What the worker is to do.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    /// What the document is.
    pub(super) kind: Kind,
    /// Which part is wanted.
    pub(super) request: Request,
    /// How many bytes all parts of the document may expand to.
    pub(super) expanded: usize,
    /// How many bytes of memory the worker may have.
    pub(super) memory: u64,
    /// How many seconds of processor time it may take.
    pub(super) seconds: u64,
}

/// What became of it.
pub(super) type Answer = Result<Reading, Fault>;

/// The longest answer that is taken, in bytes.
pub(super) const LONGEST: u64 = 64 * 1024 * 1024;
