//! What an executor knows of one tool: made when it is first called.

use std::sync::Arc;
use std::time::Duration;

use super::Inner;
use super::trust::Trust;
use crate::definition::{Approval, Kind, Sequential};
use crate::tool::Tool;

/// What an executor knows of one tool.
pub(super) struct Entry {
    pub(super) timeout: Duration,
    pub(super) trust: Arc<Trust>,
    /// How often in a row the tool may ask the model to try again.
    pub(super) retries: u32,
    /// Whether nothing stands between the arguments and the function.
    pub(super) is_plain: bool,
    /// Whether equal calls of one batch may share one run.
    pub(super) may_share: bool,
    /// Whether the tool runs alone in its batch.
    pub(super) is_barrier: bool,
}

impl Entry {
    pub(super) fn new(tool: &Tool, inner: &Inner) -> Self {
        let definition = tool.definition();
        let annotations = definition.annotations;
        let may_share =
            annotations.read_only == Some(true) && annotations.idempotent == Some(true);
        let is_plain = definition.approval == Approval::Never
            && definition.kind == Kind::Standard
            && inner.hooks.is_empty();
        Self {
            timeout: definition
                .timeout
                .unwrap_or(inner.timeout)
                .min(inner.max_timeout),
            trust: Arc::new(Trust::new()),
            retries: definition.retries.unwrap_or(inner.retries),
            is_plain,
            may_share,
            is_barrier: definition.sequential == Sequential::Barrier,
        }
    }
}
