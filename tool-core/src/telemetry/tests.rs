//! What a subscriber sees of a call.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::{Recording, TraceContext, finish, record_arguments, span, trace_context};
use crate::error::{ErrorKind, ToolError};
use crate::outcome::Outcome;
use crate::output::Output;
use crate::redact::Redactor;
use crate::{Definition, IntoOutput as _, Tool};

type Fields = BTreeMap<&'static str, String>;
/// The target of an event, whether it has a parent, and its fields.
type Heard = (&'static str, bool, Fields);

fn redactor() -> Redactor {
    Redactor::new(Vec::new()).unwrap()
}

/// Keeps the fields of everything up to a level.
#[derive(Clone)]
struct Listener {
    level: tracing::Level,
    spans: Arc<Mutex<BTreeMap<u64, Fields>>>,
    events: Arc<Mutex<Vec<Heard>>>,
    next: Arc<AtomicU64>,
}

impl Listener {
    fn new(level: tracing::Level) -> Self {
        Self {
            level,
            spans: Arc::default(),
            events: Arc::default(),
            next: Arc::new(AtomicU64::new(1)),
        }
    }

    /// The fields of the only span.
    fn span(&self) -> Fields {
        let spans = self.spans.lock().unwrap();
        assert_eq!(spans.len(), 1, "{spans:?}");
        spans.values().next().unwrap().clone()
    }

    /// The only event.
    fn event(&self) -> Heard {
        let events = self.events.lock().unwrap();
        assert_eq!(events.len(), 1, "{events:?}");
        events[0].clone()
    }
}

struct Collector<'a>(&'a mut Fields);

impl Visit for Collector<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("tool_core") && *metadata.level() <= self.level
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut fields = Fields::new();
        attributes.record(&mut Collector(&mut fields));
        self.spans.lock().unwrap().insert(id, fields);
        Id::from_u64(id)
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        let mut spans = self.spans.lock().unwrap();
        values.record(&mut Collector(spans.get_mut(&id.into_u64()).unwrap()));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::new();
        event.record(&mut Collector(&mut fields));
        let target = event.metadata().target();
        let has_parent = event.is_contextual() || event.parent().is_some();
        self.events
            .lock()
            .unwrap()
            .push((target, has_parent, fields));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

fn tool(description: &str) -> Tool {
    let definition = Definition::new("orders-find", description, json!({ "type": "object" }));
    Tool::new(definition, |_, _| async { "found" }).unwrap()
}

fn outcome(tool: &str, result: Result<Output, ToolError>) -> Outcome {
    Outcome {
        call_id: "call_1".to_owned(),
        tool: tool.to_owned(),
        result,
        repairs: Vec::new(),
        elapsed: Duration::from_millis(1500),
        pending: None,
        may_still_run: false,
    }
}

