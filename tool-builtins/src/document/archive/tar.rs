//! Tar archives: the headers, one after another.

use super::Listing;
use crate::document::Reading;
use crate::document::bounds::Bounds;
use crate::document::fault::Fault;

/// Headers and contents are filled up to this many bytes.
const BLOCK: usize = 512;

#[expect(
    clippy::unnecessary_wraps,
    reason = "every archive is read by a function of this shape"
)]
pub(super) fn read(bytes: &[u8], _bounds: Bounds) -> Result<Reading, Fault> {
    Ok(list(bytes).finish("a tar archive"))
}

/// Whether the bytes start like a tar archive.
pub(super) fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(257..262) == Some(b"ustar")
}

fn list(bytes: &[u8]) -> Listing {
    let mut listing = Listing::default();
    let (mut place, mut long_name) = (0_usize, None::<String>);
    while let Some(header) = bytes.get(place..place.saturating_add(BLOCK)) {
        if header.iter().all(|byte| *byte == 0) {
            break;
        }
        let Some(size) = number(header.get(124..136).unwrap_or_default()) else {
            listing.notes.push("it is damaged after these".to_owned());
            break;
        };
        let start = place + BLOCK;
        let length = usize::try_from(size).unwrap_or(usize::MAX);
        let content = bytes.get(start..start.saturating_add(length));
        let kind = header.get(156).copied().unwrap_or_default();
        match kind {
            b'L' => long_name = content.map(text),
            b'x' => long_name = content.and_then(extended_name),
            b'g' => {}
            _ => {
                let name = long_name.take().unwrap_or_else(|| name(header));
                let remark = match kind {
                    b'1' => " (hard link)",
                    b'2' => " (symbolic link)",
                    b'3' | b'4' | b'6' => " (device or pipe)",
                    _ => "",
                };
                if !listing.add(&name, size, remark) {
                    break;
                }
            }
        }
        let Some(next) = length
            .checked_next_multiple_of(BLOCK)
            .and_then(|length| start.checked_add(length))
        else {
            break;
        };
        if content.is_none() {
            listing.notes.push("it is cut off".to_owned());
            break;
        }
        place = next;
    }
    listing
}

fn name(header: &[u8]) -> String {
    let name = text(header.get(..100).unwrap_or_default());
    let prefix = text(header.get(345..500).unwrap_or_default());
    if prefix.is_empty() || header.get(257..263) != Some(b"ustar\0") {
        name
    } else {
        format!("{prefix}/{name}")
    }
}

fn text(bytes: &[u8]) -> String {
    let end = bytes
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(bytes.len());
    String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned()
}

/// The record `path` of an extended header, whose records read `21 path=some/name\n`.
fn extended_name(records: &[u8]) -> Option<String> {
    records.split(|byte| *byte == b'\n').find_map(|record| {
        let record = String::from_utf8_lossy(record).into_owned();
        record.split_once(" path=").map(|(_, name)| name.to_owned())
    })
}

/// Octal digits, or the binary form for large files.
fn number(field: &[u8]) -> Option<u64> {
    if let [first, rest @ ..] = field
        && first & 0x80 != 0
    {
        let mut value = u64::from(first & 0x7f);
        for byte in rest {
            value = value.checked_mul(256)?.checked_add(u64::from(*byte))?;
        }
        return Some(value);
    }
    let digits = text(field);
    let digits = digits.trim();
    if digits.is_empty() {
        return Some(0);
    }
    u64::from_str_radix(digits, 8).ok()
}
