//! A log of calls, to look at when an agent is done.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::stub::same_names;
use crate::arguments::{Limits, RepairMode};
use crate::call::{Arguments, Call};
use crate::catalogue::Catalogue;
use crate::context::Context;
use crate::error::{ErrorKind, ToolError};
use crate::executor::Executor;
use crate::invocation::Work;
use crate::outcome::{Batch, Outcome};
use crate::output::Output;
use crate::tool::Tool;

/// One call in the log of a [`Recorder`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecordedCall {
    /// The provider's id of the call.
    pub id: String,
    /// The name that was called.
    pub name: String,
    /// The arguments; a JSON string where they are text that is no JSON.
    pub arguments: Value,
    /// What the model was told; `None` while the tool runs, and for good where
    /// it was stopped.
    pub text: Option<String>,
    /// Why there is no result, where there is none.
    pub error: Option<ErrorKind>,
}

/// A log of the calls that an agent makes. A clone is cheap and means the same log.
///
/// There are two places to stand. [`watch`](Self::watch) puts the log behind
/// the tools of a catalogue, for an agent that has an executor of its own: it
/// sees the calls that reach a tool, with the arguments as the tool gets them.
/// [`run`](Self::run) and [`call`](Self::call) put it before an executor: they
/// also see calls that are refused, as the model wrote them. Both at once
/// write each call twice.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use tool_core::testing::{self, Recorder};
/// use tool_core::{Call, Catalogue, tool, tools};
///
/// /// Say hello.
/// #[tool]
/// fn greet(
///     /// To whom.
///     name: String,
/// ) -> String {
///     format!("Hello, {name}!")
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let recorder = Recorder::new();
/// let tools = recorder.watch(&Catalogue::new(tools![greet]).unwrap());
/// let executor = testing::executor(&tools).build().unwrap();
/// executor.call(Call::new("1", "greet", r#"{"name":"Ada"}"#)).await;
///
/// recorder.assert_called("greet", json!({ "name": "Ada" }));
/// assert_eq!(recorder.calls()[0].text.as_deref(), Some("Hello, Ada!"));
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Recorder {
    log: Arc<Mutex<Log>>,
}

#[derive(Default)]
struct Log {
    calls: Vec<RecordedCall>,
    /// How many calls were there before those that are in the list.
    forgotten: usize,
}

impl Recorder {
    /// An empty log.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same tools, each of which writes down its calls.
    ///
    /// An executor no longer says at once which state is missing: the call
    /// says it.
    #[must_use]
    pub fn watch(&self, catalogue: &Catalogue) -> Catalogue {
        let tools = catalogue.iter().map(|tool| self.watched(tool));
        same_names(Catalogue::new(tools))
    }

    fn watched(&self, tool: &Tool) -> Tool {
        let log = self.clone();
        let inner = tool.clone();
        tool.with_function(move |arguments, context| {
            let place = log.begin(context.call_id(), inner.name(), arguments.clone());
            log.follow(place, work_of(&inner, arguments, &context))
        })
    }

    /// Work that writes down how it ends.
    fn follow(&self, place: usize, work: Result<Work, ToolError>) -> Work {
        let log = self.clone();
        match work {
            Ok(Work::Async(future)) => Work::Async(Box::pin(async move {
                let result = future.await;
                log.end_with(place, &result);
                result
            })),
            Ok(Work::Blocking(function)) => Work::Blocking(Box::new(move || {
                let result = function();
                log.end_with(place, &result);
                result
            })),
            Err(error) => {
                let result = Err(error);
                log.end_with(place, &result);
                Work::Async(Box::pin(async move { result }))
            }
        }
    }

    /// Runs one call on an executor and writes it down.
    ///
    /// # Examples
    ///
    /// ```
    /// use tool_core::testing::{self, Recorder};
    /// use tool_core::{Call, Catalogue, ErrorKind};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let executor = testing::executor(&Catalogue::default()).build().unwrap();
    /// let recorder = Recorder::new();
    /// recorder.call(&executor, Call::new("1", "greet", "{}")).await;
    /// assert_eq!(recorder.calls()[0].error, Some(ErrorKind::NotFound));
    /// # }
    /// ```
    pub async fn call(&self, executor: &Executor, call: Call) -> Outcome {
        let place = self.begin(&call.id, &call.name, value(&call.arguments));
        let outcome = executor.call(call).await;
        self.end(place, &outcome.text(), outcome.error_kind());
        outcome
    }