/// What a listener at level INFO has heard of one call.
fn heard(
    tool: Option<&Tool>,
    call_id: &str,
    outcome: &Outcome,
    recording: Recording,
) -> (Fields, Fields) {
    let listener = Listener::new(tracing::Level::INFO);
    tracing::subscriber::with_default(listener.clone(), || {
        let span = span(tool, call_id, None, &redactor());
        record_arguments(&span, recording, || r#"{"customer":"ada"}"#.to_owned());
        finish(&span, tool, outcome, recording);
    });
    let (target, has_parent, measurement) = listener.event();
    assert_eq!(target, "tool_core::metrics");
    // With a parent it would be an event of that span in each trace.
    assert!(!has_parent);
    (listener.span(), measurement)
}

fn fields(of: &[(&'static str, &str)]) -> Fields {
    of.iter()
        .map(|(name, value)| (*name, (*value).to_owned()))
        .collect()
}

#[test]
fn a_call_that_succeeds_has_what_the_conventions_ask_for_and_no_contents() {
    let tool = tool("Find an order.");
    let result = outcome("orders-find", "found".into_output());
    let (span, measurement) = heard(Some(&tool), "call_1", &result, Recording::new());
    assert_eq!(
        span,
        fields(&[
            ("otel.name", "execute_tool orders-find"),
            ("otel.kind", "internal"),
            ("gen_ai.operation.name", "execute_tool"),
            ("gen_ai.tool.name", "orders-find"),
            ("gen_ai.tool.type", "function"),
            ("gen_ai.tool.description", "Find an order."),
            ("gen_ai.tool.call.id", "call_1"),
        ])
    );
    assert_eq!(
        measurement,
        fields(&[
            ("histogram.gen_ai.execute_tool.duration", "1.5"),
            ("gen_ai.operation.name", "execute_tool"),
            ("gen_ai.tool.name", "orders-find"),
            ("gen_ai.tool.type", "function"),
        ])
    );
}

#[test]
fn a_call_that_fails_has_its_kind_in_both_and_its_message_in_neither() {
    let tool = tool("Find an order.");
    let error = ToolError::with_kind(ErrorKind::TimedOut, "no answer about ada");
    let (span, measurement) = heard(
        Some(&tool),
        "call_1",
        &outcome("orders-find", Err(error)),
        Recording::new(),
    );
    assert_eq!(span["error.type"], "timed_out");
    assert_eq!(span["otel.status_code"], "ERROR");
    assert_eq!(measurement["error.type"], "timed_out");
    assert!(!format!("{span:?}{measurement:?}").contains("ada"));
}

#[test]
fn contents_are_shown_when_asked_for_and_only_so_much() {
    let tool = tool("Find an order.");
    let all = Recording::new().arguments().results();
    let result = outcome("orders-find", "fünf Stühle".into_output());
    let (span, measurement) = heard(Some(&tool), "call_1", &result, all);
    assert_eq!(span["gen_ai.tool.call.arguments"], r#"{"customer":"ada"}"#);
    assert_eq!(span["gen_ai.tool.call.result"], "fünf Stühle");
    assert!(!measurement.contains_key("gen_ai.tool.call.arguments"));

    let (span, _) = heard(Some(&tool), "call_1", &result, all.max_bytes(2));
    assert_eq!(span["gen_ai.tool.call.arguments"], r#"{""#);
    // A character is not cut in two.
    assert_eq!(span["gen_ai.tool.call.result"], "f");

    let failed = outcome("orders-find", Err(ToolError::new("no such order")));
    let (span, _) = heard(Some(&tool), "call_1", &failed, all);
    assert_eq!(span["otel.status_description"], "no such order");
    assert!(!span.contains_key("gen_ai.tool.call.result"));
}

#[test]
fn a_name_that_no_tool_has_is_in_the_span_but_makes_no_series_of_its_own() {
    let name = "n".repeat(10_000);
    let error = ToolError::with_kind(ErrorKind::NotFound, "there is no such tool");
    let (span, measurement) = heard(
        None,
        "call_1",
        &outcome(&name, Err(error)),
        Recording::new(),
    );
    assert_eq!(span["otel.name"], "execute_tool");
    assert_eq!(span["gen_ai.tool.name"], "n".repeat(64));
    assert_eq!(measurement["error.type"], "not_found");
    assert!(!measurement.contains_key("gen_ai.tool.name"));
}

#[test]
fn ids_and_descriptions_of_any_length_are_cut() {
    let tool = tool(&"ä".repeat(10_000));
    let result = outcome("orders-find", "found".into_output());
    let (span, _) = heard(Some(&tool), &"i".repeat(10_000), &result, Recording::new());
    assert_eq!(span["gen_ai.tool.call.id"].len(), 128);
    assert_eq!(span["gen_ai.tool.description"].len(), 1024);

    let (span, _) = heard(Some(&tool), "", &result, Recording::new());
    assert!(!span.contains_key("gen_ai.tool.call.id"));
}

#[test]
fn nothing_is_made_where_nobody_listens() {
    let tool = tool("Find an order.");
    let listener = Listener::new(tracing::Level::WARN);
    tracing::subscriber::with_default(listener.clone(), || {
        let span = span(Some(&tool), "call_1", None, &redactor());
        assert!(span.is_disabled());
        let all = Recording::new().arguments().results();
        record_arguments(&span, all, || panic!("the text is made"));
        let result = outcome("orders-find", "found".into_output());
        finish(&span, Some(&tool), &result, all);
    });
    assert!(listener.spans.lock().unwrap().is_empty());
    assert!(listener.events.lock().unwrap().is_empty());
}

#[test]
fn a_tool_passes_on_the_caller_where_its_span_is_in_no_trace() {
    let caller: TraceContext = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        .parse()
        .unwrap();
    let listener = Listener::new(tracing::Level::INFO);
    tracing::subscriber::with_default(listener, || {
        let tool = tool("Find an order.");
        let span = span(Some(&tool), "call_1", Some(&caller), &redactor());
        assert_eq!(trace_context(&span, Some(&caller)), Some(caller.clone()));
        assert_eq!(trace_context(&span, None), None);
    });
}
