//! What can go wrong with a file.

use std::error::Error;
use std::fmt;

use crate::policy::{PathError, PathErrorKind};

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
    /// The content cannot be written in the format of the file's name.
    Unwritable,
}

/// A file that could not be read, written or listed. Its message names only paths below the root.
#[derive(Debug)]
pub struct FileError {
    kind: FileErrorKind,
    message: String,
    source: Option<PathError>,
}

impl FileError {
    pub(super) fn new(kind: FileErrorKind, message: String) -> Self {
        Self {
            kind,
            message,
            source: None,
        }
    }

    /// Why the tool failed.
    #[must_use]
    pub fn kind(&self) -> FileErrorKind {
        self.kind
    }
}

impl From<PathError> for FileError {
    fn from(source: PathError) -> Self {
        Self {
            kind: FileErrorKind::Path(source.kind()),
            message: source.to_string(),
            source: Some(source),
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        // The message is the source's, so its own source comes next.
        self.source.as_ref().and_then(Error::source)
    }
}
