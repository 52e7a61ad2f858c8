//! Which trace a call belongs to, as the headers of W3C Trace Context say it.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// How many bytes a `traceparent` of version 00 has.
const TRACEPARENT_BYTES: usize = 55;
/// The flags that the standard gives a meaning: sampled, and random trace id.
const KNOWN_FLAGS: u8 = 0b11;
const SAMPLED: u8 = 0b01;

/// How many members a `tracestate` may have.
const MEMBERS: usize = 32;
/// How many bytes a key may have, and as many a value.
const MEMBER_PART_BYTES: usize = 256;
/// The longest `tracestate` that is looked at: no legal one is longer.
const TRACESTATE_BYTES: usize = MEMBERS * (2 * MEMBER_PART_BYTES + 2);
/// The longest `tracestate` that is passed on, as the standard asks for at least.
const PASSED_ON_BYTES: usize = 512;
/// A member longer than this is the first to go when not all can be passed on.
const LONG_MEMBER_BYTES: usize = 128;

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
    pub(super) fn flags(&self) -> u8 {
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

/// Why a header of W3C Trace Context is not well formed. It never repeats the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceContextError {
    header: &'static str,
    fault: &'static str,
}

impl TraceContextError {
    fn traceparent(fault: &'static str) -> Self {
        Self {
            header: "traceparent",
            fault,
        }
    }

