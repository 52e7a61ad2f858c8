//! How far a tool has come, and who hears of it.

use std::sync::Arc;

/// How far a tool has come.
///
/// # Examples
///
/// ```
/// use tool_core::Progress;
///
/// let progress = Progress::new(3.0).of(10.0).message("page 3 of 10");
/// assert_eq!(progress.total, Some(10.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// How much is done, in any unit.
    pub done: f64,
    /// How much there is, in the same unit, where it is known.
    pub total: Option<f64>,
    /// What the tool is doing, for a person.
    pub message: Option<String>,
}

impl Progress {
    /// So much is done.
    pub fn new(done: f64) -> Self {
        Self {
            done,
            total: None,
            message: None,
        }
    }

    /// Adds how much there is.
    #[must_use]
    pub fn of(mut self, total: f64) -> Self {
        self.total = Some(total);
        self
    }

    /// Adds what the tool is doing.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }
}

/// Who hears of the progress of a call: its id, and how far it has come.
pub(crate) type ProgressListener = Arc<dyn Fn(&str, Progress) + Send + Sync>;
