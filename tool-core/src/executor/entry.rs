//! What an executor knows of one tool: made when it is first called.

use std::sync::Arc;
use std::time::Duration;

use super::Inner;
use super::trust::Trust;
use crate::approval::{Treatment, treatment};
use crate::definition::{Kind, Sequential};
use crate::results::{Budget, reads_results};
use crate::tool::Tool;
use crate::turn::{Gate, RateLimit};

/// What an executor knows of one tool.
pub(super) struct Entry {
    pub(super) timeout: Duration,
    pub(super) trust: Arc<Trust>,
    pub(super) treatment: Treatment,
    /// Whether a call ends the turn.
    pub(super) kind: Kind,
    pub(super) gate: Option<Arc<Gate>>,
    pub(super) rate: Option<RateLimit>,
    pub(super) sequential: Sequential,
    /// Whether equal calls of one batch may share one run.
    pub(super) may_share: bool,
    /// How often in a row the tool may ask the model to try again.
    pub(super) retries: u32,
    pub(super) budget: Budget,
    /// Whether what is cut off a result is kept to be read later.
    pub(super) keeps_results: bool,
    /// Whether nothing stands between the arguments and the function.
    pub(super) is_plain: bool,
}

impl Entry {
    pub(super) fn new(tool: &Tool, inner: &Inner) -> Self {
        let definition = tool.definition();
        let annotations = definition.annotations;
        let treatment = treatment(&inner.rules, tool);
        let runs = treatment == Treatment::Run && definition.kind == Kind::Standard;
        let waits = definition.concurrency.is_some()
            || definition.rate.is_some()
            || matches!(definition.sequential, Sequential::Key(_));
        let mut budget = inner.budget.clone();
        if let Some(bytes) = definition.max_output_bytes {
            budget.max_bytes = bytes;
        }
        Self {
            timeout: definition
                .timeout
                .unwrap_or(inner.timeout)
                .min(inner.max_timeout),
            trust: Arc::new(Trust::new()),
            kind: definition.kind,
            gate: definition.concurrency.map(Gate::new),
            rate: definition.rate.map(RateLimit::new),
            sequential: definition.sequential.clone(),
            may_share: runs
                && annotations.read_only == Some(true)
                && annotations.idempotent == Some(true),
            retries: definition.retries.unwrap_or(inner.retries),
            budget,
            keeps_results: !reads_results(definition),
            is_plain: runs && !waits && inner.hooks.is_empty() && tool.secret_paths().is_none(),
            treatment,
        }
    }

    /// The argument whose equal values queue up.
    pub(super) fn key(&self) -> Option<&str> {
        match &self.sequential {
            Sequential::Key(key) => Some(key),
            _ => None,
        }
    }
}
