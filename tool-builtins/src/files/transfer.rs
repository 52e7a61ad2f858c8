//! Files and directories, copied, moved, made and deleted.

use schemars::JsonSchema;
use serde::Serialize;

use super::error::FileError;
use crate::policy::{EntryKind, Existing, PathErrorKind, Policy, RecursiveDelete};

/// What to do where the new name is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Overwrite {
    /// Leave what is there; that is an error.
    #[default]
    No,
    /// Replace a file.
    Yes,
}

/// What was deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Deleted {
    /// What it was.
    pub kind: EntryKind,
    /// How many files and directories are gone, those in a directory included.
    pub entries: usize,
}

/// Copies a file below a root; gives the size in bytes. Parent directories are created, and permissions kept.
///
/// # Errors
///
/// A [`FileError`] when either path is refused, when the source is not a regular file or too large, and when the target
/// is there and may not be replaced.
pub fn copy_file(
    policy: &Policy,
    from: &str,
    to: &str,
    overwrite: Overwrite,
) -> Result<u64, FileError> {
    Ok(policy
        .copy(from, to, existing(overwrite))
        .map_err(with_hint)?)
}

/// Moves a file or a directory; tells which it is. Parent directories of the new place are created.
///
/// # Errors
///
/// A [`FileError`] when either path is refused, when the source is neither a file nor a directory, when a directory
/// holds what steers other programs, when the target is there and may not be replaced (a directory never is), and when
/// the two are on different file systems.
pub fn move_file(
    policy: &Policy,
    from: &str,
    to: &str,
    overwrite: Overwrite,
) -> Result<EntryKind, FileError> {
    Ok(policy
        .rename(from, to, existing(overwrite))
        .map_err(with_hint)?)
}

/// Deletes a file, a link or an empty directory, or with [`RecursiveDelete::Allowed`] a directory with all that is in
/// it, where the policy allows that too.
///
/// # Errors
///
/// A [`FileError`] when the path is refused, when nothing is there, and when a directory is not empty or holds what
/// steers other programs.
pub fn delete_file(
    policy: &Policy,
    path: &str,
    contents: RecursiveDelete,
) -> Result<Deleted, FileError> {
    let removed = policy.remove(path, contents)?;
    Ok(Deleted {
        kind: removed.kind,
        entries: removed.entries,
    })
}

/// Makes a directory, and those on the way to it; tells whether it is new.
///
/// # Errors
///
/// A [`FileError`] when the path is refused, and when something else is there.
pub fn create_directory(policy: &Policy, path: &str) -> Result<bool, FileError> {
    Ok(policy.make_directory(path)?)
}

fn existing(overwrite: Overwrite) -> Existing<'static> {
    match overwrite {
        Overwrite::No => Existing::Kept,
        Overwrite::Yes => Existing::Replaced,
    }
}

fn with_hint(error: crate::policy::PathError) -> crate::policy::PathError {
    if error.kind() == PathErrorKind::Exists {
        error.with_hint("choose another name, or set `overwrite` to replace a file; a directory is never replaced")
    } else {
        error
    }
}
