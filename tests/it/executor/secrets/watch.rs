//! Everything that comes out of a call, with where it came out.

use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex};

use tool_core::{Dialect, Outcome};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// What came out, each with the place.
#[derive(Default)]
pub(super) struct Seen(pub(super) Vec<(String, String)>);

impl Seen {
    pub(super) fn add(&mut self, place: &str, text: impl Into<String>) {
        self.0.push((place.to_owned(), text.into()));
    }

    pub(super) fn debug(&mut self, place: &str, value: &dyn fmt::Debug) {
        self.add(
            &format!("debug of {place}"),
            format!("{value:?} {value:#?}"),
        );
    }

    pub(super) fn outcomes(&mut self, outcomes: &[Outcome]) {
        for outcome in outcomes {
            self.outcome(outcome);
        }
        for dialect in Dialect::ALL {
            for result in dialect.results(outcomes) {
                self.add(&format!("results for {dialect}"), result.to_string());
            }
        }
    }

    pub(super) fn outcome(&mut self, outcome: &Outcome) {
        self.debug("the outcome", outcome);
        self.add("outcome.call_id", &*outcome.call_id);
        self.add("outcome.tool", &*outcome.tool);
        self.add("outcome.text", outcome.text());
        for repair in &outcome.repairs {
            self.add("repair", format!("{repair} {repair:?}"));
        }
        match &outcome.result {
            Ok(output) => {
                self.add("output.into_text", output.clone().into_text());
                for content in output.content() {
                    self.debug("content", content);
                }
                for file in output.files() {
                    self.add("file.filename", &*file.filename);
                    self.add("file.mime_type", &*file.mime_type);
                    self.debug("file.description", &file.description);
                }
            }
            Err(error) => {
                self.add("error", error.to_string());
                self.add("error.message", error.message());
                self.add("error.hint", error.hint().unwrap_or_default());
                self.add("error.to_model", error.to_model());
                self.debug("the error", error);
                for problem in error.problems() {
                    self.add("problem", problem.to_string());
                    self.debug("the problem", problem);
                }
            }
        }
        if let Some(pending) = &outcome.pending {
            self.add("pending record", serde_json::to_string(pending).unwrap());
            self.debug("the pending record", pending);
        }
    }
}

/// Takes every event, every span and every field, of all targets and levels.
#[derive(Clone, Default)]
pub(in crate::executor) struct Log(Arc<Mutex<String>>);

impl Log {
    pub(super) fn text(&self) -> String {
        self.0.lock().unwrap().clone()
    }

    fn write(&self, metadata: &Metadata<'_>, record: impl FnOnce(&mut Fields)) {
        let mut fields = Fields(String::new());
        record(&mut fields);
        let line = format!("{} {}:{}\n", metadata.target(), metadata.name(), fields.0);
        self.0.lock().unwrap().push_str(&line);
    }
}

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        write!(self.0, " {}={value}", field.name()).unwrap();
    }
}

impl Subscriber for Log {
    fn enabled(&self, _metadata: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        self.write(span.metadata(), |fields| span.record(fields));
        Id::from_u64(1)
    }

    fn record(&self, _span: &Id, values: &Record<'_>) {
        let mut fields = Fields(String::new());
        values.record(&mut fields);
        let line = format!("recorded:{}\n", fields.0);
        self.0.lock().unwrap().push_str(&line);
    }

    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

    fn event(&self, event: &Event<'_>) {
        self.write(event.metadata(), |fields| event.record(fields));
    }

    fn enter(&self, _span: &Id) {}

    fn exit(&self, _span: &Id) {}
}
