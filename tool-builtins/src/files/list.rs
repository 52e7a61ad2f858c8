//! What is in a directory.

use super::error::FileError;
use crate::policy::{Listing, Policy};

/// How many entries one answer holds at most.
const MOST: usize = 1000;

/// Lists a directory below the root: the first 1,000 entries by name, and how many there are.
///
/// `path` is relative to the root; `.` is the root itself.
///
/// # Errors
///
/// A [`FileError`] when the path leads outside the root or is not a directory.
pub fn list_directory(policy: &Policy, path: &str) -> Result<Listing, FileError> {
    Ok(policy.list(path, MOST)?)
}