    fn tracestate(fault: &'static str) -> Self {
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

fn read_tracestate(text: &str) -> Result<Option<Box<str>>, TraceContextError> {
    let fault = TraceContextError::tracestate;
    if text.len() > TRACESTATE_BYTES {
        return Err(fault("it is longer than 32 members can be"));
    }
    let mut members: Vec<&str> = Vec::new();
    let mut keys: Vec<&str> = Vec::new();
    for member in text
        .split(',')
        .map(trim)
        .filter(|member| !member.is_empty())
    {
        let (key, value) = member
            .split_once('=')
            .ok_or_else(|| fault("a member is not `key=value`"))?;
        if !is_key(key) {
            return Err(fault("a key is not as the standard has them"));
        }
        if !is_value(value) {
            return Err(fault("a value is not as the standard has them"));
        }
        if keys.contains(&key) {
            return Err(fault("a key comes twice"));
        }
        if keys.len() == MEMBERS {
            return Err(fault("it has more than 32 members"));
        }
        keys.push(key);
        members.push(member);
    }
    shorten(&mut members);
    Ok((!members.is_empty()).then(|| members.join(",").into()))
}

/// Leaves out members until what is left may be passed on.
fn shorten(members: &mut Vec<&str>) {
    let mut length = members.iter().map(|member| member.len() + 1).sum::<usize>();
    while length > PASSED_ON_BYTES + 1 {
        let long = members
            .iter()
            .rposition(|member| member.len() > LONG_MEMBER_BYTES);
        let Some(index) = long.or_else(|| members.len().checked_sub(1)) else {
            return;
        };
        length -= members.remove(index).len() + 1;
    }
}

/// Without the white space that may be around a header and its members.
fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t'])
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

fn is_key(key: &str) -> bool {
    key.len() <= MEMBER_PART_BYTES
        && key.starts_with(|first: char| first.is_ascii_lowercase() || first.is_ascii_digit())
        && key.bytes().all(
            |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'*' | b'/' | b'@'),
        )
}

/// Commas and white space at the end are gone by now.
fn is_value(value: &str) -> bool {
    (1..=MEMBER_PART_BYTES).contains(&value.len())
        && value
            .bytes()
            .all(|byte| matches!(byte, b' '..=b'~') && byte != b'=')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const VALID: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    fn with_state(state: &str) -> Result<TraceContext, TraceContextError> {
        VALID
            .parse::<TraceContext>()
            .and_then(|context| context.with_tracestate(state))
    }

    #[test]
    fn what_the_standard_forbids_is_an_error_that_names_the_header() {
        for wrong in [
            "",
            "00",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "0g-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-+1",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-extra",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-",
            "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01extra",
            "00-0af7651916cd43dd8448eb211c80319cb-7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c8031-c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319ä-b7ad6b7169203331-01",
        ] {
            let error = wrong.parse::<TraceContext>().expect_err(wrong);
            assert_eq!(error.header(), "traceparent");
        }
    }

    #[test]
    fn a_higher_version_is_read_as_far_as_it_is_known() {
        for text in [
            "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-ff",
            "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03-what-comes-later",
            " \t01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03- ",
        ] {
            let context: TraceContext = text.parse().expect(text);
            assert_eq!(
                context.traceparent(),
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03"
            );
        }
    }

    #[test]
    fn a_list_that_the_standard_forbids_is_refused_and_the_trace_kept() {
        let long_key = format!("{}=1", "a".repeat(257));
        let long_value = format!("a={}", "1".repeat(257));
        let many = (0..33).map(|n| format!("k{n}=1")).collect::<Vec<_>>();
        let endless = ",".repeat(1 << 20);
        for wrong in [
            "a",
            "a=",
            "=1",
            "A=1",
            "_a=1",
            "a b=1",
            "ä=1",
            "a=ü",
            "a=1=2",
            "a=1,a=2",
            "a=\u{7}",
            &long_key,
            &long_value,
            &many.join(","),
            &endless,
        ] {
            assert_eq!(with_state(wrong).expect_err(wrong).header(), "tracestate");
            let kept = TraceContext::from_headers(VALID, Some(wrong)).expect(wrong);
            assert_eq!((kept.traceparent(), kept.tracestate()), (VALID, None));
        }
    }

    #[test]
    fn white_space_and_empty_members_are_left_out() {
        let context = with_state(" a=1 ,, b@c= 2 \t,\t").expect("it is well formed");
        assert_eq!(context.tracestate(), Some("a=1,b@c= 2"));
        assert_eq!(
            with_state(" , ").expect("it may be empty").tracestate(),
            None
        );
    }

    #[test]
    fn long_members_go_before_others_and_then_the_last() {
        let long = format!("long={}", "x".repeat(200));
        let short = |n: usize| format!("k{n}={}", "y".repeat(90));
        let list = [
            short(1),
            long,
            short(2),
            short(3),
            short(4),
            short(5),
            short(6),
        ]
        .join(",");
        let context = with_state(&list).expect("it is well formed");
        let left = [short(1), short(2), short(3), short(4), short(5)].join(",");
        assert_eq!(context.tracestate(), Some(left.as_str()));
    }

    #[test]
    fn the_state_is_not_in_what_debug_shows() {
        let context = with_state("vendor=opaque").expect("it is well formed");
        assert!(!format!("{context:?}").contains("opaque"));
    }

    proptest! {
        #[test]
        fn no_text_panics_and_what_is_accepted_reads_the_same_again(
            parent in any::<String>(), state in any::<String>(),
        ) {
            if let Ok(context) = TraceContext::from_headers(&parent, Some(&state)) {
                let again = TraceContext::from_headers(context.traceparent(), context.tracestate());
                prop_assert_eq!(again, Ok(context));
            }
        }

        #[test]
        fn one_changed_byte_is_refused_or_leaves_a_well_formed_context(
            index in 0_usize..55, byte in any::<char>(),
        ) {
            let mut text = VALID.to_owned();
            text.replace_range(index..=index, byte.encode_utf8(&mut [0; 4]));
            if let Ok(context) = text.parse::<TraceContext>() {
                prop_assert_eq!(context.traceparent().len(), TRACEPARENT_BYTES);
                prop_assert!(is_hexadecimal(context.trace_id(), 32));
                prop_assert!(is_hexadecimal(context.parent_id(), 16));
            }
        }

        #[test]
        fn every_well_formed_parent_is_accepted(
            trace in 1_u128.., parent in 1_u64.., flags in any::<u8>(), version in 0_u8..255,
        ) {
            let text = format!("{version:02x}-{trace:032x}-{parent:016x}-{flags:02x}");
            let context: TraceContext = text.parse().expect("it is well formed");
            prop_assert_eq!(context.trace_id(), format!("{trace:032x}"));
            prop_assert_eq!(context.parent_id(), format!("{parent:016x}"));
            prop_assert_eq!(context.is_sampled(), flags & 1 == 1);
        }

        #[test]
        fn a_well_formed_list_is_kept_in_order_as_far_as_it_fits(
            values in prop::collection::vec("[ -+\\--<>-~]{0,255}[!-+\\--<>-~]", 0..=32),
        ) {
            let members: Vec<String> = values
                .iter()
                .enumerate()
                .map(|(n, value)| format!("k{n}={value}"))
                .collect();
            let list = members.join(",");
            let context = with_state(&list).expect("it is well formed");
            let kept = context.tracestate().unwrap_or_default();
            prop_assert!(kept.len() <= PASSED_ON_BYTES);
            if list.len() <= PASSED_ON_BYTES {
                prop_assert_eq!(kept, list);
            } else {
                let mut rest = members.iter();
                for member in kept.split(',').filter(|member| !member.is_empty()) {
                    prop_assert!(rest.any(|whole| whole == member), "{}", member);
                }
            }
        }
    }
}
