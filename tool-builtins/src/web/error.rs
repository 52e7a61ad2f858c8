//! What can go wrong with a page or a download.

use std::error::Error;
use std::fmt;

use tool_core::{ErrorKind, ToolError};

use crate::policy::{NetworkError, NetworkErrorKind};

/// Why a web tool failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WebErrorKind {
    /// The request was refused or failed.
    Network(NetworkErrorKind),
    /// The answer is not text.
    Binary,
    /// The answer could not be processed.
    Failed,
}

/// A page or file that could not be had. Its message never holds a URL's query or user name.
#[derive(Debug)]
pub struct WebError {
    kind: WebErrorKind,
    message: String,
    hint: Option<String>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl WebError {
    pub(super) fn new(kind: WebErrorKind, message: String) -> Self {
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
    pub fn kind(&self) -> WebErrorKind {
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
            WebErrorKind::Network(NetworkErrorKind::Refused) => ErrorKind::Denied,
            _ => ErrorKind::Failed,
        };
        let mut error = ToolError::with_kind(kind, &self.message);
        if let Some(hint) = &self.hint {
            error = error.with_hint(hint);
        }
        if self.may_pass() {
            error = error.retryable();
        }
        error.with_source(self)
    }

    /// Whether the same request may succeed a little later.
    fn may_pass(&self) -> bool {
        match self.kind {
            WebErrorKind::Network(NetworkErrorKind::TimedOut) => true,
            // 408 and 429 say so themselves, and 425 asks for another try.
            WebErrorKind::Network(NetworkErrorKind::Status(status)) => {
                matches!(status, 408 | 425 | 429 | 500..=599)
            }
            _ => false,
        }
    }
}

impl From<NetworkError> for WebError {
    fn from(error: NetworkError) -> Self {
        Self {
            kind: WebErrorKind::Network(error.kind()),
            message: error.message().to_owned(),
            hint: error.hint().map(str::to_owned),
            source: error.into_source(),
        }
    }
}

impl fmt::Display for WebError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(formatter, ": {hint}"),
            None => Ok(()),
        }
    }
}

impl Error for WebError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source
            .as_deref()
            .map(|source| source as &(dyn Error + 'static))
    }
}
