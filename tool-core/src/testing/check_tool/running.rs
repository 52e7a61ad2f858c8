//! Running one call where it can do no harm to the test: it may panic, and it
//! may never end.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use jsonschema::Validator;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};
use tokio::time::Instant;

use super::CheckTool;
use crate::arguments::{Limits, MAX_BYTES, RepairMode};
use crate::call::Arguments;
use crate::context::{Context, Scope, States};
use crate::error::{ErrorKind, ToolError};
use crate::invocation::Work;
use crate::output::Output;
use crate::tool::Tool;

/// How much later than its timeout a call may answer on a busy machine.
const GRACE: Duration = Duration::from_millis(500);

const LIMITS: Limits = Limits {
    max_bytes: MAX_BYTES,
    repair: RepairMode::Off,
    overrides: true,
};

/// Where the calls of one test run.
pub(super) struct Bench {
    tool: Tool,
    states: Arc<States>,
    timeout: Duration,
    runtime: Option<Runtime>,
    output: Option<Validator>,
}

impl Bench {
    pub(super) fn new(check: &CheckTool) -> Result<Self, String> {
        // Two threads: one that blocks must not hold up the timer.
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|error| format!("there is no runtime to run calls on: {error}"))?;
        let definition = check.tool.definition();
        let output = match &definition.output_schema {
            None => None,
            Some(schema) => Some(
                jsonschema::validator_for(schema)
                    .map_err(|error| format!("the `output_schema` is no JSON Schema: {error}"))?,
            ),
        };
        Ok(Self {
            tool: check.tool.clone(),
            states: Arc::new(check.states.clone()),
            timeout: definition.timeout.unwrap_or(check.timeout),
            runtime: Some(runtime),
            output,
        })
    }

    /// Runs one call and says what is wrong with what it came to.
    pub(super) fn call(&self, arguments: &Value) -> Result<(), Wrong> {
        let Some(runtime) = &self.runtime else {
            return Ok(());
        };
        let (sender, receiver) = mpsc::channel();
        let deadline = Instant::now().checked_add(self.timeout);
        let context = Context::for_call(
            "check".to_owned(),
            deadline,
            self.states.clone(),
            Scope::default(),
        );
        let tool = self.tool.clone();
        // Text, as most calls come.
        let text = arguments.to_string();
        let timeout = self.timeout;
        let in_call = context.clone();
        let task = runtime.spawn(async move {
            let text: Arguments = text.into();
            let (work, _) = tool.prepare(&text, Some(&in_call), LIMITS)?;
            match work {
                Work::Async(future) => future.await,
                Work::Blocking(function) => match tokio::task::spawn_blocking(function).await {
                    Ok(result) => result,
                    Err(error) => match error.try_into_panic() {
                        Ok(panic) => std::panic::resume_unwind(panic),
                        Err(error) => Err(error.into()),
                    },
                },
            }
        });
        let stop = task.abort_handle();
        runtime.spawn(async move {
            // The test has given up where nobody receives.
            let _ = sender.send(task.await);
        });
        match receiver.recv_timeout(timeout.saturating_add(GRACE)) {
            Ok(Ok(result)) => self.judge(result),
            Ok(Err(error)) => match error.try_into_panic() {
                Ok(panic) => Err(Wrong::new(format!("a call panicked: {}", words(&*panic)))),
                Err(_) => Ok(()),
            },
            Err(_) => {
                context.cancel();
                stop.abort();
                Err(Wrong::late(format!(
                    "a call did not answer within its timeout of {timeout:?}"
                )))
            }
        }
    }

    fn judge(&self, result: Result<Output, ToolError>) -> Result<(), Wrong> {
        let output = match result {
            Ok(output) => output,
            Err(error) if error.kind() == ErrorKind::InvalidArguments => {
                return Err(disagrees(&error));
            }
            Err(error) if error.kind() == ErrorKind::TimedOut => {
                return Err(Wrong::new(format!("a call timed out: {error}")));
            }
            // The tool's own way to say no.
            Err(_) => return Ok(()),
        };
        let Some(validator) = &self.output else {
            return Ok(());
        };
        let Some(json) = output.json() else {
            return Err(Wrong::new(
                "there is an `output_schema`, but the result is not one piece of JSON".to_owned(),
            ));
        };
        let value: Value = serde_json::from_str(json.as_str())
            .map_err(|error| Wrong::new(format!("the result is no JSON: {error}")))?;
        let problems: Vec<String> = validator
            .iter_errors(&value)
            .take(5)
            .map(|error| format!("\n  at `{}`: {error}", error.instance_path().as_str()))
            .collect();
        if problems.is_empty() {
            return Ok(());
        }
        Err(Wrong::new(format!(
            "the result does not fit the `output_schema`:{}\nresult: {value}",
            problems.concat()
        )))
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // A call that never ends must not hold up the test.
            runtime.shutdown_background();
        }
    }
}

/// What is wrong with a call.
pub(super) struct Wrong {
    pub(super) message: String,
    /// Whether it took the whole timeout to find out, and will again.
    pub(super) is_late: bool,
}

impl Wrong {
    fn new(message: String) -> Self {
        Self {
            message,
            is_late: false,
        }
    }

    fn late(message: String) -> Self {
        Self {
            message,
            is_late: true,
        }
    }
}

/// Gives arguments to the types of the parameters, and runs nothing.
pub(super) fn prepare(tool: &Tool, states: &Arc<States>, arguments: &Value) -> Result<(), Wrong> {
    let context = Context::for_call(
        "check".to_owned(),
        None,
        Arc::clone(states),
        Scope::default(),
    );
    let text: Arguments = arguments.to_string().into();
    let prepared = catch_unwind(AssertUnwindSafe(|| {
        tool.prepare(&text, Some(&context), LIMITS).map(drop)
    }));
    match prepared {
        Ok(Err(error)) if error.kind() == ErrorKind::InvalidArguments => Err(disagrees(&error)),
        Ok(_) => Ok(()),
        Err(panic) => Err(Wrong::new(format!(
            "reading the arguments panicked: {}",
            words(&*panic)
        ))),
    }
}

fn disagrees(error: &ToolError) -> Wrong {
    Wrong::new(format!(
        "the schema accepts these arguments, and the type of a parameter does not: {}",
        error.message()
    ))
}

/// What a panic says.
fn words(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message")
}
