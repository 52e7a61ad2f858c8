//! The span of one call.

use std::fmt;

use tracing::field::Empty;
use tracing::{Level, Span};

use super::{OPERATION, Recording, TOOL_TYPE, TraceContext, metrics, propagation};
use crate::outcome::Outcome;
use crate::redact::Redactor;
use crate::tool::Tool;

/// How many bytes of a call's id are shown; the providers' have up to 64.
const CALL_ID_BYTES: usize = 128;
/// How many bytes of a name that no tool has are shown.
const NAME_BYTES: usize = 64;
/// How many bytes of a description are shown; a tool that was imported may
/// have one of any length.
const DESCRIPTION_BYTES: usize = 1024;

/// Begins the span of a call. `tool` is `None` where no tool has the name that
/// was called; `parent` is the caller's, where it is known.
///
/// Where nobody listens it costs a comparison, and the span is a disabled one.
pub(crate) fn span(
    tool: Option<&Tool>,
    call_id: &str,
    parent: Option<&TraceContext>,
    redactor: &Redactor,
) -> Span {
    let span = tracing::span!(
        target: "tool_core",
        Level::INFO,
        "execute_tool",
        "otel.name" = %Name(tool),
        "otel.kind" = "internal",
        "otel.status_code" = Empty,
        "otel.status_description" = Empty,
        "gen_ai.operation.name" = OPERATION,
        "gen_ai.tool.name" = tool.map(Tool::name),
        "gen_ai.tool.type" = TOOL_TYPE,
        "gen_ai.tool.description" =
            tool.map(|tool| cut(&tool.definition().description, DESCRIPTION_BYTES)),
        "gen_ai.tool.call.id" = (!call_id.is_empty()).then(|| shown_id(call_id, redactor)),
        "gen_ai.tool.call.arguments" = Empty,
        "gen_ai.tool.call.result" = Empty,
        "error.type" = Empty,
    );
    if let Some(parent) = parent.filter(|_| !span.is_disabled()) {
        propagation::set_parent(&span, parent);
    }
    span
}

/// Shows the arguments, where that is asked for. The text is made only then,
/// and must have been redacted.
pub(crate) fn record_arguments(span: &Span, recording: Recording, text: impl FnOnce() -> String) {
    if recording.arguments && !span.is_disabled() {
        let text = text();
        span.record(
            "gen_ai.tool.call.arguments",
            cut(&text, recording.max_bytes),
        );
    }
}

/// Records how a call ended, on its span and as a measurement. The outcome must
/// be the one that is given back, redacted; `tool` the same as for [`span`].
pub(crate) fn finish(span: &Span, tool: Option<&Tool>, outcome: &Outcome, recording: Recording) {
    let kind = outcome.error_kind();
    metrics::record(tool.map(Tool::name), outcome.elapsed, kind);
    if span.is_disabled() {
        return;
    }
    // The span ends when it was last left, which is now, and not when the
    // tool was last polled before its time was over.
    let _entered = span.enter();
    if tool.is_none() {
        span.record("gen_ai.tool.name", cut(&outcome.tool, NAME_BYTES));
    }
    if let Some(kind) = kind {
        span.record("error.type", kind.as_str());
        span.record("otel.status_code", "ERROR");
    }
    if recording.results {
        let (field, text) = match &outcome.result {
            Ok(_) => ("gen_ai.tool.call.result", outcome.text()),
            Err(error) => ("otel.status_description", error.message().into()),
        };
        span.record(field, cut(&text, recording.max_bytes));
    }
    if outcome.may_still_run {
        propagation::end(span);
    }
}

/// What a tool passes on: the context of its own span, or, where no layer of
/// OpenTelemetry has one, the caller's.
pub(crate) fn trace_context(span: &Span, caller: Option<&TraceContext>) -> Option<TraceContext> {
    propagation::context_of(span).or_else(|| caller.cloned())
}

/// An id as a log shows it. A model may have put anything into it.
fn shown_id(call_id: &str, redactor: &Redactor) -> String {
    let clean = redactor.redacted(call_id);
    cut(clean.as_deref().unwrap_or(call_id), CALL_ID_BYTES).to_owned()
}

/// The span's name; one for all calls of names that no tool has.
struct Name<'a>(Option<&'a Tool>);

impl fmt::Display for Name<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(tool) => write!(formatter, "{OPERATION} {}", tool.name()),
            None => formatter.write_str(OPERATION),
        }
    }
}

/// The beginning of a text, at most so many bytes.
fn cut(text: &str, max_bytes: usize) -> &str {
    let mut end = max_bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
