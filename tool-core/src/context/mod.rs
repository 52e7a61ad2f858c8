//! What a tool may know of the call it serves.

mod progress;
mod scope;
mod states;

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::Span;

pub use progress::Progress;
pub(crate) use progress::ProgressListener;
pub(crate) use scope::Scope;
pub(crate) use states::States;

use crate::telemetry::{self, TraceContext};

/// What a tool may know of the call it serves: its id, its deadline, whether
/// it has been cancelled, the shared state; and where to report progress.
///
/// A tool takes it as a parameter of type `&Context`. A clone is cheap and
/// means the same call.
///
/// # Examples
///
/// ```
/// use tool_core::{Context, Progress, tool};
///
/// /// Count to a number, unless somebody stops it.
/// #[tool]
/// async fn count(
///     /// How far to count.
///     to: u8,
///     context: &Context,
/// ) -> String {
///     for number in 0..to {
///         if context.is_cancelled() {
///             return format!("stopped at {number}");
///         }
///         context.report(Progress::new(f64::from(number)).of(f64::from(to)));
///     }
///     format!("counted to {to}")
/// }
/// # fn main() {}
/// ```
#[derive(Clone)]
pub struct Context {
    inner: Arc<Inner>,
}

struct Inner {
    call_id: String,
    deadline: Option<Instant>,
    states: Arc<States>,
    scope: Scope,
    span: Span,
    cancelled: AtomicBool,
    /// Made when a tool asks for it: most tools never do.
    token: OnceLock<CancellationToken>,
}

impl Context {
    /// A context for a call outside an executor, as in a test of one tool:
    /// no id, no deadline, no state, nobody listening.
    pub fn new() -> Self {
        Self::for_call(String::new(), None, Arc::default(), Scope::default())
    }

    pub(crate) fn for_call(
        call_id: String,
        deadline: Option<Instant>,
        states: Arc<States>,
        scope: Scope,
    ) -> Self {
        Self {
            inner: Arc::new(Inner {
                call_id,
                deadline,
                states,
                scope,
                span: Span::current(),
                cancelled: AtomicBool::new(false),
                token: OnceLock::new(),
            }),
        }
    }

    /// The same context with one more state, for a test of one tool.
    ///
    /// # Examples
    ///
    /// ```
    /// use tool_core::Context;
    ///
    /// let context = Context::new().with_state(5_u8);
    /// assert_eq!(context.state::<u8>(), Some(&5));
    /// ```
    #[must_use]
    pub fn with_state<T: Any + Send + Sync>(self, state: T) -> Self {
        let mut states = (*self.inner.states).clone();
        states.insert(Arc::new(state));
        Self::for_call(
            self.inner.call_id.clone(),
            self.inner.deadline,
            Arc::new(states),
            self.inner.scope.clone(),
        )
    }

    /// The provider's id of the call.
    pub fn call_id(&self) -> &str {
        &self.inner.call_id
    }

    /// When the call has to be done.
    pub fn deadline(&self) -> Option<std::time::Instant> {
        self.inner.deadline.map(Instant::into_std)
    }

    /// How much time is left; zero when the deadline has passed.
    pub fn time_left(&self) -> Option<Duration> {
        self.inner
            .deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Whether nobody waits for the result any more: the timeout has passed, the
    /// caller has gone or has cancelled the call, or the executor shuts down. A
    /// sync tool with a long loop should look now and then.
    pub fn is_cancelled(&self) -> bool {
        self.inner.cancelled.load(Ordering::Acquire) || self.inner.scope.is_cancelled()
    }

    /// Waits until the call is cancelled. For `tokio::select!`.
    pub async fn cancelled(&self) {
        self.cancellation().cancelled().await;
    }

    /// The token that is cancelled with the call, to hand to other code. It is
    /// that of the crate `tokio-util`.
    pub fn cancellation(&self) -> &CancellationToken {
        let token = self
            .inner
            .token
            .get_or_init(|| self.inner.scope.child_token());
        // `cancel` may have looked for the token before it was there; the two
        // fences make sure that one of the two sees the other.
        fence(Ordering::SeqCst);
        if self.inner.cancelled.load(Ordering::Acquire) {
            token.cancel();
        }
        token
    }

    pub(crate) fn cancel(&self) {
        self.inner.cancelled.store(true, Ordering::Release);
        fence(Ordering::SeqCst);
        if let Some(token) = self.inner.token.get() {
            token.cancel();
        }
    }

    /// The trace that the call belongs to, to pass on to services: in the
    /// headers `traceparent` and `tracestate`. With the feature `opentelemetry`
    /// it is that of the call's own span, else the caller's; `None` where
    /// neither is known.
    pub fn trace_context(&self) -> Option<TraceContext> {
        telemetry::trace_context(&self.inner.span, self.inner.scope.trace())
    }

    /// Tells who listens how far the tool has come.
    pub fn report(&self, progress: Progress) {
        if let Some(listener) = self.inner.scope.progress() {
            listener(&self.inner.call_id, progress);
        }
    }

    /// The shared state of this type, or `None`. A tool that cannot work
    /// without it takes it as `#[tool(state)] name: &T` instead.
    pub fn state<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.inner.states.borrow()
    }

    pub(crate) fn shared_state<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.inner.states.get()
    }
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Context")
            .field("call_id", &self.inner.call_id)
            .field("deadline", &self.inner.deadline)
            .field("cancelled", &self.is_cancelled())
            .field("states", &self.inner.states)
            .finish_non_exhaustive()
    }
}
