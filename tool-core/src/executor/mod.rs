//! Runs calls: checked, side by side, each in its own task, each answered.

mod ask;
mod batch;
mod builder;
mod entry;
mod error;
mod finish;
mod inside;
mod places;
mod polled;
mod resume;
mod run;
mod serve;
mod session;
mod shutdown;
mod stream;
mod trust;
mod turns;
mod watchdog;

use std::fmt;
use std::future::Future;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::StreamExt as _;
use tokio::time::Instant;
use tracing::Instrument as _;

pub use builder::ExecutorBuilder;
use builder::guarded;
pub use error::ExecutorError;
pub use session::Session;
pub use shutdown::Shutdown;
pub use stream::{RunEvent, RunStream};

use crate::approval::{Approver, Rule, Sealer};
use crate::arguments::Limits;
use crate::call::Call;
use crate::catalogue::Catalogue;
use crate::context::{Scope, States};
use crate::error::{ErrorKind, ToolError};
use crate::hook::Hooks;
use crate::outcome::{Batch, Outcome};
use crate::redact::{Redactor, quoting};
use crate::results::{Budget, ResultStore};
use crate::schema::describe;
use crate::telemetry::{self, Recording};
use crate::tool::Tool;
use crate::turn::Keys;
use batch::Running;
use entry::Entry;
use places::Places;
use serve::{Served, Serving, closing};
use turns::Ticket;

/// Runs the calls that a model makes on the tools of one catalogue.
///
/// Every call gets exactly one [`Outcome`]: a wrong name, wrong arguments, a
/// panic and a timeout are outcomes too, in words that the model can act on.
/// Each call runs in a task of its own, and a sync function on a thread where
/// it may block, so that no tool holds up the caller; see
/// [`isolation`](ExecutorBuilder::isolation).
///
/// Secrets are taken out of all that leaves it: results, errors, progress,
/// records, spans and logs. Three things are not its own to change: the id of a
/// call, by which the provider finds it again (in spans and logs it is
/// cleared); the contents of files; and what the program's panic hook prints
/// when a tool panics, which by default is the panic's words, to stderr.
///
/// A clone is cheap and means the same executor.
///
/// # Deadlines
///
/// The answer comes at the deadline, and the outcome says whether the work was
/// stopped or [may still go on](Outcome::may_still_run). It needs a Tokio
/// runtime with its timer on; what holds there with isolation:
///
/// | the function | multi-thread runtime | current-thread runtime |
/// |---|---|---|
/// | is async, and awaits | is dropped where it awaits, at the deadline | the same |
/// | is async, and blocks its thread | is answered at the deadline and goes on until it awaits or ends | is answered when it lets go of the thread, as one that timed out |
/// | is sync | is answered at the deadline and goes on until it ends | the same |
///
/// On a multi-thread runtime the first 16 calls of each async function are
/// polled by `tokio::task::block_in_place`, which hands the other tasks of the
/// thread to another one, so that functions which block cannot take all
/// workers. A function that never held its thread for longer than 20
/// milliseconds is then polled as any other task, which costs less; one that is
/// caught at blocking later goes back, for longer. Until it is caught it holds
/// a worker, so that the runtime needs one more than may be held at once.
///
/// A sync function runs on the runtime's pool of threads for blocking work, 512
/// unless [its builder](tokio::runtime::Builder::max_blocking_threads) says
/// otherwise. A call that gets no thread before its deadline has not run, and
/// its outcome says so. A function that goes on keeps its thread, and the
/// runtime waits for it when it ends: a sync function with a long loop should
/// look at [`Context::is_cancelled`](crate::Context::is_cancelled) now and then.
///
/// # Examples
///
/// ```
/// use tool_core::{Call, Catalogue, Executor, tool, tools};
///
/// /// Add two numbers.
/// #[tool]
/// fn add(
///     /// The first number.
///     a: i64,
///     /// The second number.
///     b: i64,
/// ) -> i64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let executor = Executor::new(Catalogue::new(tools![add]).unwrap()).unwrap();
///
/// let outcome = executor.call(Call::new("1", "add", r#"{"a":1,"b":2}"#)).await;
/// assert_eq!(outcome.text(), "3");
///
/// let outcome = executor.call(Call::new("2", "add", r#"{"a":1,"b":"two"}"#)).await;
/// assert_eq!(
///     outcome.text().lines().next(),
///     Some("Error: Invalid arguments for tool 'add': `b`: expected an integer, got \"two\"."),
/// );
/// # }
/// ```
#[derive(Clone)]
pub struct Executor {
    inner: Arc<Inner>,
}

