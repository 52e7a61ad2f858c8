//! What an executor is made of.

mod approval;
mod hooks;

use std::any::Any;
use std::fmt;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::error::ExecutorError;
use super::places::Places;
use super::{Executor, Inner};
use crate::approval::{ApprovalKey, Approver, Rule, Sealer, UseOnce, unmatched};
use crate::arguments::{Limits, MAX_BYTES, RepairMode};
use crate::catalogue::Catalogue;
use crate::context::{Progress, ProgressListener, Scope, States};
use crate::hook::Hooks;
use crate::panic;
use crate::redact::Redactor;
use crate::results::{Budget, ResultStore};
use crate::telemetry::Recording;
use crate::turn::Keys;

/// Builds an [`Executor`].
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use tool_core::{Catalogue, Executor};
///
/// let executor = Executor::builder(Catalogue::default())
///     .state(String::from("a connection"))
///     .timeout(Duration::from_secs(10))
///     .concurrency(4)
///     .build()
///     .unwrap();
/// assert!(executor.catalogue().is_empty());
/// ```
#[must_use]
pub struct ExecutorBuilder {
    catalogue: Catalogue,
    states: States,
    timeout: Duration,
    max_timeout: Duration,
    isolation: bool,
    concurrency: usize,
    limits: Limits,
    budget: Budget,
    results: Option<ResultStore>,
    progress: Option<ProgressListener>,
    rules: Vec<Rule>,
    approver: Option<Approver>,
    approval_key: Option<ApprovalKey>,
    approval_lifetime: Duration,
    ledger: Option<UseOnce>,
    hooks: Hooks,
    retries: u32,
    recording: Recording,
    secrets: Vec<String>,
}

impl ExecutorBuilder {
    pub(super) fn new(catalogue: Catalogue) -> Self {
        Self {
            catalogue,
            states: States::default(),
            timeout: Duration::from_secs(120),
            max_timeout: Duration::MAX,
            isolation: true,
            concurrency: 32,
            limits: Limits {
                max_bytes: MAX_BYTES,
                repair: RepairMode::On,
                overrides: false,
            },
            budget: Budget::default(),
            results: None,
            progress: None,
            rules: Vec::new(),
            approver: None,
            approval_key: None,
            approval_lifetime: Sealer::LIFETIME,
            ledger: None,
            hooks: Hooks::new(Duration::from_secs(10)),
            retries: 3,
            recording: Recording::default(),
            secrets: Vec::new(),
        }
    }

    /// Adds a value that tools take as `#[tool(state)] name: &T`. A second
    /// value of the same type replaces the first.
    pub fn state<T: Any + Send + Sync>(self, state: T) -> Self {
        self.shared_state(Arc::new(state))
    }

    /// Adds a state that the program holds too.
    pub fn shared_state<T: Any + Send + Sync>(mut self, state: Arc<T>) -> Self {
        self.states.insert(state);
        self
    }

    /// How long a call may take whose tool names no `timeout`. 120 seconds by default.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How long any call may take, also of a tool that names a longer `timeout`.
    /// No limit by default.
    pub fn max_timeout(mut self, timeout: Duration) -> Self {
        self.max_timeout = timeout;
        self
    }

    /// Whether each call runs in a task of its own, and a sync function on a
    /// thread where it may block. On by default.
    ///
    /// Without it a call runs in the caller's task, which for a tool that does
    /// next to nothing is faster, by far where the caller is the thread that
    /// blocks on the runtime (the `dispatch` benchmark prints how much); but a
    /// tool that blocks then blocks the caller, and its timeout with it.
    pub fn isolation(mut self, isolation: bool) -> Self {
        self.isolation = isolation;
        self
    }

    /// How many calls run at a time, of all batches and sessions together, at
    /// least 1. 32 by default. Calls that a running tool makes are not counted.
    pub fn concurrency(mut self, concurrency: usize) -> Self {
        self.concurrency = concurrency.max(1);
        self
    }

    /// Whether arguments that are nearly right are mended, where the tool does
    /// not say. On by default.
    pub fn repair(mut self, mode: RepairMode) -> Self {
        self.limits.repair = mode;
        self
    }

    /// How many bytes the argument text of a call may have. 4 MiB by default.
    pub fn max_argument_bytes(mut self, bytes: usize) -> Self {
        self.limits.max_bytes = bytes;
        self
    }

    /// How many bytes of text and JSON a result may have, where the tool does not
    /// say; what is more is cut out of the middle, with a note. 64 KiB by
    /// default. Files do not count.
    pub fn max_output_bytes(mut self, bytes: usize) -> Self {
        self.budget.max_bytes = bytes;
        self
    }

    /// How many tokens a result may have, as this function counts them. The
    /// limit in bytes holds too.
    pub fn max_output_tokens(
        mut self,
        tokens: usize,
        count: impl Fn(&str) -> usize + Send + Sync + 'static,
    ) -> Self {
        self.budget.tokens = Some((tokens, Arc::new(count)));
        self
    }

