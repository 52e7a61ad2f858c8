//! Running one tool's function under its deadline, behind a panic guard.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::Poll;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{Either, select};
use tokio::task::{JoinError, JoinHandle};
use tokio::time::{Instant, timeout_at};
use tracing::{Instrument as _, Span};

use super::inside::inside;
use super::polled::Polled;
use super::trust::Trust;
use super::watchdog::Alarm;
use crate::context::{Context, Scope};
use crate::error::{ErrorKind, ToolError};
use crate::invocation::Work;
use crate::output::Output;
use crate::panic;

/// How long after its deadline a task gets to stop itself before it counts as
/// one that cannot be stopped.
const GRACE: Duration = Duration::from_millis(10);

type Answer = Result<Output, ToolError>;

/// What came of running a function.
pub(super) struct Ran {
    pub(super) result: Answer,
    /// The work that may still go on.
    pub(super) left: Option<Left>,
}

impl Ran {
    fn done(result: Answer) -> Self {
        Self { result, left: None }
    }
}

/// Work that could not be stopped.
pub(super) struct Left(JoinHandle<Option<Answer>>);

impl Left {
    /// Waits until it is over after all.
    pub(super) async fn over(self) {
        if let Err(error) = self.0.await
            && let Ok(thrown) = error.try_into_panic()
        {
            panic::dispose(|| drop(thrown));
        }
    }
}

/// One function to run.
pub(super) struct Job<'a> {
    pub(super) tool: &'a str,
    /// `None` for a tool that could not look at it.
    pub(super) context: Option<&'a Context>,
    pub(super) scope: &'a Scope,
    pub(super) timeout: Duration,
    pub(super) deadline: Option<Instant>,
    pub(super) trust: &'a Arc<Trust>,
}

/// Why waiting for a task is over.
enum Ended {
    Joined(Result<Option<Answer>, JoinError>),
    Deadline,
    Cancelled,
}

