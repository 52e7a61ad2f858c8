//! Running one tool's function under its deadline, behind a panic guard.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::task::{JoinError, JoinHandle};
use tokio::time::{Instant, timeout_at};

use super::watchdog::Alarm;
use crate::arguments::Repair;
use crate::context::Context;
use crate::error::{ErrorKind, ToolError};
use crate::invocation::Work;
use crate::output::Output;

/// How long after its deadline a task gets to stop itself before it counts as
/// one that cannot be stopped.
const GRACE: Duration = Duration::from_millis(10);

/// What came of running a function.
pub(super) struct Ran {
    pub(super) result: Result<Output, ToolError>,
    pub(super) may_still_run: bool,
    pub(super) repairs: Vec<Repair>,
}

impl Ran {
    /// A result with nothing left running behind it.
    pub(super) fn without(result: Result<Output, ToolError>) -> Self {
        Self {
            result,
            may_still_run: false,
            repairs: Vec::new(),
        }
    }
}

/// One function to run.
pub(super) struct Job<'a> {
    pub(super) tool: &'a str,
    /// `None` for a tool that could not look at it.
    pub(super) context: Option<&'a Context>,
    pub(super) timeout: Duration,
    pub(super) deadline: Option<Instant>,
}

impl Job<'_> {
    /// In a task of its own; a sync function on a thread for blocking work.
    pub(super) async fn isolated(&self, work: Work) -> Ran {
        let (handle, alarm) = match (work, self.deadline) {
            (Work::Async(future), Some(deadline)) => {
                // The task keeps its own time; the alarm is for one that
                // blocks its thread and so cannot.
                let timed = async move { timeout_at(deadline, future).await.ok() };
                (tokio::spawn(timed), deadline.into_std().checked_add(GRACE))
            }
            (Work::Async(future), None) => (tokio::spawn(future.map(Some)), None),
            (Work::Blocking(function), deadline) => (
                tokio::task::spawn_blocking(|| Some(function())),
                deadline.map(Instant::into_std),
            ),
        };
        let task = Task {
            handle,
            context: self.context,
            deadline: alarm,
            alarm: None,
            done: false,
        };
        let joined = task.await;
        let late = alarm.is_some_and(|deadline| std::time::Instant::now() > deadline + GRACE);
        match joined {
            // Nobody could look in time: a blocked runtime makes no late success.
            Some(Ok(Some(_))) if late => self.timed_out(false),
            Some(Ok(Some(result))) => Ran::without(result),
            // The future has been dropped at the deadline.
            Some(Ok(None)) => {
                self.cancel();
                self.timed_out(false)
            }
            Some(Err(error)) => Ran::without(Err(self.ended(error))),
            None => self.timed_out(true),
        }
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
        let stop = StopOnDrop(self);
        // A function that never waits needs no timer.
        let at_once = poll_fn(|context| match guarded.poll_unpin(context) {
            Poll::Ready(result) => Poll::Ready(Some(result)),
            Poll::Pending => Poll::Ready(None),
        });
        let ran = match at_once.await {
            Some(result) => Some(result),
            None => self.before_deadline(&mut guarded).await,
        };
        match ran {
            Some(result) => {
                std::mem::forget(stop);
                Ran::without(result.unwrap_or_else(|panic| Err(panicked(self.tool, panic))))
            }
            None => {
                drop(stop);
                // The future may hold values whose destructors panic.
                let dropped = catch_unwind(AssertUnwindSafe(|| drop(guarded)));
                if let Err(panic) = dropped {
                    panicked(self.tool, panic);
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

    /// Why a task ended without a result.
    fn ended(&self, error: JoinError) -> ToolError {
        match error.try_into_panic() {
            Ok(panic) => panicked(self.tool, panic),
            Err(_) => ToolError::with_kind(
                ErrorKind::Cancelled,
                format!(
                    "Tool '{}' was cancelled: the runtime is shutting down",
                    self.tool
                ),
            ),
        }
    }

    fn cancel(&self) {
        if let Some(context) = self.context {
            context.cancel();
        }
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
            repairs: Vec::new(),
        }
    }
}

/// A spawned function: what it gives, or nothing when the alarm goes first.
/// When nobody waits any more, it is stopped.
struct Task<'a> {
    handle: JoinHandle<Option<Result<Output, ToolError>>>,
    context: Option<&'a Context>,
    deadline: Option<std::time::Instant>,
    alarm: Option<Alarm>,
    done: bool,
}

impl Future for Task<'_> {
    type Output = Option<Result<Option<Result<Output, ToolError>>, JoinError>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut std::task::Context<'_>) -> Poll<Self::Output> {
        let task = &mut *self;
        if let Poll::Ready(joined) = Pin::new(&mut task.handle).poll(context) {
            task.done = true;
            return Poll::Ready(Some(joined));
        }
        let Some(deadline) = task.deadline else {
            return Poll::Pending;
        };
        match &mut task.alarm {
            None => task.alarm = Some(Alarm::set(deadline, context.waker())),
            Some(alarm) if std::time::Instant::now() < deadline => alarm.update(context.waker()),
            Some(_) => return Poll::Ready(None),
        }
        Poll::Pending
    }
}

impl Drop for Task<'_> {
    fn drop(&mut self) {
        if !self.done {
            if let Some(context) = self.context {
                context.cancel();
            }
            self.handle.abort();
        }
    }
}

/// Tells the tool that nobody waits any more, also where the caller just goes.
struct StopOnDrop<'a>(&'a Job<'a>);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Runs a function of the user's; a panic becomes an error.
pub(super) fn guard<T>(tool: &str, function: impl FnOnce() -> T) -> Result<T, ToolError> {
    catch_unwind(AssertUnwindSafe(function)).map_err(|panic| panicked(tool, panic))
}

/// Awaits a future of the user's; a panic becomes an error.
pub(super) async fn contain<T>(
    tool: &str,
    future: impl Future<Output = T>,
) -> Result<T, ToolError> {
    AssertUnwindSafe(future)
        .catch_unwind()
        .await
        .map_err(|panic| panicked(tool, panic))
}

/// The panic's own words may hold anything, so that only the log gets them.
fn panicked(tool: &str, panic: Box<dyn Any + Send>) -> ToolError {
    let words = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
        .to_owned();
    // What was thrown may throw again when it is dropped, and so may that.
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(again);
    }
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