    /// Runs a batch of calls on an executor and writes them down, in their order.
    pub async fn run(&self, executor: &Executor, calls: impl IntoIterator<Item = Call>) -> Batch {
        let calls: Vec<Call> = calls.into_iter().collect();
        let places: Vec<usize> = calls
            .iter()
            .map(|call| self.begin(&call.id, &call.name, value(&call.arguments)))
            .collect();
        let batch = executor.run(calls).await;
        for (place, outcome) in places.into_iter().zip(&batch) {
            self.end(place, &outcome.text(), outcome.error_kind());
        }
        batch
    }

    /// The calls, in the order in which they began.
    pub fn calls(&self) -> Vec<RecordedCall> {
        self.lock().calls.clone()
    }

    /// The calls of one tool, in the order in which they began.
    pub fn calls_of(&self, name: &str) -> Vec<RecordedCall> {
        let log = self.lock();
        let of_tool = log.calls.iter().filter(|call| call.name == name);
        of_tool.cloned().collect()
    }

    /// Checks that a tool was called with exactly these arguments, at least once.
    ///
    /// # Panics
    ///
    /// When it was not; the message shows how it was called instead.
    #[track_caller]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a test writes `json!(…)` there"
    )]
    pub fn assert_called(&self, name: &str, arguments: Value) {
        let of_tool = self.calls_of(name);
        if of_tool.iter().any(|call| call.arguments == arguments) {
            return;
        }
        let all = self.calls();
        let instead = match (of_tool.as_slice(), all.as_slice()) {
            ([], []) => "nothing was called".to_owned(),
            ([], others) => format!("it was not called; called were:{}", Lines(others)),
            (calls, _) => format!("it was called with:{}", Lines(calls)),
        };
        panic!("expected a call of `{name}` with {arguments}, but {instead}");
    }

    /// Checks that a tool was never called.
    ///
    /// # Panics
    ///
    /// When it was; the message shows how.
    #[track_caller]
    pub fn assert_not_called(&self, name: &str) {
        let calls = self.calls_of(name);
        assert!(
            calls.is_empty(),
            "expected no call of `{name}`, but it was called with:{}",
            Lines(&calls)
        );
    }

    /// Checks which tools were called, in which order.
    ///
    /// # Panics
    ///
    /// When it were others or in another order; the message shows which.
    #[track_caller]
    pub fn assert_order<'a>(&self, names: impl IntoIterator<Item = &'a str>) {
        let expected: Vec<&str> = names.into_iter().collect();
        let calls = self.calls();
        let came: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
        assert!(
            came == expected,
            "expected calls of {expected:?}, but these came:{}",
            Lines(&calls)
        );
    }

    /// Forgets all calls. One that still runs is not written down any more.
    pub fn clear(&self) {
        let mut log = self.lock();
        log.forgotten += log.calls.len();
        log.calls.clear();
    }

    fn begin(&self, id: &str, name: &str, arguments: Value) -> usize {
        let mut log = self.lock();
        log.calls.push(RecordedCall {
            id: id.to_owned(),
            name: name.to_owned(),
            arguments,
            text: None,
            error: None,
        });
        log.forgotten + log.calls.len() - 1
    }

    fn end_with(&self, place: usize, result: &Result<Output, ToolError>) {
        match result {
            Ok(output) => self.end(place, &output.text(), None),
            Err(error) => self.end(place, &error.to_model(), Some(error.kind())),
        }
    }

    fn end(&self, place: usize, text: &str, error: Option<ErrorKind>) {
        let mut log = self.lock();
        let place = place.checked_sub(log.forgotten);
        if let Some(call) = place.and_then(|place| log.calls.get_mut(place)) {
            call.text = Some(text.to_owned());
            call.error = error;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Recorder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.calls()).finish()
    }
}

/// The tool's own work, on arguments that have been checked and mended before.
fn work_of(tool: &Tool, arguments: Value, context: &Context) -> Result<Work, ToolError> {
    let limits = Limits {
        max_bytes: usize::MAX,
        repair: RepairMode::Off,
        overrides: true,
    };
    let (work, _) = tool.prepare(&Arguments::Value(arguments), Some(context), limits)?;
    Ok(work)
}

fn value(arguments: &Arguments) -> Value {
    match arguments {
        Arguments::Value(value) => value.clone(),
        Arguments::Text(text) => {
            serde_json::from_str(text).unwrap_or_else(|_| text.as_str().into())
        }
    }
}

/// Calls for a message, one a line.
struct Lines<'a>(&'a [RecordedCall]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// More would not be read.
        const SHOWN: usize = 20;
        for call in self.0.iter().take(SHOWN) {
            write!(formatter, "\n  {} {}", call.name, call.arguments)?;
        }
        match self.0.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(formatter, "\n  and {more} more"),
        }
    }
}