struct Inner {
    catalogue: Catalogue,
    /// By the place of the tool in the catalogue.
    entries: Box<[OnceLock<Entry>]>,
    states: Arc<States>,
    timeout: Duration,
    max_timeout: Duration,
    isolation: bool,
    places: Places,
    limits: Limits,
    budget: Budget,
    results: Option<ResultStore>,
    retries: u32,
    rules: Vec<Rule>,
    approver: Option<Approver>,
    sealer: Sealer,
    keys: Arc<Keys>,
    hooks: Hooks,
    redactor: Redactor,
    recording: Recording,
    /// What all calls are in. Its end is the executor's.
    scope: Scope,
    /// How much work could not be stopped and still goes on.
    left: AtomicUsize,
}

impl Executor {
    /// An executor without state and with all defaults.
    ///
    /// # Errors
    ///
    /// When a tool needs a state; use [`builder`](Self::builder) then.
    pub fn new(catalogue: impl Into<Catalogue>) -> Result<Self, ExecutorError> {
        Self::builder(catalogue).build()
    }

    /// Begins an executor of these tools.
    pub fn builder(catalogue: impl Into<Catalogue>) -> ExecutorBuilder {
        ExecutorBuilder::new(catalogue.into())
    }

    /// The tools.
    pub fn catalogue(&self) -> &Catalogue {
        &self.inner.catalogue
    }

    /// The calls of one run of an agent, with limits and a cancellation of their own.
    pub fn session(&self) -> Session {
        Session::new(self.clone())
    }

    /// Runs several calls side by side. The outcomes are in the order of the
    /// calls, and a failure stops none of the others.
    ///
    /// A tool that is `sequential` waits for the calls before it, and those
    /// after it wait for it. Equal calls of a tool that is both `read_only` and
    /// `idempotent` share one run, unless such a tool stands between them.
    pub async fn run(&self, calls: impl IntoIterator<Item = Call>) -> Batch {
        self.run_in(&self.inner.scope, calls).await
    }

    async fn run_in(&self, scope: &Scope, calls: impl IntoIterator<Item = Call>) -> Batch {
        let calls: Vec<Call> = calls.into_iter().collect();
        let mut outcomes: Vec<Option<Outcome>> = calls.iter().map(|_| None).collect();
        let mut running = Running::new(self, scope, calls);
        while let Some((index, outcome)) = running.next().await {
            if let Some(place) = outcomes.get_mut(index) {
                *place = Some(outcome);
            }
        }
        Batch::new(outcomes.into_iter().flatten().collect())
    }

    /// Runs several calls as [`run`](Self::run) does, and gives progress and
    /// outcomes as they come.
    ///
    /// # Examples
    ///
    /// ```
    /// use futures_util::StreamExt as _;
    /// use tool_core::{Call, Catalogue, Executor, RunEvent, tool, tools};
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
    /// let mut events = executor.run_stream([Call::new("1", "ping", "{}")]);
    /// while let Some(event) = events.next().await {
    ///     if let RunEvent::Done { index, outcome } = event {
    ///         assert_eq!((index, outcome.text().as_ref()), (0, "pong"));
    ///     }
    /// }
    /// # }
    /// ```
    pub fn run_stream(&self, calls: impl IntoIterator<Item = Call>) -> RunStream {
        RunStream::new(self, &self.inner.scope, calls.into_iter().collect())
    }

