//! The quick way from text to arguments: each is cut out where it stands.
//!
//! The cuts find where a value ends and no more; whether it is JSON is found
//! out when its type, or a check, reads it. Whatever is unusual, such as an
//! escape in a key, a key that is not known or is there twice, or a value that
//! its check refuses, ends the reading: the slow way looks closer and says
//! what is wrong.

use super::check::Members;
use super::{Slot, parse};

/// The arguments of one call: on the stack for most tools.
pub(crate) enum Slots<'a> {
    Few([Slot<'a>; FEW], usize),
    Many(Vec<Slot<'a>>),
}

/// How many parameters a tool may have before its slots go to the heap.
const FEW: usize = 8;

impl<'a> Slots<'a> {
    fn new(length: usize) -> Self {
        if length <= FEW {
            Self::Few([const { Slot::Absent }; FEW], length)
        } else {
            Self::Many((0..length).map(|_| Slot::Absent).collect())
        }
    }

    pub(crate) fn as_slice(&self) -> &[Slot<'a>] {
        match self {
            Self::Few(slots, length) => slots.get(..*length).unwrap_or(slots),
            Self::Many(slots) => slots,
        }
    }

    fn get_mut(&mut self, index: usize) -> Option<&mut Slot<'a>> {
        match self {
            Self::Few(slots, _) => slots.get_mut(index),
            Self::Many(slots) => slots.get_mut(index),
        }
    }
}

/// Reads an object into one slot a property. `None` means "look closer", not "refused".
pub(super) fn slots<'a>(text: &'a str, members: &Members) -> Option<Slots<'a>> {
    let properties = &members.properties;
    // The set of the keys seen is one word.
    if properties.len() > 64 {
        return None;
    }
    let mut seen = 0_u64;
    let mut slots = Slots::new(properties.len());
    let mut cursor = Cursor { text, at: 0 };
    cursor.take(b'{')?;
    if cursor.peek()? == b'}' {
        cursor.take(b'}')?;
    } else {
        loop {
            let key = cursor.string()?;
            let key = key.get(1..key.len() - 1)?;
            cursor.take(b':')?;
            let raw = cursor.value()?;

            // A key with an escape is no property's name as it stands.
            let index = members.position(key)?;
            let (property, slot) = (properties.get(index)?, slots.get_mut(index)?);
            let bit = 1_u64 << index;
            if seen & bit != 0 {
                return None;
            }
            seen |= bit;
            if !(property.null_is_absent && raw == "null") {
                *slot = match property.check.accepts_raw(raw) {
                    Some(true) => Slot::Raw(raw),
                    Some(false) => return None,
                    None => {
                        let value = parse::value(raw, raw.len()).ok()?;
                        if !property.check.accepts(&value) {
                            return None;
                        }
                        Slot::Parsed(Box::new(value))
                    }
                };
            }
            match cursor.next()? {
                b',' => {}
                b'}' => break,
                _ => return None,
            }
        }
    }
    let complete = properties
        .iter()
        .enumerate()
        .all(|(index, property)| !property.required || seen & (1_u64 << index) != 0);
    (cursor.is_at_end() && complete).then_some(slots)
}

/// A place in a text.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// The next byte that is no white space, not yet taken.
    fn peek(&mut self) -> Option<u8> {
        loop {
            match *self.text.as_bytes().get(self.at)? {
                b' ' | b'\n' | b'\t' | b'\r' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    /// The next byte that is no white space.
    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn take(&mut self, expected: u8) -> Option<()> {
        (self.next()? == expected).then_some(())
    }

    fn is_at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// A string with its quotes.
    fn string(&mut self) -> Option<&'a str> {
        if self.peek()? != b'"' {
            return None;
        }
        let start = self.at;
        self.skip_string()?;
        self.text.get(start..self.at)
    }

    fn skip_string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            let rest = self.text.as_bytes().get(self.at..)?;
            let stop = rest.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
            if rest.get(stop) == Some(&b'"') {
                self.at += stop + 1;
                return Some(());
            }
            self.at += stop + 2;
        }
    }

    /// A value, from its first byte to its last.
    fn value(&mut self) -> Option<&'a str> {
        match self.peek()? {
            b'"' => self.string(),
            b'{' | b'[' => self.nested(),
            _ => {
                let start = self.at;
                let rest = self.text.as_bytes().get(start..)?;
                let ends = |byte: &u8| matches!(byte, b',' | b'}' | b' ' | b'\n' | b'\t' | b'\r');
                self.at += rest.iter().position(ends)?;
                self.text.get(start..self.at)
            }
        }
    }

    /// An object or an array, to the bracket that closes it. That the
    /// brackets are of the right kind is found out when the piece is parsed.
    fn nested(&mut self) -> Option<&'a str> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut depth = 0_usize;
        loop {
            match *bytes.get(self.at)? {
                b'"' => {
                    self.skip_string()?;
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return self.text.get(start..self.at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::Check;
    use super::super::plan::Origin;
    use super::{Slot, slots};
    use serde_json::json;

    fn read(text: &str) -> Option<Vec<String>> {
        let schema = json!({
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {}, "c": {"type": "integer"}},
        });
        let Some(Check::Object(members)) = Check::compile(&schema, Origin::Declared) else {
            panic!("the schema is simple");
        };
        let slots = slots(text, &members)?;
        let shown = slots.as_slice().iter().map(|slot| match slot {
            Slot::Absent => "-".to_owned(),
            Slot::Raw(raw) => (*raw).to_owned(),
            Slot::Parsed(value) => format!("={value}"),
            Slot::Borrowed(_) => unreachable!("nothing is borrowed from a text"),
        });
        Some(shown.collect())
    }

    #[test]
    fn each_argument_is_cut_out_where_it_stands() {
        assert_eq!(
            read(" { \"a\" : \"x\\\"}\" ,\n\"b\":[{\"]\":1},2] , \"c\":-5 } ").unwrap(),
            ["\"x\\\"}\"", "=[{\"]\":1},2]", "-5"]
        );
        assert_eq!(read("{}").unwrap(), ["-", "-", "-"]);
        assert_eq!(read(r#"{"c":null}"#).unwrap(), ["-", "-", "-"]);
    }

    #[test]
    fn whatever_is_unusual_is_left_to_a_closer_look() {
        for text in [
            "",
            "{",
            "[]",
            "{}x",
            "{,}",
            r#"{"a"}"#,
            r#"{"a":}"#,
            r#"{"a":"x",}"#,
            r#"{"a":"x"}{}"#,
            r#"{"a":"x","a":"y"}"#,
            r#"{"\u0061":"x"}"#,
            r#"{"d":1}"#,
            r#"{"a":1}"#,
            r#"{"b":[1}"#,
            r#"{"b":[1}}"#,
            r#"{"a":"x"#,
            r#"{"a":"x\"#,
            r#"{"b":nul}"#,
            r#"{"b":1 2}"#,
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
