//! Asking somebody before a tool runs, and waiting for an answer.

use serde_json::Value;

use super::run;
use super::serve::{Notes, Serving};
use crate::approval::{
    ApprovalRequest, Decision, PendingReason, Treatment, Why, with_secrets_back,
};
use crate::definition::Kind;
use crate::error::{ErrorKind, ToolError};
use crate::hook::HookedCall;
use crate::output::Output;

impl Serving<'_> {
    /// Asks whoever has to be asked. `None` where the tool may run, else what
    /// was answered in its place.
    pub(super) async fn ask(
        &self,
        call: &mut HookedCall,
        notes: &mut Notes,
    ) -> Result<Option<Output>, ToolError> {
        if self.entry.kind == Kind::Interrupt {
            return Err(self.suspend(call, PendingReason::Interrupt, notes));
        }
        let why = match &self.entry.treatment {
            Treatment::Run => return Ok(None),
            Treatment::Deny(reason) => return Err(self.denied(reason)),
            Treatment::Ask(why) => why.clone(),
            Treatment::AskIf => {
                let asks = || self.tool.needs_approval(&call.arguments);
                if !run::guard(self.tool.name(), asks)?? {
                    return Ok(None);
                }
                Why::Tool
            }
        };
        let Some(approver) = &self.inner.approver else {
            return Err(ToolError::denied(format!(
                "Tool '{}' needs the approval of a person, and nobody can be asked",
                self.tool.name()
            ))
            .with_hint("The host allows it with `Executor::builder(…).approval(…)`."));
        };
        let shown = self.shown(&call.arguments, notes);
        let id = call.call_id.clone();
        let request = ApprovalRequest::new(id, self.tool.clone(), shown.clone(), why);
        let asked = run::contain(self.tool.name(), approver(request));
        match self.unless_cancelled(asked).await?? {
            Decision::Later => Err(self.suspend(call, PendingReason::Approval, notes)),
            decision => self.decided(decision, &shown, call, notes),
        }
    }

    /// What a decision other than "later" means for the call.
    pub(super) fn decided(
        &self,
        decision: Decision,
        shown: &Value,
        call: &mut HookedCall,
        notes: &mut Notes,
    ) -> Result<Option<Output>, ToolError> {
        match decision {
            Decision::Allow => Ok(None),
            Decision::AllowEdited(edited) => {
                let edited = self.edited(edited, shown, &call.arguments);
                call.arguments = edited.map_err(|reason| self.not_approved(&reason))?;
                self.keep_secret(&call.arguments, notes);
                Ok(None)
            }
            Decision::Deny(reason) => Err(self.not_approved(&reason)),
            Decision::Answer(output) => Ok(Some(output)),
            Decision::Later => Err(self.not_approved("nobody has decided")),
        }
    }

    /// The arguments that somebody has edited, with the secrets that were
    /// hidden, or why they cannot run.
    pub(super) fn edited(
        &self,
        mut edited: Value,
        shown: &Value,
        original: &Value,
    ) -> Result<Value, String> {
        with_secrets_back(&mut edited, shown, original).map_err(|error| error.to_string())?;
        self.accept_again(edited)
            .map_err(|error| error.message().to_owned())
    }

    /// Arguments as they may be shown.
    pub(super) fn shown(&self, arguments: &Value, notes: &Notes) -> Value {
        let mut shown = arguments.clone();
        if let Some(paths) = self.tool.secret_paths() {
            paths.hide(&mut shown);
        }
        let redactor = notes.redactor.as_ref().unwrap_or(&self.inner.redactor);
        redactor.redact_value(&mut shown);
        shown
    }

    /// Ends the turn: the call goes on when somebody has decided.
    fn suspend(&self, call: &HookedCall, reason: PendingReason, notes: &mut Notes) -> ToolError {
        let shown = self.shown(&call.arguments, notes);
        let sealed = self
            .inner
            .sealer
            .seal(self.id, self.tool, &call.arguments, shown, reason);
        match sealed {
            Ok(pending) => {
                notes.pending = Some(Box::new(pending));
                let message = format!("Tool '{}' waits for a person to decide", self.tool.name());
                ToolError::with_kind(ErrorKind::Pending, message)
                    .with_hint("It has not run. Do not call it again.")
            }
            Err(error) => error,
        }
    }

    pub(super) fn denied(&self, reason: &str) -> ToolError {
        ToolError::denied(format!(
            "Tool '{}' is not allowed: {reason}",
            self.tool.name()
        ))
    }

    fn not_approved(&self, reason: &str) -> ToolError {
        ToolError::denied(format!(
            "Tool '{}' was not approved: {reason}",
            self.tool.name()
        ))
    }
}
