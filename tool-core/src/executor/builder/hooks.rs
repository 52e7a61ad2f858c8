//! Hooks of an executor.

use std::time::Duration;

use super::ExecutorBuilder;
use crate::error::ToolError;
use crate::hook::{AfterFn, Before, BeforeFn, Hook, HookedCall, OnErrorFn};
use crate::output::Output;

impl ExecutorBuilder {
    /// Code that runs around every call. The first that is added is the outermost.
    pub fn hook(mut self, hook: impl Hook) -> Self {
        self.hooks.push(hook);
        self
    }

    /// A [`Hook`] that only looks at calls before they run.
    ///
    /// # Examples
    ///
    /// ```
    /// use tool_core::{Before, Catalogue, Executor, ToolError};
    ///
    /// let executor = Executor::builder(Catalogue::default())
    ///     .before(|call| match call.arguments()["path"].as_str() {
    ///         Some(path) if path.ends_with(".key") => Err(ToolError::denied("no keys")),
    ///         _ => Ok(Before::Go),
    ///     })
    ///     .build();
    /// # executor.unwrap();
    /// ```
    pub fn before<F>(self, look: F) -> Self
    where
        F: Fn(&mut HookedCall) -> Result<Before, ToolError> + Send + Sync + 'static,
    {
        self.hook(BeforeFn(look))
    }

    /// A [`Hook`] that only looks at results.
    pub fn after<F>(self, look: F) -> Self
    where
        F: Fn(&HookedCall, Output) -> Result<Output, ToolError> + Send + Sync + 'static,
    {
        self.hook(AfterFn(look))
    }

    /// A [`Hook`] that only looks at errors.
    pub fn on_error<F>(self, look: F) -> Self
    where
        F: Fn(&HookedCall, ToolError) -> Result<Output, ToolError> + Send + Sync + 'static,
    {
        self.hook(OnErrorFn(look))
    }

    /// How long each hook may take; one that is around a call, after the
    /// call's own deadline. 10 seconds by default.
    pub fn hook_timeout(mut self, timeout: Duration) -> Self {
        self.hooks.timeout = timeout;
        self
    }
}
