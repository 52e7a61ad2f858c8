//! Why a header is refused.

use std::error::Error;
use std::fmt;

/// Why a header of W3C Trace Context is not well formed. It never repeats the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceContextError {
    header: &'static str,
    fault: &'static str,
}

impl TraceContextError {
    pub(super) fn traceparent(fault: &'static str) -> Self {
        Self {
            header: "traceparent",
            fault,
        }
    }

    pub(super) fn tracestate(fault: &'static str) -> Self {
        Self {
            header: "tracestate",
            fault,
        }
    }

    /// The header: `traceparent` or `tracestate`.
    pub fn header(&self) -> &'static str {
        self.header
    }
}

impl fmt::Display for TraceContextError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}`: {}", self.header, self.fault)
    }
}

impl Error for TraceContextError {}
