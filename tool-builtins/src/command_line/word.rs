//! One word of a command line, and how it is written.

use std::fmt;

/// A word without its quotes, and which of its characters are patterns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    /// The text, quotes and escapes taken away.
    pub(crate) text: String,
    /// Where `*`, `?` and `[` stand that nobody quoted, in bytes and in order.
    pub(crate) active: Vec<usize>,
}

impl Word {
    /// A word that is no pattern.
    #[cfg(test)]
    pub(crate) fn literal(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            active: Vec::new(),
        }
    }

    /// Adds a character that stands for itself.
    pub(super) fn push(&mut self, character: char) {
        self.text.push(character);
    }

    /// Adds a character as it stands outside of quotes.
    pub(super) fn push_bare(&mut self, character: char) {
        if matches!(character, '*' | '?' | '[') {
            self.active.push(self.text.len());
        }
        self.text.push(character);
    }
}

/// Written so that reading it again gives the same word.
impl fmt::Display for Word {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain =
            |character: char| character.is_ascii_alphanumeric() || "_-./:=,@%+".contains(character);
        if self.active.is_empty() {
            return if !self.text.is_empty() && self.text.chars().all(is_plain) {
                formatter.write_str(&self.text)
            } else {
                write!(formatter, "'{}'", self.text.replace('\'', r"'\''"))
            };
        }
        for (place, character) in self.text.char_indices() {
            match character {
                _ if self.active.binary_search(&place).is_ok() => write!(formatter, "{character}")?,
                '\n' => formatter.write_str("'\n'")?,
                _ if is_plain(character) => write!(formatter, "{character}")?,
                _ => write!(formatter, "\\{character}")?,
            }
        }
        Ok(())
    }
}
