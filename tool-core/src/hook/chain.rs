//! All hooks of an executor, in their order, each contained.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout, timeout_at};

use super::{Before, Hook, HookedCall};
use crate::error::{ErrorKind, ToolError};
use crate::output::Output;
use crate::panic;

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
type Result<T> = std::result::Result<T, ToolError>;

/// A hook of any type.
trait AnyHook: Send + Sync {
    fn before<'a>(&'a self, call: &'a mut HookedCall) -> Boxed<'a, Result<Before>>;
    fn around<'a>(&'a self, call: &'a HookedCall, next: Next<'a>) -> Boxed<'a, Result<Output>>;
    fn after<'a>(&'a self, call: &'a HookedCall, output: Output) -> Boxed<'a, Result<Output>>;
    fn on_error<'a>(&'a self, call: &'a HookedCall, error: ToolError) -> Boxed<'a, Result<Output>>;
}

impl<H: Hook> AnyHook for H {
    fn before<'a>(&'a self, call: &'a mut HookedCall) -> Boxed<'a, Result<Before>> {
        Box::pin(Hook::before(self, call))
    }

    fn around<'a>(&'a self, call: &'a HookedCall, next: Next<'a>) -> Boxed<'a, Result<Output>> {
        Box::pin(Hook::around(self, call, next))
    }

    fn after<'a>(&'a self, call: &'a HookedCall, output: Output) -> Boxed<'a, Result<Output>> {
        Box::pin(Hook::after(self, call, output))
    }

    fn on_error<'a>(&'a self, call: &'a HookedCall, error: ToolError) -> Boxed<'a, Result<Output>> {
        Box::pin(Hook::on_error(self, call, error))
    }
}

/// What runs the tool itself, as often as it is called.
pub(crate) type Run<'a> = dyn Fn() -> Boxed<'a, Result<Output>> + Send + Sync + 'a;

/// What a hook is [`around`](Hook::around): the hooks inside it, and the tool.
#[derive(Clone, Copy)]
pub struct Next<'a> {
    hooks: &'a [Arc<dyn AnyHook>],
    call: &'a HookedCall,
    run: &'a Run<'a>,
}

impl<'a> Next<'a> {
    /// Runs the tool, with the hooks inside this one around it.
    ///
    /// # Errors
    ///
    /// The tool's error, or that of a hook.
    pub fn run(&self) -> impl Future<Output = Result<Output>> + Send + use<'a> {
        self.boxed()
    }

    fn boxed(&self) -> Boxed<'a, Result<Output>> {
        match self.hooks.split_first() {
            None => (self.run)(),
            Some((first, rest)) => {
                let inner = Self {
                    hooks: rest,
                    ..*self
                };
                let call = self.call;
                // Making the future is the hook's code too.
                let outer = async move { first.around(call, inner).await };
                Box::pin(contained(outer))
            }
        }
    }
}

impl fmt::Debug for Next<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Next")
    }
}

/// All hooks of an executor.
pub(crate) struct Hooks {
    hooks: Vec<Arc<dyn AnyHook>>,
    /// How long each may take.
    pub(crate) timeout: Duration,
}

impl Hooks {
    pub(crate) fn new(timeout: Duration) -> Self {
        Self {
            hooks: Vec::new(),
            timeout,
        }
    }

    pub(crate) fn push(&mut self, hook: impl Hook) {
        self.hooks.push(Arc::new(hook));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.hooks.is_empty()
    }

    /// Asks each hook in turn, until one answers or refuses.
    pub(crate) async fn before(&self, call: &mut HookedCall) -> Result<Before> {
        for hook in &self.hooks {
            let asked = self.in_time(async { hook.before(call).await }).await?;
            if let Before::Answer(output) = asked {
                return Ok(Before::Answer(output));
            }
        }
        Ok(Before::Go)
    }

    /// Runs the tool with all hooks around it. They have until some time after
    /// the tool's own deadline.
    pub(crate) async fn around<'a>(
        &'a self,
        call: &'a HookedCall,
        deadline: Option<Instant>,
        run: &'a Run<'a>,
    ) -> Result<Output> {
        let next = Next {
            hooks: &self.hooks,
            call,
            run,
        };
        let result = next.boxed();
        match deadline.and_then(|deadline| deadline.checked_add(self.timeout)) {
            None => result.await,
            Some(deadline) => timeout_at(deadline, result)
                .await
                .unwrap_or_else(|_| Err(too_slow())),
        }
    }

    /// Shows what came of the call to each hook, the innermost first.
    pub(crate) async fn after(
        &self,
        call: &HookedCall,
        mut result: Result<Output>,
    ) -> Result<Output> {
        for hook in self.hooks.iter().rev() {
            result = match result {
                Ok(output) => self.in_time(async { hook.after(call, output).await }).await,
                Err(error) => {
                    self.in_time(async { hook.on_error(call, error).await })
                        .await
                }
            };
        }
        result
    }

    async fn in_time<T>(&self, hook: impl Future<Output = Result<T>>) -> Result<T> {
        timeout(self.timeout, contained(hook))
            .await
            .unwrap_or_else(|_| Err(too_slow()))
    }
}

impl fmt::Debug for Hooks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Hooks({})", self.hooks.len())
    }
}

/// A hook's panic is an error of its call and of nothing else.
async fn contained<T>(hook: impl Future<Output = Result<T>>) -> Result<T> {
    panic::Contained::new(hook).await.unwrap_or_else(|thrown| {
        let words = panic::words(thrown);
        Err(failed().with_source(format!("a hook panicked: {words}")))
    })
}

fn too_slow() -> ToolError {
    failed().with_source("a hook took too long")
}

fn failed() -> ToolError {
    ToolError::with_kind(
        ErrorKind::Failed,
        "The host could not handle this call; whether the tool has run is not known",
    )
}
