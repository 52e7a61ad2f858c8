//! Text that is nearly JSON: read as a person would, or not at all.

use serde_json::{Map, Number, Value};

use super::RepairKind;

/// Why a text cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// It ends before its object does.
    CutOff,
    /// There is no reading, or more than one.
    Unclear,
}

/// How deep values may nest, as in `serde_json`.
const DEEPEST: usize = 128;

/// Reads a text as one object.
pub(super) fn read(text: &str) -> Result<(Value, Vec<RepairKind>), Unreadable> {
    let mut kinds = Vec::new();
    let mut text = text.trim();
    if let Some(rest) = text.strip_prefix('\u{feff}') {
        kinds.push(RepairKind::ByteOrderMark);
        text = rest.trim_start();
    }
    if let Some(inner) = fenced(text)? {
        kinds.push(RepairKind::CodeFence);
        text = inner;
    }
    if text.starts_with('"') {
        return match serde_json::from_str::<String>(text) {
            Ok(inner) => encoded(&inner, kinds),
            // A string that does not end is an object that does not either.
            Err(error) if error.is_eof() => Err(Unreadable::CutOff),
            Err(_) => Err(Unreadable::Unclear),
        };
    }
    let start = text.find('{').ok_or(Unreadable::Unclear)?;
    let (before, object) = text.split_at(start);
    let mut reader = Reader::new(object);
    let value = reader.value(0)?;
    let rest = reader.rest();
    if !before.trim().is_empty() || !rest.trim().is_empty() {
        if !is_prose_before(before) || !is_prose_after(rest) {
            return Err(Unreadable::Unclear);
        }
        kinds.push(RepairKind::Prose);
    }
    kinds.extend(reader.kinds);
    if kinds.is_empty() {
        // What cannot be told is not mended.
        return Err(Unreadable::Unclear);
    }
    Ok((value, kinds))
}

/// Whether words before an object only lead up to it: nothing in them could be
/// an argument or another object.
fn is_prose_before(text: &str) -> bool {
    let words = text.trim().trim_end_matches(':');
    !words.contains(['{', '}', '[', ']', '"', ':', '='])
}

/// Whether words after an object could not be more of it.
fn is_prose_after(text: &str) -> bool {
    let words = text.trim();
    let sets_in = words.starts_with(|first: char| first.is_alphabetic() || ".!`".contains(first));
    (words.is_empty() || sets_in) && !words.contains(['{', '}', '[', ']', '"', ':', '='])
}

/// An object that was written as JSON, and that once more as a JSON string.
pub(super) fn encoded(
    inner: &str,
    mut kinds: Vec<RepairKind>,
) -> Result<(Value, Vec<RepairKind>), Unreadable> {
    kinds.push(RepairKind::DoubleEncoding);
    let (value, more) = structure(inner)?;
    if !value.is_object() {
        return Err(Unreadable::Unclear);
    }
    kinds.extend(more);
    Ok((value, kinds))
}

/// A text that is one list or object, in JSON or nearly, and nothing else.
pub(super) fn structure(text: &str) -> Result<(Value, Vec<RepairKind>), Unreadable> {
    let text = text.trim();
    if !text.starts_with(['{', '[']) {
        return Err(Unreadable::Unclear);
    }
    let mut reader = Reader::new(text);
    let value = reader.value(0)?;
    if !reader.rest().trim().is_empty() {
        return Err(Unreadable::Unclear);
    }
    Ok((value, reader.kinds))
}

/// The inside of a code fence that is the whole text.
fn fenced(text: &str) -> Result<Option<&str>, Unreadable> {
    let Some(rest) = text.strip_prefix("```") else {
        return Ok(None);
    };
    // The language stands on the fence's own line, or the object does.
    let body = rest.trim_start_matches(|character: char| character.is_ascii_alphanumeric());
    match body.trim_end().strip_suffix("```") {
        Some(inner) => Ok(Some(inner.trim())),
        None if body.contains("```") => Err(Unreadable::Unclear),
        None => Err(Unreadable::CutOff),
    }
}

