//! What an operator sees of a call: a span, a duration, and the trace it
//! belongs to, in the words of OpenTelemetry's conventions for generative AI.
//!
//! It all goes through `tracing`, so that a program without a subscriber pays
//! a few nanoseconds, and one with any subscriber sees it; `tracing-opentelemetry`
//! carries it to a collector.
//!
//! The conventions are those of `semantic-conventions-genai`: span
//! `gen_ai.execute_tool`, metric `gen_ai.execute_tool.duration`.

mod metrics;
#[cfg(feature = "opentelemetry")]
mod propagation;
#[cfg(not(feature = "opentelemetry"))]
#[path = "no_propagation.rs"]
mod propagation;
mod recording;
mod span;
#[cfg(test)]
mod tests;
mod trace_context;

pub use recording::Recording;
pub(crate) use span::{finish, record_arguments, span, trace_context};
pub use trace_context::{TraceContext, TraceContextError};

/// What the conventions call the running of a tool.
const OPERATION: &str = "execute_tool";
/// What they call a tool whose arguments the model makes and the program runs.
const TOOL_TYPE: &str = "function";
