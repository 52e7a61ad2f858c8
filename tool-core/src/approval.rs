//! Asking somebody before a tool runs.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::invocation::BoxFuture;
use crate::tool::Tool;

/// What a tool that needs approval is about to do.
#[derive(Clone)]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// The provider's id of the call.
    pub call_id: String,
    /// The tool.
    pub tool: Tool,
    /// The arguments that the tool will run with, after validation.
    pub arguments: Value,
}

/// The arguments may hold secrets, so they are left out.
impl fmt::Debug for ApprovalRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ApprovalRequest")
            .field("call_id", &self.call_id)
            .field("tool", &self.tool.name())
            .finish_non_exhaustive()
    }
}

/// The answer to an [`ApprovalRequest`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// The tool runs.
    Allow,
    /// The tool does not run, and the model is told this reason.
    Deny(String),
}

pub(crate) type Approver = Arc<dyn Fn(ApprovalRequest) -> BoxFuture<Decision> + Send + Sync>;
