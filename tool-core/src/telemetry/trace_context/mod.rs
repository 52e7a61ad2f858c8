//! Which trace a call belongs to, as the headers of W3C Trace Context say it.

mod error;
mod state;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

pub use error::TraceContextError;
use state::read_tracestate;

/// How many bytes a `traceparent` of version 00 has.
const TRACEPARENT_BYTES: usize = 55;
/// The flags that the standard gives a meaning: sampled, and random trace id.
const KNOWN_FLAGS: u8 = 0b11;
const SAMPLED: u8 = 0b01;

/// Which trace a call belongs to, and which span of it made the call, as the
/// headers `traceparent` and `tracestate` of
/// [W3C Trace Context](https://www.w3.org/TR/trace-context-2/) say it.
///
/// Who receives the request of an agent makes one of its headers. With the
/// feature `opentelemetry` it becomes the parent of the call's span, and the
/// tool is given the context of its own span; without, the tool is given the
/// caller's. Either way a tool passes on what [`traceparent`](Self::traceparent)
/// and [`tracestate`](Self::tracestate) say.
///
/// # Examples
///
/// ```
/// use tool_core::TraceContext;
///
/// let context: TraceContext =
///     "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".parse()?;
/// assert_eq!(context.trace_id(), "0af7651916cd43dd8448eb211c80319c");
/// assert_eq!(context.parent_id(), "b7ad6b7169203331");
/// assert!(context.is_sampled());
/// # Ok::<(), tool_core::TraceContextError>(())
/// ```
///
/// # Example: the headers of a request
///
/// ```
/// use tool_core::TraceContext;
///
/// let traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";
/// let context = TraceContext::from_headers(traceparent, Some("vendor=t61rcWkgMzE"))?;
/// assert_eq!(context.tracestate(), Some("vendor=t61rcWkgMzE"));
///
/// // A wrong `tracestate` does not lose the trace, a wrong `traceparent` does.
/// let context = TraceContext::from_headers(traceparent, Some("no key"))?;
/// assert_eq!(context.tracestate(), None);
/// assert!(TraceContext::from_headers("00-0-0-00", None).is_err());
/// # Ok::<(), tool_core::TraceContextError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TraceContext {
    /// In the form of version 00, whatever version came.
    traceparent: Box<str>,
    tracestate: Option<Box<str>>,
    flags: u8,
}

impl TraceContext {
    /// Reads the two headers of a request. Where a request has several headers
    /// `tracestate`, join their values with commas.
    ///
    /// As the standard demands, a `tracestate` that is not well formed is
    /// left out, and no fault of the whole; [`with_tracestate`](Self::with_tracestate)
    /// tells.
    ///
    /// # Errors
    ///
    /// When `traceparent` is not well formed.
    pub fn from_headers(
        traceparent: &str,
        tracestate: Option<&str>,
    ) -> Result<Self, TraceContextError> {
        let mut context: Self = traceparent.parse()?;
        context.tracestate = tracestate.and_then(|text| read_tracestate(text).ok().flatten());
        Ok(context)
    }

    /// The same with another `tracestate`. Of one longer than 512 bytes whole
    /// members are left out, those of more than 128 bytes first, then from the end.
    ///
    /// # Errors
    ///
    /// When it is not a list of `key=value` members as the standard has them,
    /// or has a key twice, or more than 32 members.
    pub fn with_tracestate(mut self, tracestate: &str) -> Result<Self, TraceContextError> {
        self.tracestate = read_tracestate(tracestate)?;
        Ok(self)
    }

    /// The trace: 32 lower-case hexadecimal digits.
    pub fn trace_id(&self) -> &str {
        self.traceparent.get(3..35).unwrap_or_default()
    }

    /// The span that made the call: 16 lower-case hexadecimal digits.
    pub fn parent_id(&self) -> &str {
        self.traceparent.get(36..52).unwrap_or_default()
    }

    /// Whether the caller may have recorded the trace.
    pub fn is_sampled(&self) -> bool {
        self.flags & SAMPLED != 0
    }

    /// The value for the header `traceparent`, of version 00.
    pub fn traceparent(&self) -> &str {
        &self.traceparent
    }

    /// The value for the header `tracestate`, at most 512 bytes, where there is one.
    pub fn tracestate(&self) -> Option<&str> {
        self.tracestate.as_deref()
    }

    #[cfg(feature = "opentelemetry")]
    pub(in crate::telemetry) fn flags(&self) -> u8 {
        self.flags
    }
}

/// As the value of the header `traceparent`.
impl fmt::Display for TraceContext {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.traceparent)
    }
}

/// Vendors may put anything in the `tracestate`, so that only its size is shown.
impl fmt::Debug for TraceContext {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("TraceContext")
            .field("traceparent", &self.traceparent)
            .field("tracestate_bytes", &self.tracestate().map_or(0, str::len))
            .finish_non_exhaustive()
    }
}

/// From the value of the header `traceparent`.
impl FromStr for TraceContext {
    type Err = TraceContextError;

    /// # Errors
    ///
    /// When the value is not well formed. One of a version above 00 is read as
    /// far as version 00 goes.
    fn from_str(traceparent: &str) -> Result<Self, TraceContextError> {
        let text = trim(traceparent);
        let fault = TraceContextError::traceparent;
        let layout = || fault("expected `version-trace_id-parent_id-flags`");
        let (known, rest) = text
            .split_at_checked(TRACEPARENT_BYTES)
            .ok_or_else(layout)?;
        let mut parts = known.split('-');
        let (Some(version), Some(trace_id), Some(parent_id), Some(flags), None) = (
            parts.next(),
            parts.next(),
            parts.next(),
            parts.next(),
            parts.next(),
        ) else {
            return Err(layout());
        };
        if !is_hexadecimal(version, 2) || version == "ff" {
            return Err(fault(
                "the version is not two of `0`–`9` and `a`–`f`, or is `ff`",
            ));
        }
        if !is_hexadecimal(trace_id, 32) || is_zero(trace_id) {
            return Err(fault(
                "the trace id is not 32 of `0`–`9` and `a`–`f`, or is all zero",
            ));
        }
        if !is_hexadecimal(parent_id, 16) || is_zero(parent_id) {
            return Err(fault(
                "the parent id is not 16 of `0`–`9` and `a`–`f`, or is all zero",
            ));
        }
        if !is_hexadecimal(flags, 2) {
            return Err(fault("the flags are not two of `0`–`9` and `a`–`f`"));
        }
        let may_go_on = version != "00" && rest.starts_with('-');
        if !rest.is_empty() && !may_go_on {
            return Err(fault("it does not end after the flags"));
        }
        let flags = u8::from_str_radix(flags, 16)
            .map_err(|_| fault("the flags are not a number"))?
            & KNOWN_FLAGS;
        Ok(Self {
            traceparent: format!("00-{trace_id}-{parent_id}-{flags:02x}").into(),
            tracestate: None,
            flags,
        })
    }
}

fn is_hexadecimal(text: &str, digits: usize) -> bool {
    text.len() == digits
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn is_zero(text: &str) -> bool {
    text.bytes().all(|byte| byte == b'0')
}

/// Without the white space that may be around a header and its members.
fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t'])
}
