//! What a call that did not succeed says, to the model and to the operator.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::arguments::{Problem, Repair};

/// Why a call did not succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No tool has the name that was called.
    NotFound,
    /// The arguments are not JSON, or the tool's schema does not accept them.
    InvalidArguments,
    /// A rule or a person refused the call.
    Denied,
    /// The call waits for the decision of a person.
    Pending,
    /// A limit is reached: of calls, of their rate, or because earlier calls
    /// of the tool could not be stopped.
    LimitReached,
    /// The tool did not answer within its timeout.
    TimedOut,
    /// The caller gave up before the tool answered, or the executor shuts down.
    Cancelled,
    /// The tool panicked.
    Panicked,
    /// The tool ran and reported an error.
    Failed,
}

impl ErrorKind {
    /// The kind in snake case, for logs and JSON: `"not_found"`, `"timed_out"`, …
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::InvalidArguments => "invalid_arguments",
            Self::Denied => "denied",
            Self::Pending => "pending",
            Self::LimitReached => "limit_reached",
            Self::TimedOut => "timed_out",
            Self::Cancelled => "cancelled",
            Self::Panicked => "panicked",
            Self::Failed => "failed",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// An error of a tool call: a message for the model, an optional hint what to
/// do next, and a source that only the operator's log sees.
///
/// Any [`std::error::Error`] converts into one, so `?` works in a tool. For
/// that reason `ToolError` itself does not implement `std::error::Error`.
///
/// # Examples
///
/// ```
/// use tool_core::{ErrorKind, ToolError};
///
/// fn parse(port: &str) -> Result<u16, ToolError> {
///     Ok(port.parse::<u16>()?)
/// }
///
/// let error = parse("http").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Failed);
/// assert_eq!(error.to_model(), "Error: invalid digit found in string");
///
/// let error = ToolError::new("the order does not exist").with_hint("list the orders first");
/// assert_eq!(error.to_model(), "Error: the order does not exist\nlist the orders first");
/// ```
///
/// A clone is a copy of the texts and shares the source.
#[derive(Clone)]
pub struct ToolError {
    inner: Box<Inner>,
}

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    message: String,
    hint: Option<String>,
    retryable: bool,
    retry_after: Option<Duration>,
    asks_again: bool,
    problems: Vec<Problem>,
    repairs: Vec<Repair>,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

impl ToolError {
    /// An error of kind [`ErrorKind::Failed`] with a message for the model.
    pub fn new(message: impl Into<String>) -> Self {
        Self::with_kind(ErrorKind::Failed, message)
    }

    /// An error of any kind with a message for the model.
    pub fn with_kind(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            inner: Box::new(Inner {
                kind,
                message: message.into(),
                hint: None,
                retryable: false,
                retry_after: None,
                asks_again: false,
                problems: Vec::new(),
                repairs: Vec::new(),
                source: None,
            }),
        }
    }

    /// An error of kind [`ErrorKind::Denied`]: a rule forbids the call.
    pub fn denied(message: impl Into<String>) -> Self {
        Self::with_kind(ErrorKind::Denied, message)
    }

    /// An error of kind [`ErrorKind::Failed`] that asks the model to call again
    /// with something changed: say what to change.
    ///
    /// An executor lets a tool do so a few times in a row, `retries` of
    /// `#[tool]` or [`ExecutorBuilder::retries`](crate::ExecutorBuilder::retries),
    /// and then tells the model to stop.
    ///
    /// # Examples
    ///
    /// ```
    /// use tool_core::ToolError;
    ///
    /// let error = ToolError::retry("`from` is after `to`: swap the two dates");
    /// assert!(error.asks_again());
    /// ```
    pub fn retry(message: impl Into<String>) -> Self {
        let mut error = Self::new(message);
        error.inner.asks_again = true;
        error
    }

    /// Adds what to do next, shown to the model after the message.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.inner.hint = Some(hint.into());
        self
    }

    /// Marks the error as one that the same call may not meet again.
    #[must_use]
    pub fn retryable(mut self) -> Self {
        self.inner.retryable = true;
        self
    }

    /// Marks the error as one that the same call may not meet again after so
    /// long a time, as a service says with `Retry-After`.
    #[must_use]
    pub fn retry_after(mut self, delay: Duration) -> Self {
        self.inner.retryable = true;
        self.inner.retry_after = Some(delay);
        self
    }

    /// Adds the cause for the operator's log. The model never sees it.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.inner.source = Some(Arc::from(source.into()));
        self
    }

    pub(crate) fn with_problems(mut self, problems: Vec<Problem>) -> Self {
        self.inner.problems = problems;
        self
    }

    /// Adds a line to the hint.
    pub(crate) fn and_hint(mut self, line: &str) -> Self {
        self.inner.hint = Some(match self.inner.hint.take() {
            Some(hint) => format!("{hint}\n{line}"),
            None => line.to_owned(),
        });
        self
    }

    /// Adds what would have mended the arguments, had that been allowed.
    pub(crate) fn with_repairs(mut self, repairs: Vec<Repair>) -> Self {
        self.inner.repairs = repairs;
        self
    }

    pub(crate) fn take_repairs(&mut self) -> Vec<Repair> {
        std::mem::take(&mut self.inner.repairs)
    }

    /// Rewrites every text that leaves the process.
    pub(crate) fn map_text(mut self, mut rewrite: impl FnMut(&mut String)) -> Self {
        rewrite(&mut self.inner.message);
        self.inner.hint.as_mut().map(&mut rewrite);
        for problem in &mut self.inner.problems {
            rewrite(&mut problem.path);
            rewrite(&mut problem.message);
        }
        self
    }

    /// Why the call did not succeed.
    pub fn kind(&self) -> ErrorKind {
        self.inner.kind
    }

    /// What went wrong, in words for the model, without `Error: `.
    pub fn message(&self) -> &str {
        &self.inner.message
    }

    /// What to do next, in words for the model.
    pub fn hint(&self) -> Option<&str> {
        self.inner.hint.as_deref()
    }

    /// Whether the same call may succeed when it is made again.
    pub fn is_retryable(&self) -> bool {
        self.inner.retryable
    }

    /// After how long the same call may succeed, where the tool knows.
    pub fn delay(&self) -> Option<Duration> {
        self.inner.retry_after
    }

    /// Whether the tool asks the model to call again with something changed.
    pub fn asks_again(&self) -> bool {
        self.inner.asks_again
    }

    /// Every fault of the arguments, for [`ErrorKind::InvalidArguments`]; else empty.
    pub fn problems(&self) -> &[Problem] {
        &self.inner.problems
    }

    /// The cause, for the operator's log.
    pub fn source(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.inner.source.as_deref()
    }

    /// What the model reads: `Error: `, the message, and the hint on a line of its own.
    pub fn to_model(&self) -> String {
        match self.hint() {
            Some(hint) => format!("Error: {}\n{hint}", self.message()),
            None => format!("Error: {}", self.message()),
        }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.message())
    }
}

/// The source is left out: it may hold what only a log with redaction may show.
impl fmt::Debug for ToolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ToolError")
            .field("kind", &self.kind())
            .field("message", &self.message())
            .field("hint", &self.hint())
            .field("retryable", &self.is_retryable())
            .finish_non_exhaustive()
    }
}

impl<E> From<E> for ToolError
where
    E: Error + Send + Sync + 'static,
{
    fn from(error: E) -> Self {
        Self::new(error.to_string()).with_source(error)
    }
}
