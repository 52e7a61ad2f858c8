//! Why something was refused or failed: one shape for every kind of reason.

use std::error::Error;
use std::fmt;

use tool_core::ToolError;

/// A refusal or a failure of some kind: what happened, what to do about it, and the cause below.
///
/// The message is for the model: it names what the model named, and nothing of the host.
pub struct Refusal<Kind> {
    kind: Kind,
    message: String,
    hint: Option<String>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl<Kind> Refusal<Kind> {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
            source: None,
        }
    }

    /// Adds what to do about it.
    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the cause below, for an operator's log.
    pub(crate) fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The same with a wider kind.
    pub(crate) fn widened<Wider>(self, widen: impl FnOnce(Kind) -> Wider) -> Refusal<Wider> {
        Refusal {
            kind: widen(self.kind),
            message: self.message,
            hint: self.hint,
            source: self.source,
        }
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
}

impl<Kind: Copy> Refusal<Kind> {
    /// Why it was refused or failed.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }
}

impl<Kind> Refusal<Kind>
where
    Kind: Copy + fmt::Debug + Into<tool_core::ErrorKind> + Send + Sync + 'static,
{
    /// The error as a model reads it. Not `From`: every error has that already, and all of them as failures.
    pub(crate) fn into_tool_error(self) -> ToolError {
        let mut error = ToolError::with_kind(self.kind.into(), &self.message);
        if let Some(hint) = &self.hint {
            error = error.with_hint(hint);
        }
        error.with_source(self)
    }
}

impl<Kind: fmt::Debug> fmt::Debug for Refusal<Kind> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Refusal")
            .field("kind", &self.kind)
            .field("message", &self.message)
            .field("hint", &self.hint)
            .field("source", &self.source)
            .finish()
    }
}

impl<Kind> fmt::Display for Refusal<Kind> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(formatter, ": {hint}"),
            None => Ok(()),
        }
    }
}

impl<Kind: fmt::Debug> Error for Refusal<Kind> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source
            .as_deref()
            .map(|source| source as &(dyn Error + 'static))
    }
}
