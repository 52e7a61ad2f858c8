//! Who decides, on what, and how.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use serde_json::Value;

use crate::invocation::BoxFuture;
use crate::output::Output;
use crate::tool::Tool;

/// What a tool that needs approval is about to do.
#[derive(Clone)]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// The provider's id of the call.
    pub call_id: String,
    /// The tool.
    pub tool: Tool,
    /// The arguments that the tool will run with, after validation and repair.
    /// Secret values in them are shown as `[redacted]`.
    pub arguments: Value,
    /// Who asks.
    pub why: Why,
}

impl ApprovalRequest {
    pub(crate) fn new(call_id: String, tool: Tool, arguments: Value, why: Why) -> Self {
        Self {
            call_id,
            tool,
            arguments,
            why,
        }
    }
}

/// The arguments may hold what is not for a log, so they are left out.
impl fmt::Debug for ApprovalRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ApprovalRequest")
            .field("call_id", &self.call_id)
            .field("tool", &self.tool.name())
            .field("why", &self.why)
            .finish_non_exhaustive()
    }
}

/// Who wants a call to be approved.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Why {
    /// The tool itself: its `approval` or its `approval_if`.
    Tool,
    /// A [`Rule`](crate::Rule) of the executor, in words: "destructive and not
    /// named `files-*`".
    Rule(String),
}

/// The answer to an [`ApprovalRequest`].
#[derive(Clone)]
#[non_exhaustive]
pub enum Decision {
    /// The tool runs.
    Allow,
    /// The tool runs with these arguments, which are validated as the model's
    /// were. A `[redacted]` that is left where it was shown stands for the
    /// secret; anywhere else it is refused.
    AllowEdited(Value),
    /// The tool does not run, and the model is told this reason.
    Deny(String),
    /// Nobody decides now. The call ends with a [`Pending`](crate::Pending)
    /// record, and goes on when the executor is given that record and a decision.
    Later,
    /// The tool does not run: this is its result. So a person answers what an
    /// interrupt asks.
    Answer(Output),
}

/// Edited arguments and answers may hold secrets, so they are left out.
impl fmt::Debug for Decision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Allow => formatter.write_str("Allow"),
            Self::AllowEdited(_) => formatter.write_str("AllowEdited(…)"),
            Self::Deny(reason) => formatter.debug_tuple("Deny").field(reason).finish(),
            Self::Later => formatter.write_str("Later"),
            Self::Answer(_) => formatter.write_str("Answer(…)"),
        }
    }
}

/// Decides about calls that need approval; given to
/// [`ExecutorBuilder::approval_handler`](crate::ExecutorBuilder::approval_handler).
///
/// # Examples
///
/// ```
/// use tool_core::{ApprovalHandler, ApprovalRequest, Decision};
///
/// struct OfficeHours {
///     open: bool,
/// }
///
/// impl ApprovalHandler for OfficeHours {
///     async fn decide(&self, request: ApprovalRequest) -> Decision {
///         if self.open {
///             Decision::Later
///         } else {
///             Decision::Deny(format!("nobody is there to approve '{}'", request.tool.name()))
///         }
///     }
/// }
/// ```
pub trait ApprovalHandler: Send + Sync {
    /// Decides about one call. The call waits for it, as long as it takes;
    /// what cannot be waited for is [`Decision::Later`]. A panic is no
    /// approval: the tool does not run.
    fn decide(&self, request: ApprovalRequest) -> impl Future<Output = Decision> + Send;
}

/// A closure that decides.
pub(crate) struct Closure<F>(pub(crate) F);

impl<F, Fut> ApprovalHandler for Closure<F>
where
    F: Fn(ApprovalRequest) -> Fut + Send + Sync,
    Fut: Future<Output = Decision> + Send,
{
    fn decide(&self, request: ApprovalRequest) -> impl Future<Output = Decision> + Send {
        (self.0)(request)
    }
}

impl<H: ApprovalHandler> ApprovalHandler for Arc<H> {
    fn decide(&self, request: ApprovalRequest) -> impl Future<Output = Decision> + Send {
        H::decide(self, request)
    }
}

/// An approval handler of any type.
pub(crate) type Approver = Arc<dyn Fn(ApprovalRequest) -> BoxFuture<Decision> + Send + Sync>;

/// A handler without its type.
pub(crate) fn erase(handler: impl ApprovalHandler + 'static) -> Approver {
    let handler = Arc::new(handler);
    Arc::new(move |request| {
        let handler = Arc::clone(&handler);
        // The handler's first part belongs into the future: whoever awaits it
        // catches its panic.
        Box::pin(async move { handler.decide(request).await })
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::{ApprovalHandler, ApprovalRequest, Closure, Decision, Why, erase};
    use crate::approval::tests::tool;
    use crate::output::Output;

    fn request() -> ApprovalRequest {
        let arguments = json!({ "amount": "hunter2" });
        ApprovalRequest::new("call_1".to_owned(), tool("pay"), arguments, Why::Tool)
    }

    struct Named(&'static str);

    impl ApprovalHandler for Named {
        async fn decide(&self, request: ApprovalRequest) -> Decision {
            Decision::Deny(format!("{} says no to {}", self.0, request.tool.name()))
        }
    }

    async fn reason(handler: impl ApprovalHandler + 'static) -> String {
        match erase(handler)(request()).await {
            Decision::Deny(reason) => reason,
            other => format!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn types_closures_and_shared_handlers_decide() {
        assert_eq!(reason(Named("Ada")).await, "Ada says no to pay");
        assert_eq!(reason(Arc::new(Named("Ada"))).await, "Ada says no to pay");
        let closure = |request: ApprovalRequest| async move { Decision::Deny(request.call_id) };
        assert_eq!(reason(Closure(closure)).await, "call_1");
    }

    #[test]
    fn no_form_of_debug_shows_arguments_or_answers() {
        let edited = Decision::AllowEdited(json!({ "amount": "hunter2" }));
        let answer = Decision::Answer(Output::from("hunter2"));
        let shown = format!("{:?} {edited:?} {answer:?}", request());
        assert!(!shown.contains("hunter2"), "{shown}");
        assert!(
            shown.contains("call_1") && shown.contains("AllowEdited"),
            "{shown}"
        );
    }
}
