//! The last step of a call: what leaves is free of secrets and of bounded size.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::time::Instant;

use super::Inner;
use super::entry::Entry;
use super::run::Left;
use super::serve::{Served, Serving};
use crate::error::{ErrorKind, ToolError};
use crate::error_chain::chain;
use crate::json_text::JsonText;
use crate::outcome::Outcome;
use crate::output::{Content, Output};
use crate::panic;
use crate::redact::Redactor;
use crate::results;
use crate::tool::Tool;

impl Inner {
    /// The name of the tool, or, where there is none, what the model wrote.
    pub(super) fn name_of(&self, mut written: String, tool: Option<&Tool>) -> String {
        match tool {
            Some(tool) if tool.name() == written => written,
            Some(tool) => tool.name().to_owned(),
            None => {
                self.redactor.redact(&mut written);
                written
            }
        }
    }

    pub(super) fn outcome(
        self: &Arc<Self>,
        call_id: String,
        tool: String,
        entry: Option<&Entry>,
        started: Instant,
        served: Served,
    ) -> Outcome {
        let Served { result, notes } = served;
        let redactor = notes.redactor.as_ref().unwrap_or(&self.redactor);
        let mut repairs = notes.repairs;
        let result = match result {
            Ok(output) => Ok(self.fit(redacted(output, redactor), entry)),
            Err(mut error) => {
                repairs.extend(error.take_repairs());
                log(&tool, &call_id, &error, redactor);
                Err(error.map_text(|text| redactor.redact(text)))
            }
        };
        for repair in &mut repairs {
            for text in [&mut repair.path, &mut repair.before, &mut repair.after] {
                redactor.redact(text);
            }
        }
        let outcome = Outcome {
            call_id,
            tool,
            result,
            repairs,
            elapsed: started.elapsed(),
            pending: notes.pending.map(|pending| *pending),
            may_still_run: !notes.left.is_empty(),
        };
        for left in notes.left {
            self.watch(left);
        }
        outcome
    }

    /// Counts work that could not be stopped, until it is over.
    fn watch(self: &Arc<Self>, left: Left) {
        let inner = Arc::clone(self);
        inner.left.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(async move {
            left.over().await;
            inner.left.fetch_sub(1, Ordering::SeqCst);
        });
    }

    /// Shortens what is too long.
    fn fit(&self, mut output: Output, entry: Option<&Entry>) -> Output {
        let Some(entry) = entry else {
            return output;
        };
        let store = self.results.as_ref().filter(|_| entry.keeps_results);
        results::fit(&mut output, &entry.budget, store);
        output
    }
}

/// Takes the secrets out of a result.
fn redacted(mut output: Output, redactor: &Redactor) -> Output {
    for content in output.content_mut() {
        match content {
            Content::Text(text) | Content::Note(text) => redactor.redact(text),
            Content::Json(json) => {
                if let Some(clean) = redactor.redacted_json(json.as_str()) {
                    *json = JsonText::trusted(clean);
                }
            }
            Content::File(file) => {
                redactor.redact(&mut file.filename);
                redactor.redact(&mut file.mime_type);
                if let Some(text) = &mut file.description {
                    redactor.redact(text);
                }
            }
        }
    }
    output
}

/// Tells the operator of an error what the model is not told. What a model did
/// wrong is no fault of the program.
fn log(tool: &str, call_id: &str, error: &ToolError, redactor: &Redactor) {
    let kind = error.kind().as_str();
    let clean = redactor.redacted(call_id);
    let call_id = clean.as_deref().unwrap_or(call_id);
    match error.kind() {
        ErrorKind::Failed | ErrorKind::TimedOut | ErrorKind::Panicked => {
            if tracing::enabled!(tracing::Level::WARN) {
                let error = told(error, redactor);
                tracing::warn!(tool, call_id, kind, error, "a tool call failed");
            }
        }
        _ => {
            if tracing::enabled!(tracing::Level::DEBUG) {
                let error = told(error, redactor);
                tracing::debug!(
                    tool,
                    call_id,
                    kind,
                    error,
                    "a tool call was not carried out"
                );
            }
        }
    }
}

/// The error with its causes, whose code may panic.
fn told(error: &ToolError, redactor: &Redactor) -> String {
    let mut told = None;
    panic::dispose(|| told = Some(chain(error, redactor)));
    told.unwrap_or_else(|| {
        let message = error.message();
        let clean = redactor.redacted(message);
        clean.unwrap_or_else(|| message.to_owned())
    })
}

impl Serving<'_> {
    /// Tells the model to stop when the tool has asked for another try too often.
    pub(super) fn count_tries(&self, served: &mut Served) {
        let again = matches!(&served.result, Err(error) if error.asks_again());
        let times = self.scope.usage().asked_again(self.tool.name(), again);
        if let Err(error) = &mut served.result
            && times > self.entry.retries
        {
            *error = enough(error, times);
        }
    }
}

fn enough(error: &ToolError, times: u32) -> ToolError {
    ToolError::with_kind(ErrorKind::Failed, error.message()).with_hint(format!(
        "This was try {times} in a row. Do not call the tool again: go another way, or say what is in the way."
    ))
}