/// Reads values that are nearly JSON.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    kinds: Vec<RepairKind>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            kinds: Vec::new(),
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn note(&mut self, kind: RepairKind) {
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
    }

    /// The next character that is neither white space nor part of a comment, not yet taken.
    fn peek(&mut self) -> Result<char, Unreadable> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches([' ', '\n', '\r', '\t']);
            self.at += rest.len() - trimmed.len();
            let length = if trimmed.starts_with("//") {
                trimmed.find('\n').unwrap_or(trimmed.len())
            } else if trimmed.starts_with("/*") {
                trimmed.find("*/").ok_or(Unreadable::CutOff)? + 2
            } else {
                return trimmed.chars().next().ok_or(Unreadable::CutOff);
            };
            self.note(RepairKind::Comment);
            self.at += length;
        }
    }

    fn take(&mut self, character: char) {
        self.at += character.len_utf8();
    }

    fn value(&mut self, depth: usize) -> Result<Value, Unreadable> {
        if depth > DEEPEST {
            return Err(Unreadable::Unclear);
        }
        match self.peek()? {
            '{' => self.object(depth),
            '[' => self.array(depth),
            '"' | '\'' => self.string().map(Value::String),
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Unreadable> {
        self.take('{');
        let mut members = Map::new();
        while self.item_follows('}', members.is_empty())? {
            let key = match self.peek()? {
                '"' | '\'' => self.string()?,
                _ => self.bare_key()?,
            };
            if self.peek()? != ':' {
                return Err(Unreadable::Unclear);
            }
            self.take(':');
            let value = self.value(depth + 1)?;
            if members.insert(key, value).is_some() {
                return Err(Unreadable::Unclear);
            }
        }
        Ok(Value::Object(members))
    }

    fn array(&mut self, depth: usize) -> Result<Value, Unreadable> {
        self.take('[');
        let mut items = Vec::new();
        while self.item_follows(']', items.is_empty())? {
            items.push(self.value(depth + 1)?);
        }
        Ok(Value::Array(items))
    }

    /// Goes to the next item, or past the closing bracket.
    fn item_follows(&mut self, close: char, first: bool) -> Result<bool, Unreadable> {
        let end_of_last = self.at;
        let mut next = self.peek()?;
        let apart = self.at > end_of_last;
        let comma = next == ',';
        if comma {
            if first {
                return Err(Unreadable::Unclear);
            }
            self.take(',');
            next = self.peek()?;
        }
        if next == close {
            self.take(close);
            if comma {
                self.note(RepairKind::TrailingComma);
            }
            return Ok(false);
        }
        if !first && !comma {
            // Only a value with an end of its own can be told from the next,
            // and a quote right after a quote may stand for the quote itself.
            if !apart || !matches!(next, '"' | '\'' | '{' | '[') {
                return Err(Unreadable::Unclear);
            }
            self.note(RepairKind::MissingComma);
        }
        Ok(true)
    }

    fn string(&mut self) -> Result<String, Unreadable> {
        let quote = self.peek()?;
        self.take(quote);
        if quote == '\'' {
            self.note(RepairKind::SingleQuotes);
        }
        let mut text = String::new();
        loop {
            let next = self.rest().chars().next().ok_or(Unreadable::CutOff)?;
            self.take(next);
            match next {
                '\\' => self.escape(quote, &mut text)?,
                _ if next == quote => return Ok(text),
                _ => {
                    if next.is_ascii_control() {
                        self.note(RepairKind::ControlCharacter);
                    }
                    text.push(next);
                }
            }
        }
    }

    fn escape(&mut self, quote: char, text: &mut String) -> Result<(), Unreadable> {
        let escaped = self.rest().chars().next().ok_or(Unreadable::CutOff)?;
        self.take(escaped);
        if escaped == '\'' && quote == '"' {
            self.note(RepairKind::Escape);
        }
        let character = match escaped {
            '"' | '\\' | '/' | '\'' => escaped,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode(text),
            _ => return Err(Unreadable::Unclear),
        };
        text.push(character);
        Ok(())
    }

    /// `\u00e9`, and pairs of surrogates.
    fn unicode(&mut self, text: &mut String) -> Result<(), Unreadable> {
        let first = self.hexadecimal()?;
        let code = if (0xd800..0xdc00).contains(&first) {
            if !self.rest().starts_with("\\u") {
                return Err(Unreadable::Unclear);
            }
            self.at += 2;
            let second = self.hexadecimal()?;
            if !(0xdc00..0xe000).contains(&second) {
                return Err(Unreadable::Unclear);
            }
            0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
        } else {
            first
        };
        text.push(char::from_u32(code).ok_or(Unreadable::Unclear)?);
        Ok(())
    }

    fn hexadecimal(&mut self) -> Result<u32, Unreadable> {
        if self.rest().len() < 4 {
            return Err(Unreadable::CutOff);
        }
        let digits = self.rest().get(..4).ok_or(Unreadable::Unclear)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(Unreadable::Unclear);
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).map_err(|_| Unreadable::Unclear)
    }

    fn bare_key(&mut self) -> Result<String, Unreadable> {
        let rest = self.rest();
        let length = rest
            .find(|character: char| {
                !(character.is_alphanumeric() || character == '_' || character == '-')
            })
            .ok_or(Unreadable::CutOff)?;
        let key = rest.get(..length).unwrap_or_default();
        if !key.starts_with(|first: char| first.is_alphabetic() || first == '_') {
            return Err(Unreadable::Unclear);
        }
        self.note(RepairKind::UnquotedKey);
        self.at += length;
        Ok(key.to_owned())
    }

    /// A number or a literal.
    fn word(&mut self) -> Result<Value, Unreadable> {
        let rest = self.rest();
        let length = rest
            .find(|character: char| {
                !(character.is_ascii_alphanumeric() || "+-.".contains(character))
            })
            .ok_or(Unreadable::CutOff)?;
        let word = rest.get(..length).unwrap_or_default();
        let value = match word {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            "True" => self.python(Value::Bool(true)),
            "False" => self.python(Value::Bool(false)),
            "None" => self.python(Value::Null),
            number => {
                let number: Number = number.parse().map_err(|_| Unreadable::Unclear)?;
                Value::Number(number)
            }
        };
        self.at += length;
        Ok(value)
    }

    fn python(&mut self, value: Value) -> Value {
        self.note(RepairKind::PythonLiteral);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::super::RepairKind as Kind;
    use super::{Unreadable, read};
    use serde_json::json;

    #[test]
    fn what_a_person_can_read_in_one_way_is_read() {
        for (text, kinds) in [
            ("\u{feff}{\"a\":1,\"b\":[2,3]}", &[Kind::ByteOrderMark][..]),
            ("```json\n{\"a\":1,\"b\":[2,3]}\n```", &[Kind::CodeFence]),
            ("```{\"a\":1,\"b\":[2,3]}```", &[Kind::CodeFence]),
            ("Sure! {\"a\":1,\"b\":[2,3]} Done.", &[Kind::Prose]),
            (r#"{"a":1,"b":[2,3,],}"#, &[Kind::TrailingComma]),
            ("{'a':1,'b':[2,3]}", &[Kind::SingleQuotes]),
            ("{a:1,b:[2,3]}", &[Kind::UnquotedKey]),
            ("{\"a\":1, // one\n\"b\":/* two */[2,3]}", &[Kind::Comment]),
            ("\"{\\\"a\\\":1,\\\"b\\\":[2,3]}\"", &[Kind::DoubleEncoding]),
        ] {
            let (value, found) = read(text).unwrap();
            assert_eq!(value, json!({"a": 1, "b": [2, 3]}), "{text}");
            assert_eq!(found, kinds, "{text}");
        }
        let (value, kinds) =
            read("{'x': True, 'y': None \"z\": 'it\\'s\na \\u00e9\\ud83d\\ude00'}").unwrap();
        assert_eq!(value, json!({"x": true, "y": null, "z": "it's\na é😀"}));
        assert_eq!(
            kinds,
            [
                Kind::SingleQuotes,
                Kind::PythonLiteral,
                Kind::MissingComma,
                Kind::ControlCharacter
            ]
        );
    }

    #[test]
    fn what_ends_early_is_cut_off_and_never_completed() {
        for text in [
            "{",
            "{'a",
            "{'a':",
            "{'a':'b",
            "{'a':'b'",
            "{'a':[1,",
            "{'a':1,",
            "{'a':tru",
            "```json\n{\"a\":1",
            "Sure: {\"a\":",
            "\"{\\\"a\\\":1",
            "{'a': 'x\\",
            "{'a': '\\u00",
            "{a",
            "{'a':1 /* x",
        ] {
            assert_eq!(read(text).unwrap_err(), Unreadable::CutOff, "{text}");
        }
    }

    #[test]
    fn of_two_readings_none_is_taken() {
        for text in [
            "",
            "hello",
            "{} {}",
            "{\"a\":1} and {\"b\":2}",
            "use [x] {\"a\":1}",
            "{'a':1,'a':2}",
            "{'a' 1}",
            "{'a':1 2}",
            "{'a':'it's'}",
            "{'a':NaN}",
            "{'a':01}",
            "{,}",
            "{'a':1,,'b':2}",
            "[1]",
            "\"text\"",
            "{'a':'\\x'}",
            "```\n{}\n``` and ```\n{}\n```",
            "{1:2}",
        ] {
            assert_eq!(read(text).unwrap_err(), Unreadable::Unclear, "{text}");
        }
        let deep = format!("{{'a':{}{}}}", "[".repeat(10_000), "]".repeat(10_000));
        assert_eq!(read(&deep).unwrap_err(), Unreadable::Unclear);
    }
}
