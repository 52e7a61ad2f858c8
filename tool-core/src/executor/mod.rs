//! Runs calls: checked, side by side, each in its own task, each answered.

mod approval;
mod builder;
mod run;
mod watchdog;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream;
use tokio::time::Instant;

pub use approval::{ApprovalRequest, Decision};
pub use builder::{ExecutorBuilder, ExecutorError};

use crate::arguments::{Limits, Repair};
use crate::call::{Arguments, Call};
use crate::catalogue::Catalogue;
use crate::context::{Context, ProgressListener, States};
use crate::definition::{Approval, Kind};
use crate::error::{ErrorKind, ToolError};
use crate::json_text::JsonText;
use crate::outcome::{Batch, Outcome};
use crate::output::{Content, Output};
use crate::redact::Redactor;
use crate::schema::describe;
use crate::tool::Tool;
use approval::Approver;
use run::Ran;

/// Runs the calls that a model makes on the tools of one catalogue.
///
/// Every call gets exactly one [`Outcome`]: a wrong name, wrong arguments, a
/// panic and a timeout are outcomes too, in words that the model can act on.
/// Each call runs in a task of its own, and a sync function on a thread where
/// it may block, so that no tool holds up the caller; see
/// [`isolation`](ExecutorBuilder::isolation).
///
/// It needs a Tokio runtime with its timer on. On a multi-thread runtime the
/// answer comes at the deadline also when an async function blocks its
/// thread, as long as another thread of the runtime is free; on a
/// current-thread runtime only a sync function can be timed out while it blocks.
///
/// A clone is cheap and means the same executor.
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
    states: Arc<States>,
    timeout: Duration,
    max_timeout: Duration,
    isolation: bool,
    concurrency: usize,
    limits: Limits,
    max_output_bytes: usize,
    progress: Option<ProgressListener>,
    approver: Option<Approver>,
    redactor: Redactor,
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

    /// Runs several calls side by side, at most
    /// [`concurrency`](ExecutorBuilder::concurrency) at a time. The outcomes
    /// are in the order of the calls, and a failure stops none of the others.
    pub async fn run(&self, calls: impl IntoIterator<Item = Call>) -> Batch {
        let calls: Vec<Call> = calls.into_iter().collect();
        let mut outcomes: Vec<Option<Outcome>> = calls.iter().map(|_| None).collect();
        let mut running = stream::iter(calls.into_iter().enumerate())
            .map(|(index, call)| async move { (index, self.call(call).await) })
            .buffer_unordered(self.inner.concurrency);
        while let Some((index, outcome)) = running.next().await {
            if let Some(place) = outcomes.get_mut(index) {
                *place = Some(outcome);
            }
        }
        Batch::new(outcomes.into_iter().flatten().collect())
    }

    /// Runs one call.
    pub async fn call(&self, call: Call) -> Outcome {
        let started = Instant::now();
        let Call {
            id,
            name,
            arguments,
        } = call;
        let Some(tool) = self.inner.catalogue.find(&name) else {
            let error = self.not_found(&name);
            let mut name = name;
            self.inner.redactor.redact(&mut name);
            return self.outcome(id, name, started, Ran::without(Err(error)));
        };
        let (ran, interrupts) = match self.serve(tool, &id, &arguments, started).await {
            Ok(ran) => (ran, tool.definition().kind == Kind::Interrupt),
            Err(error) => (Ran::without(Err(error)), false),
        };
        let name = if tool.name() == name {
            name
        } else {
            tool.name().to_owned()
        };
        let mut outcome = self.outcome(id, name, started, ran);
        outcome.interrupts = interrupts;
        outcome
    }

    /// Steps 2 to 4 of a call. An error means that the function did not start.
    async fn serve(
        &self,
        tool: &Tool,
        id: &str,
        arguments: &Arguments,
        started: Instant,
    ) -> Result<Ran, ToolError> {
        let inner = &*self.inner;
        let definition = tool.definition();
        let timeout = definition
            .timeout
            .unwrap_or(inner.timeout)
            .min(inner.max_timeout);
        // A timeout beyond the clock is none that could ever pass.
        let deadline = started.checked_add(timeout);
        // Most tools look at neither context nor state.
        let context = tool.uses_context().then(|| {
            Context::for_call(
                id.to_owned(),
                deadline,
                Arc::clone(&inner.states),
                inner.progress.clone(),
            )
        });
        let context = context.as_ref();
        let prepare = |arguments: &Arguments| {
            run::guard(tool.name(), || {
                tool.prepare(arguments, context, inner.limits)
            })
        };
        let (work, repairs, deadline) = if definition.approval != Approval::Never {
            let (arguments, repairs) = self.approved(tool, id, arguments).await?;
            // A person may take longer than the tool may.
            let deadline = Instant::now().checked_add(timeout);
            let (work, _) = prepare(&arguments)??;
            (work, repairs, deadline)
        } else {
            let (work, repairs) = prepare(arguments)??;
            (work, repairs, deadline)
        };
        let job = run::Job {
            tool: tool.name(),
            context,
            timeout,
            deadline,
        };
        let mut ran = if inner.isolation {
            job.isolated(work).await
        } else {
            job.inline(work).await
        };
        ran.repairs = repairs;
        Ok(ran)
    }

    /// The arguments that were approved, which are those that run.
    async fn approved(
        &self,
        tool: &Tool,
        id: &str,
        arguments: &Arguments,
    ) -> Result<(Arguments, Vec<Repair>), ToolError> {
        let (accepted, repairs) = tool.accept(arguments, self.inner.limits)?;
        let Some(approver) = &self.inner.approver else {
            return Err(ToolError::denied(format!(
                "Tool '{}' needs the approval of a person, and nobody can be asked",
                tool.name()
            ))
            .with_hint("The host allows it with `Executor::builder(…).approval(…)`."));
        };
        let request = ApprovalRequest {
            call_id: id.to_owned(),
            tool: tool.clone(),
            arguments: accepted.clone(),
        };
        // The handler's first part runs inside too: it may panic as well.
        let asked = async move { approver(request).await };
        match run::contain(tool.name(), asked).await? {
            Decision::Allow => Ok((Arguments::Value(accepted), repairs)),
            Decision::Deny(reason) => Err(ToolError::denied(format!(
                "Tool '{}' was not approved: {reason}",
                tool.name()
            ))),
        }
    }

    fn not_found(&self, name: &str) -> ToolError {
        let catalogue = &self.inner.catalogue;
        let error = ToolError::with_kind(
            ErrorKind::NotFound,
            format!("There is no tool '{}'", describe::name(name)),
        );
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

    /// Step 5: what leaves is of bounded size and free of secrets.
    fn outcome(&self, call_id: String, tool: String, started: Instant, ran: Ran) -> Outcome {
        let redactor = &self.inner.redactor;
        let mut repairs = ran.repairs;
        let result = match ran.result {
            Ok(output) => Ok(self.finish(output)),
            Err(mut error) => {
                repairs.extend(error.take_repairs());
                Err(error.map_text(|text| redactor.redact(text)))
            }
        };
        for repair in &mut repairs {
            for text in [&mut repair.path, &mut repair.before, &mut repair.after] {
                redactor.redact(text);
            }
        }
        Outcome {
            call_id,
            tool,
            result,
            repairs,
            elapsed: started.elapsed(),
            interrupts: false,
            may_still_run: ran.may_still_run,
        }
    }

    fn finish(&self, mut output: Output) -> Output {
        let redactor = &self.inner.redactor;
        let mut left = self.inner.max_output_bytes;
        for content in output.content_mut() {
            match content {
                Content::Text(text) | Content::Note(text) => {
                    redactor.redact(text);
                    cut(text, left);
                    left = left.saturating_sub(text.len());
                }
                Content::Json(json) => {
                    if let Some(clean) = redactor.redacted_json(json.as_str()) {
                        *json = JsonText::trusted(clean);
                    }
                    let length = json.as_str().len();
                    if length > left {
                        let mut text = json.as_str().to_owned();
                        cut(&mut text, left);
                        *content = Content::Text(text);
                    }
                    left = left.saturating_sub(length);
                }
                Content::File(file) => {
                    redactor.redact(&mut file.filename);
                    if let Some(text) = &mut file.description {
                        redactor.redact(text);
                    }
                }
            }
        }
        output
    }
}

/// Cuts a text to so many bytes and says so.
fn cut(text: &mut String, limit: usize) {
    if text.len() <= limit {
        return;
    }
    let total = text.len();
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text.push_str(&format!(
        "\n[cut: these are the first {end} of {total} bytes]"
    ));
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
            .field("concurrency", &inner.concurrency)
            .field("redactor", &inner.redactor)
            .finish_non_exhaustive()
    }
}
