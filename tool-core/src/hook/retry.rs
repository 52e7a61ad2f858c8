//! Trying again what may succeed the next time.

use std::pin::pin;
use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBuilder};

use futures_util::future::{Either, select};

use super::{Hook, HookedCall, Next};
use crate::error::{ErrorKind, ToolError};
use crate::output::Output;

/// A hook that runs a tool again after an error that may not come again: one
/// that is marked [`retryable`](ToolError::retryable), or any failure of a tool
/// that is declared `idempotent`, a panic too. An error that asks the model to
/// try again, [`ToolError::retry`], is the model's to answer.
///
/// Each wait is about twice the one before it, with jitter, and never shorter
/// than the error's own [`delay`](ToolError::delay). All runs together have
/// the timeout of one call: a wait that would outlast it is not begun.
///
/// # Examples
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use std::time::Duration;
/// use tool_core::{Call, Catalogue, Executor, Retry, ToolError, tool, tools};
///
/// static RUNS: AtomicUsize = AtomicUsize::new(0);
///
/// /// Ask a service that is busy at first.
/// #[tool]
/// async fn ask() -> Result<&'static str, ToolError> {
///     match RUNS.fetch_add(1, Ordering::Relaxed) {
///         0 | 1 => Err(ToolError::new("the service is busy").retryable()),
///         _ => Ok("here you are"),
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let tools = Catalogue::new(tools![ask]).unwrap();
/// let retry = Retry::new().first_wait(Duration::from_millis(1));
/// let executor = Executor::builder(tools).hook(retry).build().unwrap();
/// let outcome = executor.call(Call::new("1", "ask", "{}")).await;
/// assert_eq!(outcome.text(), "here you are");
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Retry {
    backoff: ExponentialBuilder,
}

impl Retry {
    /// At most three runs more, after waits of about 0.2, 0.4 and 0.8 seconds.
    pub fn new() -> Self {
        Self {
            backoff: ExponentialBuilder::new()
                .with_jitter()
                .with_factor(2.0)
                .with_min_delay(Duration::from_millis(200))
                .with_max_delay(Duration::from_secs(30))
                .with_max_times(3),
        }
    }

    /// How many runs there may be after the first.
    pub fn times(mut self, times: usize) -> Self {
        self.backoff = self.backoff.with_max_times(times);
        self
    }

    /// How long the first wait is; jitter adds up to as much again.
    pub fn first_wait(mut self, wait: Duration) -> Self {
        self.backoff = self.backoff.with_min_delay(wait);
        self
    }

    /// How long a wait may become. 30 seconds by default.
    pub fn longest_wait(mut self, wait: Duration) -> Self {
        self.backoff = self.backoff.with_max_delay(wait);
        self
    }
}

impl Default for Retry {
    fn default() -> Self {
        Self::new()
    }
}

impl Hook for Retry {
    async fn around(&self, call: &HookedCall, next: Next<'_>) -> Result<Output, ToolError> {
        let mut waits = self.backoff.build();
        loop {
            let error = match next.run().await {
                Ok(output) => return Ok(output),
                Err(error) => error,
            };
            if !may_succeed(call, &error) {
                return Err(error);
            }
            let Some(wait) = waits.next() else {
                return Err(error);
            };
            let wait = wait.max(error.delay().unwrap_or_default());
            if call.context().time_left().is_some_and(|left| wait >= left) {
                return Err(error);
            }
            tracing::debug!(
                tool = call.tool().name(),
                kind = error.kind().as_str(),
                ?wait,
                "the tool is run again"
            );
            let slept = pin!(tokio::time::sleep(wait));
            let cancelled = pin!(call.context().cancelled());
            if let Either::Right(_) = select(slept, cancelled).await {
                return Err(error);
            }
        }
    }
}

fn may_succeed(call: &HookedCall, error: &ToolError) -> bool {
    let idempotent = call.tool().definition().annotations.idempotent == Some(true);
    let by_itself = matches!(error.kind(), ErrorKind::Failed | ErrorKind::Panicked);
    error.is_retryable() || (idempotent && by_itself && !error.asks_again())
}