    /// Runs one call.
    pub fn call(&self, call: Call) -> impl Future<Output = Outcome> + Send {
        self.answer(&self.inner.scope, call, None)
    }

    /// One outcome for one call, whatever happens.
    ///
    /// The usual call is awaited here and not in a function of its own, and all
    /// others are boxed: what a future holds is copied whenever it is passed on.
    async fn answer(&self, scope: &Scope, call: Call, ticket: Option<Ticket>) -> Outcome {
        let started = Instant::now();
        let inner = &self.inner;
        let found = self.lookup(&call.name);
        let tool = found.map(|(tool, _)| tool);
        let span = telemetry::span(tool, &call.id, scope.trace(), &inner.redactor);
        let entered = inner.places.enter();
        let served = match (found, &entered) {
            (None, _) => Served::without(self.not_found(&call.name)),
            (Some(_), None) => Served::without(closing()),
            (Some((tool, entry)), Some(_)) => {
                let serving = Serving {
                    inner,
                    scope,
                    tool,
                    entry,
                    id: &call.id,
                };
                let mut served = if entry.is_plain && span.is_disabled() {
                    serving.plain(&call.arguments, started).await
                } else {
                    let served = Box::pin(serving.serve(&call.arguments, started, ticket));
                    served.instrument(span.clone()).await
                };
                serving.count_tries(&mut served);
                served
            }
        };
        let in_span = span.enter();
        let entry = found.map(|(_, entry)| entry);
        let name = inner.name_of(call.name, tool);
        let outcome = inner.outcome(call.id, name, entry, started, served);
        drop(in_span);
        telemetry::finish(&span, tool, &outcome, inner.recording);
        outcome
    }

    /// The place in its queue of a call that has to wait for others with an
    /// equal argument, taken now.
    fn ticket(&self, scope: &Scope, call: &Call) -> Option<Ticket> {
        let (tool, entry) = self.lookup(&call.name)?;
        entry.key()?;
        let serving = Serving {
            inner: &self.inner,
            scope,
            tool,
            entry,
            id: &call.id,
        };
        let (accepted, _) = serving.accept(&call.arguments, self.inner.limits).ok()?;
        serving.ticket(&accepted)
    }

    /// The tool that a model means, and what is known of it.
    fn lookup(&self, name: &str) -> Option<(&Tool, &Entry)> {
        let inner = &*self.inner;
        let (index, tool) = inner.catalogue.find_indexed(name)?;
        let entry = inner.entries.get(index)?;
        Some((tool, entry.get_or_init(|| Entry::new(tool, inner))))
    }

    fn not_found(&self, name: &str) -> ToolError {
        let catalogue = &self.inner.catalogue;
        // Before it is shortened: half a secret is not known any more.
        let shown = quoting::with(&self.inner.redactor, || describe::name(name));
        let error =
            ToolError::with_kind(ErrorKind::NotFound, format!("There is no tool '{shown}'"));
        let nearest = catalogue.nearest(name);
        if !nearest.is_empty() {
            return error.with_hint(format!("Did you mean '{}'?", nearest.join("' or '")));
        }
        /// A longer list than this would bury the message.
        const LISTED: usize = 30;
        if catalogue.is_empty() {
            error.with_hint("There are no tools.")
        } else if catalogue.len() <= LISTED {
            let names: Vec<&str> = catalogue.names().collect();
            error.with_hint(format!("The tools are '{}'.", names.join("', '")))
        } else {
            error
        }
    }
}

impl fmt::Debug for Executor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.inner;
        formatter
            .debug_struct("Executor")
            .field("tools", &inner.catalogue)
            .field("states", &inner.states)
            .field("timeout", &inner.timeout)
            .field("isolation", &inner.isolation)
            .field("hooks", &inner.hooks)
            .field("redactor", &inner.redactor)
            .finish_non_exhaustive()
    }
}
