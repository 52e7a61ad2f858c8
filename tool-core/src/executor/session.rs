//! The calls of one run of an agent.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::stream::RunStream;
use super::{Executor, guarded};
use crate::approval::{Decision, Pending, ResumeError};
use crate::call::Call;
use crate::context::{Progress, Scope};
use crate::outcome::{Batch, Outcome};
use crate::telemetry::TraceContext;
use crate::usage::{Usage, UsageLimits};

/// The calls of one run of an agent, or of one conversation: they are counted
/// together, limited together and cancelled together.
///
/// A clone is cheap and means the same session.
///
/// # Examples
///
/// ```
/// use tool_core::{Call, Catalogue, ErrorKind, Executor, UsageLimits, tool, tools};
///
/// /// Answer that the service is up.
/// #[tool]
/// fn ping() -> &'static str {
///     "pong"
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let executor = Executor::new(Catalogue::new(tools![ping]).unwrap()).unwrap();
/// let session = executor.session().limits(UsageLimits::new().calls(1));
/// assert_eq!(session.call(Call::new("1", "ping", "{}")).await.text(), "pong");
///
/// let outcome = session.call(Call::new("2", "ping", "{}")).await;
/// assert_eq!(outcome.error_kind(), Some(ErrorKind::LimitReached));
/// # }
/// ```
#[derive(Clone)]
#[must_use]
pub struct Session {
    executor: Executor,
    scope: Scope,
}

impl Session {
    pub(super) fn new(executor: Executor) -> Self {
        let scope = executor.inner.scope.child().with_usage(Usage::default());
        Self { executor, scope }
    }

    /// What the session may use. Counting begins anew.
    pub fn limits(mut self, limits: UsageLimits) -> Self {
        self.scope = self.scope.with_usage(Usage::new(limits));
        self
    }

    /// A token of the host's that cancels the session too, such as one that
    /// stands for the connection of a client: the type is that of the crate
    /// `tokio-util`. A second token replaces the first.
    ///
    /// # Examples
    ///
    /// ```
    /// use tokio_util::sync::CancellationToken;
    /// use tool_core::{Call, Catalogue, ErrorKind, Executor, tool, tools};
    ///
    /// /// Wait for a message.
    /// #[tool]
    /// async fn wait() -> String {
    ///     std::future::pending().await
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let executor = Executor::new(Catalogue::new(tools![wait]).unwrap()).unwrap();
    /// let connection = CancellationToken::new();
    /// let session = executor.session().cancelled_by(connection.clone());
    /// let waiting = tokio::spawn(async move { session.call(Call::new("1", "wait", "{}")).await });
    /// connection.cancel();
    /// let outcome = waiting.await.unwrap();
    /// assert_eq!(outcome.error_kind(), Some(ErrorKind::Cancelled));
    /// # }
    /// ```
    pub fn cancelled_by(mut self, token: CancellationToken) -> Self {
        self.scope = self.scope.with_host(token);
        self
    }

    /// Who hears what the tools of this session report, in place of the
    /// executor's own listener: the id of the call, and how far it has come.
    pub fn on_progress(
        mut self,
        listener: impl Fn(&str, Progress) + Send + Sync + 'static,
    ) -> Self {
        let listener = guarded(Arc::new(listener), self.executor.inner.redactor.clone());
        self.scope = self.scope.with_progress(listener);
        self
    }

    /// The trace that the calls belong to, as a caller sends it in the headers
    /// `traceparent` and `tracestate`.
    pub fn trace_context(mut self, trace: TraceContext) -> Self {
        self.scope = self.scope.with_trace(trace);
        self
    }

    /// The executor.
    pub fn executor(&self) -> &Executor {
        &self.executor
    }

    /// How many calls have been made.
    pub fn calls_made(&self) -> usize {
        self.scope.usage().calls()
    }

    /// Cancels all calls of the session, also those to come: each has its
    /// outcome, an error of kind [`Cancelled`](crate::ErrorKind::Cancelled).
    pub fn cancel(&self) {
        self.scope.cancel();
    }

    /// Runs one call; see [`Executor::call`].
    pub fn call(&self, call: Call) -> impl Future<Output = Outcome> + Send {
        self.executor.answer(&self.scope, call, None)
    }

    /// Runs several calls; see [`Executor::run`].
    pub async fn run(&self, calls: impl IntoIterator<Item = Call>) -> Batch {
        self.executor.run_in(&self.scope, calls).await
    }

    /// Goes on with a call that waits for a decision; see [`Executor::resume`].
    ///
    /// # Errors
    ///
    /// As there.
    pub async fn resume(
        &self,
        pending: &Pending,
        decision: Decision,
    ) -> Result<Outcome, ResumeError> {
        self.executor
            .resume_in(&self.scope, pending, decision)
            .await
    }

    /// Runs several calls as it is read; see [`Executor::run_stream`].
    pub fn run_stream(&self, calls: impl IntoIterator<Item = Call>) -> RunStream {
        RunStream::new(&self.executor, &self.scope, calls.into_iter().collect())
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Session")
            .field("executor", &self.executor)
            .field("calls_made", &self.calls_made())
            .finish_non_exhaustive()
    }
}
