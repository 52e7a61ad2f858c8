//! Carries the trace from the caller into a call's span, and from there to the tool.

use opentelemetry::Context;
use opentelemetry::trace::{
    SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceId, TraceState,
};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use super::TraceContext;

/// Makes the caller's span the parent of a new one, unless the new one is
/// already inside a span of the same trace: that is the nearer parent then.
pub(super) fn set_parent(span: &Span, parent: &TraceContext) {
    let Some(parent) = to_open_telemetry(parent) else {
        return;
    };
    let around = Span::current().context();
    if around.span().span_context().trace_id() == parent.trace_id() {
        return;
    }
    // It fails where no layer of OpenTelemetry listens, and then nobody misses it.
    let _ = span.set_parent(Context::current().with_remote_span_context(parent));
}

/// The span itself as the parent of what the tool calls.
pub(super) fn context_of(span: &Span) -> Option<TraceContext> {
    let context = span.context();
    from_open_telemetry(context.span().span_context())
}

/// Ends the span now, although work inside it goes on and may never end: a
/// span that does not end is not exported.
pub(super) fn end(span: &Span) {
    span.context().span().end();
}

fn to_open_telemetry(context: &TraceContext) -> Option<SpanContext> {
    let state = context.tracestate().unwrap_or_default();
    Some(SpanContext::new(
        TraceId::from_hex(context.trace_id()).ok()?,
        SpanId::from_hex(context.parent_id()).ok()?,
        TraceFlags::new(context.flags()),
        true,
        // Both follow the same standard; should they differ, the trace matters more.
        state.parse().unwrap_or(TraceState::NONE),
    ))
}

fn from_open_telemetry(context: &SpanContext) -> Option<TraceContext> {
    if !context.is_valid() {
        return None;
    }
    let traceparent = format!(
        "00-{}-{}-{:02x}",
        context.trace_id(),
        context.span_id(),
        context.trace_flags()
    );
    let state = context.trace_state().header();
    TraceContext::from_headers(&traceparent, Some(&state)).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_context_is_the_same_after_the_way_there_and_back(
            trace in 1_u128.., parent in 1_u64.., flags in 0_u8..4, value in "[a-z0-9]{1,40}",
        ) {
            let context: TraceContext = format!("00-{trace:032x}-{parent:016x}-{flags:02x}")
                .parse()
                .expect("it is well formed");
            let context = context
                .with_tracestate(&format!("a={value},b@c={value}"))
                .expect("it is well formed");
            let there = to_open_telemetry(&context).expect("it can be said");
            prop_assert_eq!(from_open_telemetry(&there), Some(context));
        }
    }

    #[test]
    fn a_span_that_nobody_listens_to_has_no_context() {
        assert_eq!(context_of(&Span::none()), None);
    }
}
