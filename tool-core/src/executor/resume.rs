//! Calls that go on when somebody has decided.

use tokio::time::Instant;
use tracing::Instrument as _;

use super::Executor;
use super::serve::{Notes, Served, Serving, closing};
use crate::approval::{Decision, Pending, ResumeError, Treatment};
use crate::context::Scope;
use crate::error::ToolError;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::telemetry;

impl Executor {
    /// Goes on with a call that waits for a decision, exactly as it was
    /// recorded, and once: the same tool with the same definition, the same
    /// arguments.
    ///
    /// The record may have been anywhere in between; it is checked. With
    /// [`Decision::Deny`] and [`Decision::Answer`] the tool does not run. The
    /// outcome belongs to the call of the record's `call_id`.
    ///
    /// # Errors
    ///
    /// When the record was changed, is of another executor, is too old, was used
    /// before, or names a tool that has changed since; and for
    /// [`Decision::Later`] and edited arguments that the tool cannot take, which
    /// leave the record usable.
    ///
    /// # Examples
    ///
    /// ```
    /// use tool_core::{Call, Catalogue, Decision, Executor, ResumeError, tool, tools};
    ///
    /// /// Delete a file.
    /// #[tool(approval)]
    /// fn delete(
    ///     /// Which.
    ///     path: String,
    /// ) -> String {
    ///     format!("deleted {path}")
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let executor = Executor::builder(Catalogue::new(tools![delete]).unwrap())
    ///     .approval(|_| async { Decision::Later })
    ///     .build()
    ///     .unwrap();
    /// let batch = executor.run([Call::new("1", "delete", r#"{"path":"a.txt"}"#)]).await;
    /// assert!(batch.is_interrupted());
    /// let stored = serde_json::to_string(&batch[0].pending).unwrap();
    ///
    /// // Later, when a person has decided:
    /// let pending: tool_core::Pending = serde_json::from_str(&stored).unwrap();
    /// let outcome = executor.resume(&pending, Decision::Allow).await.unwrap();
    /// assert_eq!(outcome.text(), "deleted a.txt");
    ///
    /// let again = executor.resume(&pending, Decision::Allow).await;
    /// assert!(matches!(again, Err(ResumeError::Replayed)));
    /// # }
    /// ```
    pub async fn resume(
        &self,
        pending: &Pending,
        decision: Decision,
    ) -> Result<Outcome, ResumeError> {
        self.resume_in(&self.inner.scope, pending, decision).await
    }

    pub(super) async fn resume_in(
        &self,
        scope: &Scope,
        pending: &Pending,
        mut decision: Decision,
    ) -> Result<Outcome, ResumeError> {
        let started = Instant::now();
        let inner = &self.inner;
        let opened = inner.sealer.open(pending, &inner.catalogue)?;
        let Some((tool, entry)) = self.lookup(&pending.tool) else {
            return Err(ResumeError::UnknownTool(pending.tool.clone()));
        };
        let serving = Serving {
            inner,
            scope,
            tool,
            entry,
            id: &pending.call_id,
        };
        match &mut decision {
            Decision::Later => return Err(ResumeError::Undecided),
            Decision::AllowEdited(edited) => {
                let checked = serving
                    .edited(edited.clone(), &pending.arguments, &opened.arguments)
                    .map_err(|mut reason| {
                        let mut notes = Notes::default();
                        serving.keep_secret(&opened.arguments, &mut notes);
                        let redactor = notes.redactor.as_ref().unwrap_or(&inner.redactor);
                        redactor.redact(&mut reason);
                        ResumeError::Edited(reason)
                    })?;
                // Checked arguments hold no placeholder that could come back.
                *edited = checked;
            }
            _ => {}
        }
        let id = pending.call_id.clone();
        let span = telemetry::span(Some(tool), &id, scope.trace(), &inner.redactor);
        let entered = inner.places.enter();
        let served = if entered.is_none() {
            Served::without(closing())
        } else {
            inner.sealer.redeem(&opened).await?;
            let mut notes = Notes::default();
            let resumed = serving.resumed(opened.arguments, decision, &mut notes);
            let result = Box::pin(resumed.instrument(span.clone())).await;
            let mut served = Served { result, notes };
            serving.count_tries(&mut served);
            served
        };
        let outcome = span
            .in_scope(|| inner.outcome(id, tool.name().to_owned(), Some(entry), started, served));
        telemetry::finish(&span, Some(tool), &outcome, inner.recording);
        Ok(outcome)
    }
}

impl Serving<'_> {
    async fn resumed(
        &self,
        arguments: serde_json::Value,
        decision: Decision,
        notes: &mut Notes,
    ) -> Result<Output, ToolError> {
        if let Treatment::Deny(reason) = &self.entry.treatment {
            return Err(self.denied(reason));
        }
        self.keep_secret(&arguments, notes);
        let mut call = self.hooked(arguments, notes);
        let decided = match decision {
            Decision::AllowEdited(edited) => {
                self.keep_secret(&edited, notes);
                call.arguments = edited;
                Ok(None)
            }
            decision => self.decided(decision, &serde_json::Value::Null, &mut call, notes),
        };
        let result = match decided {
            Ok(None) => self.cleared(&mut call, None, notes).await,
            Ok(Some(answer)) => Ok(answer),
            Err(error) => Err(error),
        };
        self.inner.hooks.after(&call, result).await
    }
}
