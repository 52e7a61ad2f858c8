//! Which contents of a call its span shows.

/// Which contents of a call its span shows. By default none: arguments and
/// results may hold what a person would not want in a telemetry backend.
///
/// What is shown has been redacted like everything that leaves an executor.
///
/// # Examples
///
/// ```
/// use tool_core::Recording;
///
/// let recording = Recording::new().arguments().results().max_bytes(1024);
/// assert_ne!(recording, Recording::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Recording {
    pub(super) arguments: bool,
    pub(super) results: bool,
    pub(super) max_bytes: usize,
}

impl Recording {
    /// No contents.
    pub const fn new() -> Self {
        Self {
            arguments: false,
            results: false,
            max_bytes: 16 * 1024,
        }
    }

    /// The arguments, as `gen_ai.tool.call.arguments`.
    pub const fn arguments(mut self) -> Self {
        self.arguments = true;
        self
    }

    pub(crate) const fn shows_arguments(self) -> bool {
        self.arguments
    }

    /// The result that the model reads, as `gen_ai.tool.call.result`; of a
    /// call that failed the message, as the description of the span's status.
    pub const fn results(mut self) -> Self {
        self.results = true;
        self
    }

    /// How many bytes of each are shown; the rest is cut off. 16 KiB by
    /// default: a collector refuses a batch that is too large as a whole.
    pub const fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }
}

impl Default for Recording {
    fn default() -> Self {
        Self::new()
    }
}
