//! What can go wrong with a file.

use std::error::Error;
use std::fmt;
use std::io;

use tool_core::{ErrorKind, ToolError};

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
    hint: Option<String>,
    source: Option<io::Error>,
}

impl FileError {
    pub(super) fn new(kind: FileErrorKind, message: String) -> Self {
        Self {
            kind,
            message,
            hint: None,
            source: None,
        }
    }

    /// Adds what to do about it.
    pub(super) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Why the tool failed.
    #[must_use]
    pub fn kind(&self) -> FileErrorKind {
        self.kind
    }

    /// What happened, without the hint.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it, such as the setting that allows it.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The error as a model reads it. Not `From`: every error has that already, and all of them as failures.
    pub(super) fn into_tool_error(self) -> ToolError {
        let kind = match self.kind {
            FileErrorKind::Path(PathErrorKind::Outside | PathErrorKind::Protected) => {
                ErrorKind::Denied
            }
            _ => ErrorKind::Failed,
        };
        let mut error = ToolError::with_kind(kind, &self.message);
        if let Some(hint) = &self.hint {
            error = error.with_hint(hint);
        }
        error.with_source(self)
    }
}

impl From<PathError> for FileError {
    fn from(error: PathError) -> Self {
        Self {
            kind: FileErrorKind::Path(error.kind()),
            message: error.message().to_owned(),
            hint: error.hint().map(str::to_owned),
            source: error.into_source(),
        }
    }
}

/// A refusal of a path as the tools of this category say it, for those of another.
#[cfg(all(feature = "command_line", unix))]
pub(crate) fn denied(error: PathError) -> ToolError {
    FileError::from(error).into_tool_error()
}

impl fmt::Display for FileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(formatter, ": {hint}"),
            None => Ok(()),
        }
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source
            .as_ref()
            .map(|source| source as &(dyn Error + 'static))
    }
}
