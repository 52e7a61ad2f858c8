//! How long calls take, and how many there are.

use std::time::Duration;

use tracing::Level;

use super::{OPERATION, TOOL_TYPE};
use crate::error::ErrorKind;

/// Records one call, as the histogram `gen_ai.execute_tool.duration` in
/// seconds. The count of a histogram is the number of calls, so that there is
/// no counter beside it.
///
/// It is an event of the form that `tracing_opentelemetry::MetricsLayer` takes
/// for a measurement. Its level is that of the span, because the usual set-up
/// filters all layers at that level; a log without it filters the target
/// `tool_core::metrics`. It has no parent, else it would be an event of the span too.
///
/// `tool` is `None` for a name that no tool has: what a model makes up would be
/// a series of its own each time.
pub(super) fn record(tool: Option<&str>, elapsed: Duration, error: Option<ErrorKind>) {
    tracing::event!(
        target: "tool_core::metrics",
        parent: None,
        Level::INFO,
        "histogram.gen_ai.execute_tool.duration" = elapsed.as_secs_f64(),
        "gen_ai.operation.name" = OPERATION,
        "gen_ai.tool.name" = tool,
        "gen_ai.tool.type" = TOOL_TYPE,
        "error.type" = error.map(ErrorKind::as_str),
    );
}
