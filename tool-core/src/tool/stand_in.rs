//! The same tool with another function behind it, for tests.

use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::{Blueprint, RunTime, Source, Tool};
use crate::arguments::Origin;
use crate::context::Context;
use crate::invocation::Work;

impl Tool {
    /// The same definition, checked in the same way, with another function.
    pub(crate) fn with_function(
        &self,
        function: impl Fn(Value, Context) -> Work + Send + Sync + 'static,
    ) -> Self {
        Self::from_source(Source::RunTime(Arc::new(RunTime {
            blueprint: Blueprint {
                definition: self.definition().clone(),
                origin: self.blueprint().origin,
                plan: OnceLock::new(),
            },
            handler: Box::new(function),
            approval_if: self.approval_if(),
            site: self.site(),
        })))
    }

    /// Whether the schema was made of types, so that formats are checked.
    pub(crate) fn is_declared(&self) -> bool {
        self.blueprint().origin == Origin::Declared
    }

    /// Whether arguments can be given to the function without any of it running.
    pub(crate) fn prepares_without_running(&self) -> bool {
        matches!(self.inner.source, Source::Declared(_))
    }
}
