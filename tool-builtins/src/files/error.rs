//! What can go wrong with a file.

use crate::policy::{PathError, PathErrorKind, Refusal};

/// Why a file tool failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileErrorKind {
    /// The path was refused, or the operation on it failed.
    Path(PathErrorKind),
    /// The file is not text and has no reader.
    Binary,
    /// The file is not what its name or the asked format says.
    Malformed,
    /// The document needs a password.
    Encrypted,
    /// The document expands to more than the policy lets in.
    TooLarge,
    /// The document has no such page or sheet, or nothing of that kind.
    NoSuchPart,
    /// The reader of the document is not built in, or has no process to run in.
    Unavailable,
    /// The content cannot be written in the format of the file's name.
    Unwritable,
    /// The text to be replaced is not there exactly once.
    Unmatched,
    /// The pattern is not valid.
    InvalidPattern,
}

impl From<FileErrorKind> for tool_core::ErrorKind {
    fn from(kind: FileErrorKind) -> Self {
        match kind {
            FileErrorKind::Path(kind) => kind.into(),
            _ => Self::Failed,
        }
    }
}

/// A file that could not be read, written or found. Its message names only paths below the root.
pub type FileError = Refusal<FileErrorKind>;

impl From<PathError> for FileError {
    fn from(error: PathError) -> Self {
        error.widened(FileErrorKind::Path)
    }
}
