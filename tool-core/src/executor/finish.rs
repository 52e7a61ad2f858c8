//! The last step of a call: what leaves is free of secrets and of bounded size.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::time::Instant;

use super::Inner;
use super::run::Left;
use super::serve::Served;
use crate::error::{ErrorKind, ToolError};
use crate::json_text::JsonText;
use crate::outcome::Outcome;
use crate::output::{Content, Output};

impl Inner {
    pub(super) fn outcome(
        self: &Arc<Self>,
        call_id: String,
        tool: String,
        started: Instant,
        served: Served,
    ) -> Outcome {
        let redactor = &self.redactor;
        let mut repairs = served.repairs;
        let result = match served.result {
            Ok(output) => Ok(self.finish(output)),
            Err(mut error) => {
                repairs.extend(error.take_repairs());
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
            interrupts: false,
            may_still_run: !served.left.is_empty(),
        };
        for left in served.left {
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

    fn finish(&self, mut output: Output) -> Output {
        let redactor = &self.redactor;
        let mut left = self.max_output_bytes;
        for content in output.content_mut() {
            match content {
                Content::Text(text) | Content::Note(text) => {
                    redactor.redact(text);
                    cut(text, left);
                    left = left.saturating_sub(text.len());
                }
                Content::Json(json) => {
                    if let Some(clean) = redactor.redacted_json(json.as_str()) {
                        *json = JsonText::trusted(clean);
                    }
                    let length = json.as_str().len();
                    if length > left {
                        let mut text = json.as_str().to_owned();
                        cut(&mut text, left);
                        *content = Content::Text(text);
                    }
                    left = left.saturating_sub(length);
                }
                Content::File(file) => {
                    redactor.redact(&mut file.filename);
                    if let Some(text) = &mut file.description {
                        redactor.redact(text);
                    }
                }
            }
        }
        output
    }
}

/// Tells the model to stop when a tool has asked for another try too often.
pub(super) fn enough(error: ToolError, times: u32, retries: u32) -> ToolError {
    if times <= retries {
        return error;
    }
    let message = error.message().to_owned();
    ToolError::with_kind(ErrorKind::Failed, message).with_hint(format!(
        "This was try {times} in a row. Do not call the tool again: go another way, or say what is in the way."
    ))
}

/// Cuts a text to so many bytes and says so.
fn cut(text: &mut String, limit: usize) {
    if text.len() <= limit {
        return;
    }
    let total = text.len();
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text.push_str(&format!(
        "\n[cut: these are the first {end} of {total} bytes]"
    ));
}
