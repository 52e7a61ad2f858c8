//! Hooks that are a closure each.

use std::future::{Future, ready};

use super::{Before, Hook, HookedCall};
use crate::error::ToolError;
use crate::output::Output;

/// A closure that looks at each call before it runs.
pub(crate) struct BeforeFn<F>(pub(crate) F);

impl<F> Hook for BeforeFn<F>
where
    F: Fn(&mut HookedCall) -> Result<Before, ToolError> + Send + Sync + 'static,
{
    fn before(
        &self,
        call: &mut HookedCall,
    ) -> impl Future<Output = Result<Before, ToolError>> + Send {
        ready((self.0)(call))
    }
}

/// A closure that looks at each result.
pub(crate) struct AfterFn<F>(pub(crate) F);

impl<F> Hook for AfterFn<F>
where
    F: Fn(&HookedCall, Output) -> Result<Output, ToolError> + Send + Sync + 'static,
{
    fn after(
        &self,
        call: &HookedCall,
        output: Output,
    ) -> impl Future<Output = Result<Output, ToolError>> + Send {
        ready((self.0)(call, output))
    }
}

/// A closure that looks at each error.
pub(crate) struct OnErrorFn<F>(pub(crate) F);

impl<F> Hook for OnErrorFn<F>
where
    F: Fn(&HookedCall, ToolError) -> Result<Output, ToolError> + Send + Sync + 'static,
{
    fn on_error(
        &self,
        call: &HookedCall,
        error: ToolError,
    ) -> impl Future<Output = Result<Output, ToolError>> + Send {
        ready((self.0)(call, error))
    }
}
