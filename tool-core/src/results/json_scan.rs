//! Finding the parts of JSON text, without making values of them.
//!
//! The text has been found to be JSON. On other text the parts make no sense,
//! but nothing panics or runs on.

use std::ops::Range;

/// The place of the value in a text that is one value with spaces around it.
pub(super) fn root(text: &str) -> Range<usize> {
    let start = skip_space(text.as_bytes(), 0);
    start..text.trim_end().len().max(start)
}

/// One element of an array, or one member of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// The key with its quotes; empty in an array.
    pub(super) key: Range<usize>,
    pub(super) value: Range<usize>,
}

/// Where the large arrays and objects of a text end, so that none is read
/// through again for each one around it.
pub(super) struct Ends {
    /// Beginnings and ends, in the order of the text.
    ends: Vec<(usize, usize)>,
}

impl Ends {
    /// A smaller one is read through as fast as it is looked up.
    const LARGE: usize = 4_096;

    /// The ends in a text, down to so many levels.
    pub(super) fn new(text: &str, levels: usize) -> Self {
        let bytes = text.as_bytes();
        let mut ends = Vec::new();
        let mut open = Vec::new();
        let mut deeper = 0_usize;
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => {
                    at = string_end(bytes, at);
                    continue;
                }
                b'[' | b'{' if open.len() < levels => open.push(at),
                b'[' | b'{' => deeper += 1,
                b']' | b'}' if deeper > 0 => deeper -= 1,
                b']' | b'}' => {
                    let start = open.pop();
                    ends.extend(
                        start
                            .filter(|start| at - start >= Self::LARGE)
                            .map(|start| (start, at + 1)),
                    );
                }
                _ => {}
            }
            at += 1;
        }
        ends.sort_unstable();
        Self { ends }
    }

    fn of(&self, start: usize) -> Option<usize> {
        let place = self.ends.binary_search_by_key(&start, |(start, _)| *start);
        place
            .ok()
            .and_then(|place| self.ends.get(place))
            .map(|(_, end)| *end)
    }
}

/// The parts of an array or an object, in order.
pub(super) struct Items<'a> {
    ends: &'a Ends,
    bytes: &'a [u8],
    at: usize,
    end: usize,
    object: bool,
}

impl<'a> Items<'a> {
    /// The parts of the container at `span`, whose first byte is its bracket.
    pub(super) fn new(text: &'a str, span: &Range<usize>, ends: &'a Ends) -> Self {
        let bytes = text.as_bytes();
        Self {
            ends,
            bytes,
            at: span.start + 1,
            end: span.end.saturating_sub(1).min(bytes.len()),
            object: bytes.get(span.start) == Some(&b'{'),
        }
    }
}

impl Iterator for Items<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        let bytes = &self.bytes[..self.end];
        let mut at = skip_space(bytes, self.at);
        if bytes.get(at) == Some(&b',') {
            at = skip_space(bytes, at + 1);
        }
        if at >= bytes.len() {
            return None;
        }
        let mut key = at..at;
        if self.object {
            key.end = value_end(bytes, at);
            at = skip_space(bytes, key.end);
            if bytes.get(at) == Some(&b':') {
                at = skip_space(bytes, at + 1);
            }
        }
        let known = match bytes.get(at) {
            Some(b'[' | b'{') => self.ends.of(at),
            _ => None,
        };
        let end = known.unwrap_or_else(|| value_end(bytes, at));
        // Text that is no JSON after all must not hold up the caller.
        self.at = end.max(self.at + 1);
        Some(Item {
            key,
            value: at..end,
        })
    }
}

fn skip_space(bytes: &[u8], at: usize) -> usize {
    let spaces = bytes.get(at..).unwrap_or_default();
    let found = spaces
        .iter()
        .position(|byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t'));
    at + found.unwrap_or(spaces.len())
}

/// The end of the value that begins at `at`.
fn value_end(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(b'"') => string_end(bytes, at),
        Some(b'[' | b'{') => container_end(bytes, at),
        _ => {
            let rest = bytes.get(at..).unwrap_or_default();
            let found = rest.iter().position(|byte| {
                matches!(
                    byte,
                    b',' | b':' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t'
                )
            });
            at + found.unwrap_or(rest.len())
        }
    }
}

