//! Runs calls of the tools through an executor.

use serde_json::Value;
use tool_builtins::{Policy, TOOLS};
use tool_core::{Call, Catalogue, Decision, ErrorKind, Executor, Outcome, ToolError};

/// The outcome of one call under a policy.
pub(crate) async fn call(policy: &Policy, tool: &str, arguments: Value) -> Outcome {
    let executor = Executor::builder(Catalogue::new(TOOLS).unwrap())
        .state(policy.clone())
        .approval(|_| async { Decision::Allow })
        .build()
        .unwrap();
    executor.call(Call::new("call_1", tool, arguments)).await
}

/// The error of an outcome, which must be of this kind.
#[track_caller]
pub(crate) fn error_of(outcome: &Outcome, kind: ErrorKind) -> &ToolError {
    let error = outcome.result.as_ref().unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    error
}
