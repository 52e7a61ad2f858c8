//! What can go wrong with a page or a download.

use std::error::Error;
use std::fmt;

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
    source: Option<NetworkError>,
}

impl WebError {
    pub(super) fn new(kind: WebErrorKind, message: String) -> Self {
        Self {
            kind,
            message,
            source: None,
        }
    }

    /// Why the tool failed.
    #[must_use]
    pub fn kind(&self) -> WebErrorKind {
        self.kind
    }
}

impl From<NetworkError> for WebError {
    fn from(source: NetworkError) -> Self {
        Self {
            kind: WebErrorKind::Network(source.kind()),
            message: source.to_string(),
            source: Some(source),
        }
    }
}

impl fmt::Display for WebError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for WebError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        // The message is the source's, so its own source comes next.
        self.source.as_ref().and_then(Error::source)
    }
}