impl Job<'_> {
    /// In a task of its own; a sync function on a thread for blocking work.
    pub(super) async fn isolated(&self, work: Work) -> Ran {
        let mut begun = None;
        let (handle, alarm) = match (work, self.deadline) {
            (Work::Async(future), deadline) => {
                let future = Polled::new(future, self.trust).in_current_span();
                match deadline {
                    // The task keeps its own time; the alarm is for one that
                    // blocks its thread and so cannot.
                    Some(deadline) => {
                        let timed = async move { timeout_at(deadline, future).await.ok() };
                        (tokio::spawn(timed), deadline.into_std().checked_add(GRACE))
                    }
                    None => (tokio::spawn(future.map(Some)), None),
                }
            }
            (Work::Blocking(function), deadline) => {
                let start = Arc::new(Start::default());
                begun = Some(Arc::clone(&start));
                let span = Span::current();
                let function = move || start.begin().then(|| span.in_scope(|| inside(function)));
                (
                    tokio::task::spawn_blocking(function),
                    deadline.map(Instant::into_std),
                )
            }
        };
        let mut task = Task {
            handle: Some(handle),
            context: self.context,
        };
        let ended = self.wait(&mut task, alarm).await;
        let late = alarm.is_some_and(|alarm| std::time::Instant::now() > alarm + GRACE);
        match ended {
            // Nobody could look in time: a blocked runtime makes no late success.
            Ended::Joined(Ok(Some(_))) if late => self.late(),
            Ended::Joined(Ok(Some(result))) => Ran::done(result),
            // The future has been dropped at the deadline.
            Ended::Joined(Ok(None)) => {
                self.cancel();
                self.stopped(&Ended::Deadline, None)
            }
            Ended::Joined(Err(error)) => Ran::done(Err(self.ended(error))),
            Ended::Deadline | Ended::Cancelled => {
                self.cancel();
                let left = task.stop(begun.as_deref()).await;
                if left.is_some() && begun.is_none() {
                    self.trust.offended();
                }
                self.stopped(&ended, left)
            }
        }
    }

    /// Waits for the task, its alarm, or that somebody cancels the call.
    async fn wait(&self, task: &mut Task<'_>, alarm: Option<std::time::Instant>) -> Ended {
        let mut cancelled = pin!(self.scope.cancelled());
        let mut set: Option<Alarm> = None;
        poll_fn(|context| {
            if let Poll::Ready(joined) = task.poll(context) {
                return Poll::Ready(Ended::Joined(joined));
            }
            if cancelled.as_mut().poll(context).is_ready() {
                return Poll::Ready(Ended::Cancelled);
            }
            let Some(deadline) = alarm else {
                return Poll::Pending;
            };
            match &mut set {
                None => set = Some(Alarm::set(deadline, context.waker())),
                Some(alarm) if std::time::Instant::now() < deadline => {
                    alarm.update(context.waker());
                }
                Some(_) => return Poll::Ready(Ended::Deadline),
            }
            Poll::Pending
        })
        .await
    }

    /// In the caller's task.
    pub(super) async fn inline(&self, work: Work) -> Ran {
        let future = match work {
            Work::Async(future) => Polled::unwatched(future),
            Work::Blocking(function) => {
                let result = guard(self.tool, || inside(function));
                return Ran::done(result.and_then(|result| result));
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
            Some(result) => Ok(result),
            // Boxed, to keep those small that never wait.
            None => Box::pin(self.in_time(&mut guarded)).await,
        };
        match ran {
            Ok(result) => {
                std::mem::forget(stop);
                Ran::done(result.unwrap_or_else(|thrown| Err(panicked(self.tool, thrown))))
            }
            Err(ended) => {
                drop(stop);
                // The future may hold values whose destructors panic.
                panic::dispose(|| drop(guarded));
                self.stopped(&ended, None)
            }
        }
    }

    async fn in_time<F: Future + Unpin>(&self, future: F) -> Result<F::Output, Ended> {
        let cancelled = pin!(self.scope.cancelled());
        let timed = async {
            match self.deadline {
                Some(deadline) => timeout_at(deadline, future).await.ok(),
                None => Some(future.await),
            }
        };
        match select(pin!(timed), cancelled).await {
            Either::Left((Some(output), _)) => Ok(output),
            Either::Left((None, _)) => Err(Ended::Deadline),
            Either::Right(_) => Err(Ended::Cancelled),
        }
    }

    /// Why a task ended without a result.
    fn ended(&self, error: JoinError) -> ToolError {
        match error.try_into_panic() {
            Ok(thrown) => panicked(self.tool, thrown),
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

    fn timed_out(&self) -> ToolError {
        let time = seconds(self.timeout);
        ToolError::with_kind(
            ErrorKind::TimedOut,
            format!("Tool '{}' timed out after {time}", self.tool),
        )
    }

    fn late(&self) -> Ran {
        Ran::done(Err(self.timed_out().with_hint(
            "It was done only after that. Find out what it has done before you call it again.",
        )))
    }

    fn stopped(&self, why: &Ended, left: Option<Left>) -> Ran {
        let error = match why {
            Ended::Cancelled => cancelled(self.tool),
            _ => self.timed_out(),
        };
        let hint = if left.is_some() {
            "Its work may still go on. Find out what it has done before you call it again."
        } else {
            "Its work was stopped."
        };
        Ran {
            result: Err(error.with_hint(hint)),
            left,
        }
    }
}

/// The error of a call that somebody cancelled.
pub(super) fn cancelled(tool: &str) -> ToolError {
    ToolError::with_kind(
        ErrorKind::Cancelled,
        format!("Tool '{tool}' was cancelled before it was done"),
    )
}

/// Whether a sync function has begun: what has not can be stopped for certain.
#[derive(Default)]
struct Start(AtomicU8);

impl Start {
    const BEGUN: u8 = 1;
    const GIVEN_UP: u8 = 2;

    /// Whether the function may begin.
    fn begin(&self) -> bool {
        self.decide(Self::BEGUN)
    }

    /// Whether the function has not begun, and now never will.
    fn give_up(&self) -> bool {
        self.decide(Self::GIVEN_UP)
    }

    fn decide(&self, what: u8) -> bool {
        let decided = self
            .0
            .compare_exchange(0, what, Ordering::AcqRel, Ordering::Acquire);
        decided.is_ok()
    }
}

/// A spawned function. When nobody waits any more, it is stopped.
struct Task<'a> {
    /// `None` when it is done.
    handle: Option<JoinHandle<Option<Answer>>>,
    context: Option<&'a Context>,
}

impl Task<'_> {
    fn poll(
        &mut self,
        context: &mut std::task::Context<'_>,
    ) -> Poll<Result<Option<Answer>, JoinError>> {
        let Some(handle) = &mut self.handle else {
            return Poll::Pending;
        };
        let joined = Pin::new(handle).poll(context);
        if joined.is_ready() {
            self.handle = None;
        }
        joined
    }

    /// Stops the task, or gives what is left of it.
    async fn stop(mut self, start: Option<&Start>) -> Option<Left> {
        let mut handle = self.handle.take()?;
        handle.abort();
        match start {
            Some(start) if start.give_up() => return None,
            // A function that has begun ends when it likes.
            Some(_) if !handle.is_finished() => return Some(Left(handle)),
            _ => {}
        }
        let until = std::time::Instant::now() + GRACE;
        let mut set: Option<Alarm> = None;
        let stopped = poll_fn(|context| {
            if let Poll::Ready(joined) = Pin::new(&mut handle).poll(context) {
                return Poll::Ready(Some(joined));
            }
            if std::time::Instant::now() >= until {
                return Poll::Ready(None);
            }
            match &mut set {
                None => set = Some(Alarm::set(until, context.waker())),
                Some(alarm) => alarm.update(context.waker()),
            }
            Poll::Pending
        });
        match stopped.await {
            Some(joined) => {
                panic::dispose(|| drop(joined));
                None
            }
            None => Some(Left(handle)),
        }
    }
}

impl Drop for Task<'_> {
    fn drop(&mut self) {
        if let Some(handle) = &self.handle {
            if let Some(context) = self.context {
                context.cancel();
            }
            handle.abort();
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
    catch_unwind(AssertUnwindSafe(function)).map_err(|thrown| panicked(tool, thrown))
}

/// Awaits a future of the user's; a panic becomes an error.
pub(super) async fn contain<T>(
    tool: &str,
    future: impl Future<Output = T>,
) -> Result<T, ToolError> {
    panic::Contained::new(future)
        .await
        .map_err(|thrown| panicked(tool, thrown))
}

/// The panic's own words may hold anything, so that only the log gets them.
fn panicked(tool: &str, thrown: Box<dyn std::any::Any + Send>) -> ToolError {
    let words = panic::words(thrown);
    ToolError::with_kind(
        ErrorKind::Panicked,
        format!("Tool '{tool}' failed unexpectedly: it panicked"),
    )
    .with_source(format!("panic: {words}"))
}

/// `1 second`, `30 seconds`, `0.5 seconds`.
pub(super) fn seconds(duration: Duration) -> String {
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
