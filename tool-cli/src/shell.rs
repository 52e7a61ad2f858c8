//! Writes words so that a POSIX shell reads them back.

use std::borrow::Cow;

/// The word as it is where no shell would touch it, else in single quotes.
pub(crate) fn quote(word: &str) -> Cow<'_, str> {
    let plain =
        |character: char| character.is_ascii_alphanumeric() || "_-./:,@%+=".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn only_what_a_shell_would_touch_is_quoted() {
        assert_eq!(quote("web-fetch_page"), "web-fetch_page");
        assert_eq!(quote(r#"{"a":"it's"}"#), r#"'{"a":"it'\''s"}'"#);
        assert_eq!(quote(""), "''");
    }
}
