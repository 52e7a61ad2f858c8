//! Keeps text from tools and definitions from driving a terminal.

use std::borrow::Cow;

/// The text without control characters except line breaks and tabs.
///
/// Escape sequences start with one of the characters taken out (ESC, or the
/// one-character forms U+0080 to U+009F), so that what remains of them is plain text.
pub(crate) fn strip(text: &str) -> Cow<'_, str> {
    if text.chars().any(drives) {
        Cow::Owned(
            text.chars()
                .filter(|character| !drives(*character))
                .collect(),
        )
    } else {
        Cow::Borrowed(text)
    }
}

/// The text on one line, without control characters: for a cell or a spinner.
pub(crate) fn one_line(text: &str) -> String {
    strip(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// JSON text with every control character and every character that reorders
/// text written as `\uXXXX`. The value stays the same: outside of strings, JSON
/// has no such characters but the line breaks and tabs that are kept.
pub(crate) fn escape_json(json: &str) -> Cow<'_, str> {
    let hides = |character: char| drives(character) || reorders(character);
    if !json.chars().any(hides) {
        return Cow::Borrowed(json);
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if hides(character) {
            // All of them are below U+10000, where four digits do.
            let code = format!("\\u{:04x}", u32::from(character));
            escaped.push_str(&code);
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

fn drives(character: char) -> bool {
    character.is_control() && character != '\n' && character != '\t'
}

/// Characters that make a text read in another order than it is in, so that a
/// person would approve something else than what runs.
pub(crate) fn reorders(character: char) -> bool {
    matches!(
        character,
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

#[cfg(test)]
mod tests {
    use super::{escape_json, one_line, strip};

    #[test]
    fn escape_sequences_lose_what_makes_them_work() {
        assert_eq!(strip("a\x1b[2Jb\u{9b}31mc\r\x07\n\td"), "a[2Jb31mc\n\td");
        assert_eq!(one_line("a\n  b\tc\x1b"), "a b c");
    }

    #[test]
    fn escaped_json_is_the_same_value() {
        let value = serde_json::json!({ "text": "\u{9b}31m\x7f\x1b[2J\u{202e}txt" });
        let text = serde_json::to_string_pretty(&value).unwrap();
        let escaped = escape_json(&text);
        assert!(
            !escaped
                .chars()
                .any(|character| character.is_control() && character != '\n')
        );
        assert!(escaped.contains("\\u202etxt"));
        let again: serde_json::Value = serde_json::from_str(&escaped).unwrap();
        assert_eq!(again, value);
    }
}