/// The end of the string that begins at `at`, after its last quote.
pub(super) fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut place = at + 1;
    while let Some(byte) = bytes.get(place) {
        place += match byte {
            b'"' => return place + 1,
            b'\\' => 2,
            _ => 1,
        };
    }
    bytes.len()
}

fn container_end(bytes: &[u8], at: usize) -> usize {
    let mut depth = 0_usize;
    let mut place = at;
    while let Some(byte) = bytes.get(place) {
        match byte {
            b'"' => {
                place = string_end(bytes, place);
                continue;
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return place + 1;
                }
            }
            _ => {}
        }
        place += 1;
    }
    bytes.len()
}

/// The length of the character or escape at `at`; both halves of a pair of
/// surrogates are one.
pub(super) fn unit(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let hexadecimal = |digits: Option<&[u8]>, first: u8, second: &[u8]| {
        digits.is_some_and(|digits| {
            digits[0].to_ascii_lowercase() == first
                && second.contains(&digits[1].to_ascii_lowercase())
        })
    };
    match rest {
        [b'\\', b'u', ..] => {
            let high = hexadecimal(rest.get(2..4), b'd', b"89ab");
            let low = rest.get(6..8) == Some(br"\u") && hexadecimal(rest.get(8..10), b'd', b"cdef");
            if high && low { 12 } else { 6 }
        }
        [b'\\' | 0xc0..=0xdf, ..] => 2,
        [0xf0..=0xff, ..] => 4,
        [0xe0..=0xef, ..] => 3,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::{Ends, Items, root, unit};

    fn parts(text: &str) -> Vec<(&str, &str)> {
        let span = root(text);
        let ends = Ends::new(text, 3);
        Items::new(text, &span, &ends)
            .map(|item| (&text[item.key], &text[item.value]))
            .collect()
    }

    #[test]
    fn parts_are_found_whatever_they_hold() {
        assert_eq!(
            parts(r#" [1, "a,]\"", [2,[3]] ,{"k":"]"}, null] "#),
            [
                ("", "1"),
                ("", r#""a,]\"""#),
                ("", "[2,[3]]"),
                ("", r#"{"k":"]"}"#),
                ("", "null")
            ]
        );
        assert_eq!(
            parts(r#"{"a" : 1,"}":{},"":"\\"}"#),
            [(r#""a""#, "1"), (r#""}""#, "{}"), (r#""""#, r#""\\""#)]
        );
        assert_eq!(parts("[]"), []);
        assert_eq!(parts("{ }"), []);
    }

    #[test]
    fn large_parts_are_found_too() {
        let large = format!("[[[[{}1]],[]]]", "[1],".repeat(5_000));
        let text = format!(r#"{{"a":{large},"b":[],"c":{large}}}"#);
        let wanted = [
            (r#""a""#, large.as_str()),
            (r#""b""#, "[]"),
            (r#""c""#, &large),
        ];
        assert_eq!(parts(&text), wanted);
        assert_eq!(parts(&large).len(), 1);
    }

    #[test]
    fn text_that_is_no_json_ends_too() {
        for text in ["", "[", "[,,,]", "{:::}", "[}]", r#"["\"#, r#"{"a"#, "]["] {
            assert!(parts(text).len() <= text.len());
        }
    }

    #[test]
    fn a_pair_of_surrogates_is_one() {
        for (text, length) in [
            (r"\ud83d\ude00x", 12),
            (r"\uD83Dx", 6),
            (r"\u00e9", 6),
            (r"\n", 2),
            ("é", 2),
            ("😀", 4),
            ("a", 1),
        ] {
            assert_eq!(unit(text.as_bytes(), 0), length, "{text}");
        }
    }
}
