//! Code of the host that runs around every call.

#[cfg(feature = "cache")]
mod cache;
mod chain;
mod closures;
mod retry;

use std::fmt;
use std::future::{Future, ready};

use serde_json::Value;

#[cfg(feature = "cache")]
pub use cache::Cache;
pub(crate) use chain::Hooks;
pub use chain::Next;
pub(crate) use closures::{AfterFn, BeforeFn, OnErrorFn};
pub use retry::Retry;

use crate::context::Context;
use crate::error::ToolError;
use crate::output::Output;
use crate::tool::Tool;

/// A call as a [`Hook`] sees it: its tool, its arguments after validation and
/// repair, its context.
pub struct HookedCall {
    pub(crate) call_id: String,
    pub(crate) tool: Tool,
    pub(crate) arguments: Value,
    /// Whether a hook has set the arguments.
    pub(crate) changed: bool,
    pub(crate) context: Context,
}

impl HookedCall {
    /// The provider's id of the call.
    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    /// The tool.
    pub fn tool(&self) -> &Tool {
        &self.tool
    }

    /// The arguments, an object that the tool's schema accepts. Secret values
    /// are in them as they are.
    pub fn arguments(&self) -> &Value {
        &self.arguments
    }

    /// Changes the arguments. They are validated again before the tool runs.
    pub fn set_arguments(&mut self, arguments: Value) {
        self.arguments = arguments;
        self.changed = true;
    }

    /// The context of the call. Its deadline is known once the tool may run:
    /// in all hooks but [`before`](Hook::before).
    pub fn context(&self) -> &Context {
        &self.context
    }
}

/// Arguments may hold secrets, so they are left out.
impl fmt::Debug for HookedCall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("HookedCall")
            .field("call_id", &self.call_id)
            .field("tool", &self.tool.name())
            .finish_non_exhaustive()
    }
}

/// What a hook says before a tool runs.
#[derive(Debug)]
#[non_exhaustive]
pub enum Before {
    /// The call goes on.
    Go,
    /// The tool does not run, nobody is asked, and the hooks inside this one do
    /// not look: this is the result, which every hook sees [after](Hook::after) it.
    Answer(Output),
}

/// Code of the host that runs around every call: to log, to refuse, to change
/// arguments or results, to try again.
///
/// Each method has a default that changes nothing. Hooks see the calls whose
/// tool exists, that no rule and no limit refuses, and whose arguments the
/// schema accepts. The first hook that is added is the outermost: its `before`
/// comes first, its `after` last. A call that waits for a person has its
/// `before` when it is made, and the others when it goes on.
///
/// A hook that panics, or takes longer than
/// [`hook_timeout`](crate::ExecutorBuilder::hook_timeout), fails its call with
/// an error that tells the model nothing of the hook, and no other. One that
/// blocks its thread holds up its caller.
///
/// # Examples
///
/// ```
/// use tool_core::{Before, Call, Catalogue, Executor, Hook, HookedCall, Output, ToolError, tool, tools};
///
/// /// Double a number.
/// #[tool]
/// fn double(
///     /// The number.
///     number: i64,
/// ) -> i64 {
///     number * 2
/// }
///
/// struct Small;
///
/// impl Hook for Small {
///     async fn before(&self, call: &mut HookedCall) -> Result<Before, ToolError> {
///         match call.arguments()["number"].as_i64() {
///             Some(number) if number > 100 => Err(ToolError::denied("only numbers up to 100")),
///             _ => Ok(Before::Go),
///         }
///     }
///
///     async fn after(&self, _call: &HookedCall, output: Output) -> Result<Output, ToolError> {
///         Ok(Output::from(format!("= {}", output.text())))
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let tools = Catalogue::new(tools![double]).unwrap();
/// let executor = Executor::builder(tools).hook(Small).build().unwrap();
/// let outcome = executor.call(Call::new("1", "double", r#"{"number":4}"#)).await;
/// assert_eq!(outcome.text(), "= 8");
/// let outcome = executor.call(Call::new("2", "double", r#"{"number":400}"#)).await;
/// assert_eq!(outcome.text(), "Error: only numbers up to 100");
/// # }
/// ```
pub trait Hook: Send + Sync + 'static {
    /// Before anybody is asked for approval: may change the arguments, answer
    /// in place of the tool, or refuse with an error.
    fn before(
        &self,
        call: &mut HookedCall,
    ) -> impl Future<Output = Result<Before, ToolError>> + Send {
        let _ = call;
        ready(Ok(Before::Go))
    }

    /// Around the run of the tool, after approval: calls [`Next::run`] once,
    /// several times, or not at all.
    fn around(
        &self,
        call: &HookedCall,
        next: Next<'_>,
    ) -> impl Future<Output = Result<Output, ToolError>> + Send {
        let _ = call;
        async move { next.run().await }
    }

    /// After a result, of the tool or of another hook: may change it.
    fn after(
        &self,
        call: &HookedCall,
        output: Output,
    ) -> impl Future<Output = Result<Output, ToolError>> + Send {
        let _ = call;
        ready(Ok(output))
    }

    /// After an error: may change it, or give a result in its place.
    fn on_error(
        &self,
        call: &HookedCall,
        error: ToolError,
    ) -> impl Future<Output = Result<Output, ToolError>> + Send {
        let _ = call;
        ready(Err(error))
    }
}