    /// Where results that are too long are kept whole. The executor's catalogue
    /// gets the tool `results-read_result`, with which the model reads on: take
    /// the definitions for the model from [`Executor::catalogue`].
    ///
    /// # Examples
    ///
    /// ```
    /// use tool_core::{Call, Catalogue, Dialect, Executor, ResultStore, tool, tools};
    ///
    /// /// Count.
    /// #[tool(max_output = 200)]
    /// fn count() -> String {
    ///     (0..1000).map(|number| format!("{number}\n")).collect()
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let executor = Executor::builder(Catalogue::new(tools![count]).unwrap())
    ///     .keep_results(ResultStore::new())
    ///     .build()
    ///     .unwrap();
    /// assert_eq!(Dialect::OpenAi.definitions(executor.catalogue()).tools.len(), 2);
    ///
    /// let outcome = executor.call(Call::new("1", "count", "{}")).await;
    /// assert!(outcome.text().contains("To read on, call `results-read_result` with `id`"));
    /// # }
    /// ```
    pub fn keep_results(mut self, store: ResultStore) -> Self {
        self.results = Some(store);
        self
    }

    /// Who hears what tools report with [`Context::report`](crate::Context::report):
    /// the id of the call, and how far it has come.
    pub fn on_progress(
        mut self,
        listener: impl Fn(&str, Progress) + Send + Sync + 'static,
    ) -> Self {
        self.progress = Some(Arc::new(listener));
        self
    }

    /// How often in a row a tool may ask the model to try again with
    /// [`ToolError::retry`](crate::ToolError::retry), where the tool does not say. Then the model is
    /// told to stop. 3 by default.
    pub fn retries(mut self, times: u32) -> Self {
        self.retries = times;
        self
    }

    /// What the span of a call shows beside its name, its id and how it ended.
    /// Neither arguments nor results by default.
    pub fn recording(mut self, recording: Recording) -> Self {
        self.recording = recording;
        self
    }

    /// A value that is taken out of every result and error. Values of fewer
    /// than four bytes are ignored.
    pub fn secret(mut self, secret: impl Into<String>) -> Self {
        self.secrets.push(secret.into());
        self
    }

    /// The executor.
    ///
    /// # Errors
    ///
    /// When a tool needs a state that was not added, or a rule names what is
    /// not there: the error names all. When results are kept and a tool is
    /// named `results-read_result` already. When the registered secrets are too
    /// many or too long to be searched for.
    pub fn build(self) -> Result<Executor, ExecutorError> {
        let mut catalogue = self.catalogue;
        let mut missing = Vec::new();
        for tool in &catalogue {
            for state in tool.state_types() {
                if !self.states.contains((state.id)()) {
                    missing.push((tool.name().to_owned(), (state.name)()));
                }
            }
        }
        if !missing.is_empty() {
            return Err(ExecutorError::MissingState(missing));
        }
        let slips = unmatched(&self.rules, &catalogue);
        if !slips.is_empty() {
            return Err(ExecutorError::Rules(slips));
        }
        if let Some(store) = &self.results {
            catalogue = catalogue
                .with([store.tool()])
                .map_err(ExecutorError::Catalogue)?;
        }
        let redactor = Redactor::new(self.secrets).map_err(ExecutorError::Secrets)?;
        let progress = self
            .progress
            .map(|listener| guarded(listener, redactor.clone()));
        let mut sealer = Sealer::new(self.approval_key.as_ref(), self.approval_lifetime);
        if let Some(ledger) = self.ledger {
            sealer = sealer.with_ledger(ledger);
        }
        Ok(Executor {
            inner: Arc::new(Inner {
                entries: catalogue.iter().map(|_| OnceLock::new()).collect(),
                catalogue,
                states: Arc::new(self.states),
                timeout: self.timeout,
                max_timeout: self.max_timeout,
                isolation: self.isolation,
                places: Places::new(self.concurrency),
                limits: self.limits,
                budget: self.budget,
                results: self.results,
                retries: self.retries,
                rules: self.rules,
                approver: self.approver,
                sealer,
                keys: Keys::new(),
                hooks: self.hooks,
                redactor,
                recording: self.recording,
                scope: Scope::new(CancellationToken::new(), progress),
                left: AtomicUsize::new(0),
            }),
        })
    }
}

/// A listener that hears no secrets, and whose panic is not the tool's.
pub(super) fn guarded(listener: ProgressListener, redactor: Redactor) -> ProgressListener {
    Arc::new(move |id, mut progress| {
        if let Some(message) = &mut progress.message {
            redactor.redact(message);
        }
        let mut heard = false;
        panic::dispose(|| {
            listener(id, progress);
            heard = true;
        });
        if !heard {
            let clean = redactor.redacted(id);
            let call_id = clean.as_deref().unwrap_or(id);
            tracing::error!(call_id, "the listener for progress panicked");
        }
    })
}

impl fmt::Debug for ExecutorBuilder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ExecutorBuilder")
            .field("tools", &self.catalogue)
            .field("states", &self.states)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
