//! Which spans are children of which, and when they end.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};

use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracerProvider, SpanData};
use tool_core::{Call, Catalogue, Context, Executor, TraceContext, tool, tools};
use tracing::Instrument as _;
use tracing_opentelemetry::{OpenTelemetryLayer, OpenTelemetrySpanExt as _};
use tracing_subscriber::layer::SubscriberExt as _;

const CALLER: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// Say which trace this is.
#[tool]
fn which_trace(context: &Context) -> String {
    context
        .trace_context()
        .map_or_else(String::new, |trace| trace.to_string())
}

/// Wait for somebody who does not come.
#[tool(timeout = 0.05)]
fn wait(#[tool(state)] gate: &Gate) -> &'static str {
    let gate = gate.0.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = gate.recv();
    "done"
}

struct Gate(Mutex<Receiver<()>>);

struct Listener {
    exporter: InMemorySpanExporter,
    _guard: tracing::subscriber::DefaultGuard,
}

impl Listener {
    fn new() -> Self {
        let exporter = InMemorySpanExporter::default();
        let provider = SdkTracerProvider::builder()
            .with_simple_exporter(exporter.clone())
            .build();
        let layer = OpenTelemetryLayer::new(provider.tracer("test"));
        let guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(layer));
        Self {
            exporter,
            _guard: guard,
        }
    }

    fn span(&self, name: &str) -> SpanData {
        let spans = self.exporter.get_finished_spans().unwrap();
        let mut found = spans.into_iter().filter(|span| span.name == name);
        let span = found.next().expect("it has ended");
        assert!(found.next().is_none(), "it has ended once");
        span
    }
}

fn traceparent(span: &SpanData) -> String {
    let context = &span.span_context;
    format!("00-{}-{}-01", context.trace_id(), context.span_id())
}

/// An executor within a span of the program, whose own parent may be the caller.
async fn call_within(around: &tracing::Span, caller: Option<&str>) -> String {
    let executor = Executor::new(Catalogue::new(tools![which_trace]).unwrap()).unwrap();
    let mut session = executor.session();
    if let Some(caller) = caller {
        session = session.trace_context(caller.parse().unwrap());
    }
    let call = Call::new("1", "which_trace", "{}");
    let outcome = session.call(call).instrument(around.clone()).await;
    outcome.text().into_owned()
}

#[tokio::test]
async fn a_call_is_a_child_of_its_caller_and_a_tool_is_given_the_call_s_own_span() {
    let listener = Listener::new();
    let passed_on = call_within(&tracing::Span::none(), Some(CALLER)).await;
    let span = listener.span("execute_tool which_trace");
    assert_eq!(span.parent_span_id.to_string(), "b7ad6b7169203331");
    assert!(span.parent_span_is_remote);
    assert_eq!(passed_on, traceparent(&span));
    let caller: TraceContext = CALLER.parse().unwrap();
    assert_eq!(span.span_context.trace_id().to_string(), caller.trace_id());
}

#[tokio::test]
async fn without_a_caller_the_span_around_is_the_parent() {
    let listener = Listener::new();
    let around = tracing::info_span!("agent");
    let passed_on = call_within(&around, None).await;
    drop(around);
    let (span, around) = (
        listener.span("execute_tool which_trace"),
        listener.span("agent"),
    );
    assert_eq!(span.parent_span_id, around.span_context.span_id());
    assert_eq!(passed_on, traceparent(&span));
}

#[tokio::test]
async fn a_span_around_of_the_caller_s_trace_is_nearer_than_the_caller() {
    let listener = Listener::new();
    let around = tracing::info_span!("agent");
    // As a server makes it of the request's headers.
    let headers = HashMap::from([("traceparent".to_owned(), CALLER.to_owned())]);
    around
        .set_parent(TraceContextPropagator::new().extract(&headers))
        .unwrap();
    call_within(&around, Some(CALLER)).await;
    drop(around);
    let (span, around) = (
        listener.span("execute_tool which_trace"),
        listener.span("agent"),
    );
    assert_eq!(around.parent_span_id.to_string(), "b7ad6b7169203331");
    assert_eq!(span.parent_span_id, around.span_context.span_id());
}

#[tokio::test]
async fn a_span_around_of_another_trace_does_not_hide_the_caller() {
    let listener = Listener::new();
    let around = tracing::info_span!("agent");
    call_within(&around, Some(CALLER)).await;
    let span = listener.span("execute_tool which_trace");
    assert_eq!(span.parent_span_id.to_string(), "b7ad6b7169203331");
}

#[tokio::test]
async fn a_span_ends_with_its_call_although_the_work_goes_on() {
    let listener = Listener::new();
    let (open, gate) = channel();
    let executor = Executor::builder(Catalogue::new(tools![wait]).unwrap())
        .state(Gate(Mutex::new(gate)))
        .build()
        .unwrap();
    let outcome = executor.call(Call::new("1", "wait", "{}")).await;
    assert!(outcome.may_still_run);
    let span = listener.span("execute_tool wait");
    assert_eq!(
        span.attributes
            .iter()
            .find(|attribute| attribute.key.as_str() == "error.type")
            .map(|attribute| attribute.value.to_string()),
        Some("timed_out".to_owned())
    );
    drop(open);
}
