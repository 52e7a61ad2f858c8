//! Running one tool's function under its deadline, behind a panic guard.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Poll, ready};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::task::{JoinError, JoinHandle};
use tokio::time::{Instant, timeout_at};

use crate::context::Context;
use crate::error::{ErrorKind, ToolError};
use crate::invocation::Work;
use crate::output::Output;

/// How long a stopped task may take to go before it counts as still running.
const GRACE: Duration = Duration::from_millis(5);

/// What came of running a function.
pub(super) struct Ran {
    pub(super) result: Result<Output, ToolError>,
    pub(super) may_still_run: bool,
}

impl Ran {
    /// A result with nothing left running behind it.
    pub(super) fn without(result: Result<Output, ToolError>) -> Self {
        Self {
            result,
            may_still_run: false,
        }
    }
}

/// One function to run.
pub(super) struct Job<'a> {
    pub(super) tool: &'a str,
    pub(super) context: &'a Context,
    pub(super) timeout: Duration,
    pub(super) deadline: Option<Instant>,
}

impl Job<'_> {
    /// In a task of its own; a sync function on a thread for blocking work.
    pub(super) async fn isolated(&self, work: Work) -> Ran {
        let (handle, can_stop) = match work {
            Work::Async(future) => (tokio::spawn(future), true),
            Work::Blocking(function) => (tokio::task::spawn_blocking(function), false),
        };
        let mut task = Task {
            handle,
            context: self.context,
            done: false,
        };
        if let Some(joined) = self.before_deadline(&mut task).await {
            return Ran::without(self.joined(joined));
        }
        task.stop();
        let stopped = if can_stop {
            timeout_at(Instant::now() + GRACE, &mut task).await.is_ok()
        } else {
            // A blocking function that has not begun yet never will.
            task.is_finished()
        };
        self.timed_out(!stopped)
    }

    /// In the caller's task.
    pub(super) async fn inline(&self, work: Work) -> Ran {
        let future = match work {
            Work::Async(future) => future,
            Work::Blocking(function) => {
                return Ran::without(guard(self.tool, function).and_then(|result| result));
            }
        };
        let mut guarded = AssertUnwindSafe(future).catch_unwind();
        let stop = StopOnDrop(self.context);
        let ran = self.before_deadline(&mut guarded).await;
        match ran {
            Some(result) => {
                std::mem::forget(stop);
                Ran::without(
                    result.unwrap_or_else(|panic| Err(panicked(self.tool, panic.as_ref()))),
                )
            }
            None => {
                drop(stop);
                // The future may hold values whose destructors panic.
                let dropped = catch_unwind(AssertUnwindSafe(|| drop(guarded)));
                if let Err(panic) = dropped {
                    panicked(self.tool, panic.as_ref());
                }
                self.timed_out(false)
            }
        }
    }

    async fn before_deadline<F: Future + Unpin>(&self, future: F) -> Option<F::Output> {
        match self.deadline {
            Some(deadline) => timeout_at(deadline, future).await.ok(),
            None => Some(future.await),
        }
    }

    fn joined(
        &self,
        joined: Result<Result<Output, ToolError>, JoinError>,
    ) -> Result<Output, ToolError> {
        joined.unwrap_or_else(|error| {
            Err(match error.try_into_panic() {
                Ok(panic) => panicked(self.tool, panic.as_ref()),
                Err(_) => ToolError::with_kind(
                    ErrorKind::Cancelled,
                    format!(
                        "Tool '{}' was cancelled: the runtime is shutting down",
                        self.tool
                    ),
                ),
            })
        })
    }

    fn timed_out(&self, may_still_run: bool) -> Ran {
        let message = format!(
            "Tool '{}' timed out after {}",
            self.tool,
            seconds(self.timeout)
        );
        let hint = if may_still_run {
            "Its work may still go on. Find out what it has done before you call it again."
        } else {
            "Its work was stopped."
        };
        Ran {
            result: Err(ToolError::with_kind(ErrorKind::TimedOut, message).with_hint(hint)),
            may_still_run,
        }
    }
}

/// A spawned function. When nobody waits any more, it is stopped.
struct Task<'a> {
    handle: JoinHandle<Result<Output, ToolError>>,
    context: &'a Context,
    done: bool,
}

impl Task<'_> {
    fn stop(&self) {
        self.context.cancel();
        self.handle.abort();
    }

    fn is_finished(&self) -> bool {
        self.handle.is_finished()
    }
}

impl Future for Task<'_> {
    type Output = Result<Result<Output, ToolError>, JoinError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut std::task::Context<'_>) -> Poll<Self::Output> {
        let joined = ready!(Pin::new(&mut self.handle).poll(context));
        self.done = true;
        Poll::Ready(joined)
    }
}

impl Drop for Task<'_> {
    fn drop(&mut self) {
        if !self.done {
            self.stop();
        }
    }
}

/// Tells the tool that nobody waits any more, also where the caller just goes.
struct StopOnDrop<'a>(&'a Context);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Runs a function of the user's; a panic becomes an error.
pub(super) fn guard<T>(tool: &str, function: impl FnOnce() -> T) -> Result<T, ToolError> {
    catch_unwind(AssertUnwindSafe(function)).map_err(|panic| panicked(tool, panic.as_ref()))
}

/// Awaits a future of the user's; a panic becomes an error.
pub(super) async fn contain<T>(
    tool: &str,
    future: impl Future<Output = T>,
) -> Result<T, ToolError> {
    AssertUnwindSafe(future)
        .catch_unwind()
        .await
        .map_err(|panic| panicked(tool, panic.as_ref()))
}

/// The panic's own words may hold anything, so that only the log gets them.
fn panicked(tool: &str, panic: &(dyn Any + Send)) -> ToolError {
    let words = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    ToolError::with_kind(
        ErrorKind::Panicked,
        format!("Tool '{tool}' failed unexpectedly: it panicked"),
    )
    .with_source(format!("panic: {words}"))
}

/// `1 second`, `30 seconds`, `0.5 seconds`.
fn seconds(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if duration == Duration::from_secs(1) {
        "1 second".to_owned()
    } else {
        format!("{seconds} seconds")
    }
}

#[cfg(test)]
mod tests {
    use super::seconds;
    use std::time::Duration;

    #[test]
    fn a_duration_reads_as_a_person_says_it() {
        for (millis, words) in [
            (500, "0.5 seconds"),
            (1000, "1 second"),
            (30_000, "30 seconds"),
        ] {
            assert_eq!(seconds(Duration::from_millis(millis)), words);
        }
    }
}
