//! The list of the header `tracestate`.

use super::error::TraceContextError;
use super::trim;

/// How many members a `tracestate` may have.
const MEMBERS: usize = 32;
/// How many bytes a key may have, and as many a value.
const MEMBER_PART_BYTES: usize = 256;
/// The longest `tracestate` that is looked at: no legal one is longer.
const TRACESTATE_BYTES: usize = MEMBERS * (2 * MEMBER_PART_BYTES + 2);
/// The longest `tracestate` that is passed on, as the standard asks for at least.
pub(super) const PASSED_ON_BYTES: usize = 512;
/// A member longer than this is the first to go when not all can be passed on.
const LONG_MEMBER_BYTES: usize = 128;

pub(super) fn read_tracestate(text: &str) -> Result<Option<Box<str>>, TraceContextError> {
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
