//! What a tool may know of the call it serves.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

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

/// Shared values by their type.
#[derive(Clone, Default)]
pub(crate) struct States {
    values: HashMap<TypeId, (&'static str, Arc<dyn Any + Send + Sync>)>,
}

impl States {
    pub(crate) fn insert<T: Any + Send + Sync>(&mut self, value: Arc<T>) {
        self.values
            .insert(TypeId::of::<T>(), (type_name::<T>(), value));
    }

    pub(crate) fn contains(&self, id: TypeId) -> bool {
        self.values.contains_key(&id)
    }

    fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let (_, value) = self.values.get(&TypeId::of::<T>())?;
        Arc::downcast(Arc::clone(value)).ok()
    }
}

/// The names of the types only: a state may hold secrets.
impl fmt::Debug for States {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<_> = self.values.values().map(|(name, _)| name).collect();
        names.sort_unstable();
        formatter.debug_set().entries(names).finish()
    }
}

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
    progress: Option<ProgressListener>,
    cancelled: AtomicBool,
    /// Made when a tool asks for it: most tools never do.
    token: OnceLock<CancellationToken>,
}

impl Context {
    /// A context for a call outside an executor, as in a test of one tool:
    /// no id, no deadline, no state, nobody listening.
    pub fn new() -> Self {
        Self::for_call(String::new(), None, Arc::default(), None)
    }

    pub(crate) fn for_call(
        call_id: String,
        deadline: Option<Instant>,
        states: Arc<States>,
        progress: Option<ProgressListener>,
    ) -> Self {
        Self {
            inner: Arc::new(Inner {
                call_id,
                deadline,
                states,
                progress,
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
            self.inner.progress.clone(),
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

    /// Whether nobody waits for the result any more: the timeout has passed or
    /// the caller has gone. A sync tool with a long loop should look now and then.
    pub fn is_cancelled(&self) -> bool {
        self.inner.cancelled.load(Ordering::Acquire)
    }

    /// Waits until the call is cancelled. For `tokio::select!`.
    pub async fn cancelled(&self) {
        self.cancellation().cancelled().await;
    }

    /// The token that is cancelled with the call, to hand to other code.
    pub fn cancellation(&self) -> &CancellationToken {
        let token = self.inner.token.get_or_init(CancellationToken::new);
        // `cancel` may have looked for the token before it was there; the two
        // fences make sure that one of the two sees the other.
        fence(Ordering::SeqCst);
        if self.is_cancelled() {
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

    /// Tells who listens how far the tool has come.
    pub fn report(&self, progress: Progress) {
        if let Some(listener) = &self.inner.progress {
            listener(&self.inner.call_id, progress);
        }
    }

    /// The shared state of this type, or `None`. A tool that cannot work
    /// without it takes it as `#[tool(state)] name: &T` instead.
    pub fn state<T: Any + Send + Sync>(&self) -> Option<&T> {
        let (_, value) = self.inner.states.values.get(&TypeId::of::<T>())?;
        value.downcast_ref()
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
