//! Sends the spans and durations of tool calls to an OpenTelemetry collector.
//!
//! `OTEL_EXPORTER_OTLP_ENDPOINT` says where it is, `http://localhost:4318` by
//! default. `check.py` beside this runs it against a real one.

mod telemetry;

use std::error::Error;
use std::time::Duration;

use tool_core::{Call, Catalogue, Context, Executor, Recording, TraceContext, tool, tools};

/// Find an order by its number.
#[tool(name = "orders-find_order", timeout = 0.2)]
async fn find_order(
    /// The order's number.
    number: u32,
    context: &Context,
) -> String {
    if number == 404 {
        // The warehouse does not answer.
        tokio::time::sleep(Duration::from_secs(60)).await;
    }
    // What a request to the warehouse would carry in its headers.
    let passed_on = context.trace_context();
    passed_on.map_or_else(String::new, |trace| trace.to_string())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let exporters = telemetry::start("agent")?;
    let executor = Executor::builder(Catalogue::new(tools![find_order])?)
        .recording(Recording::new().arguments().results())
        .build()?;
    // As it came with the request that the agent serves.
    let caller = TraceContext::from_headers(
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        Some("vendor=t61rcWkgMzE"),
    )?;
    let session = executor.session().trace_context(caller);
    for (id, name, arguments) in [
        ("call_1", "orders-find_order", r#"{"number":7}"#),
        ("call_2", "orders-find_order", r#"{"number":404}"#),
        ("call_3", "orders-cancel_everything", "{}"),
    ] {
        let outcome = session.call(Call::new(id, name, arguments)).await;
        println!("{}", outcome.text());
    }
    exporters.stop()
}
