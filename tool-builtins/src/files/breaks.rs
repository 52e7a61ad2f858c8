//! Line breaks: text is matched with `\n` alone and changed with the breaks that the file has.

/// A text with `\n` for every line break, which still knows where the others stood.
#[derive(Debug)]
pub(super) struct Unified {
    pub(super) text: String,
    /// Where in `text` each `\n` stands that was `\r\n`.
    pairs: Vec<usize>,
    /// The break that most lines have.
    usual: &'static str,
}

impl Unified {
    pub(super) fn new(raw: &str) -> Self {
        let mut text = String::with_capacity(raw.len());
        let mut pairs = Vec::new();
        let (mut lone_feeds, mut lone_returns) = (0_usize, 0_usize);
        let mut rest = raw;
        while let Some(at) = rest.find(['\r', '\n']) {
            let (line, breaks) = rest.split_at(at);
            text.push_str(line);
            let length = if breaks.starts_with("\r\n") {
                pairs.push(text.len());
                2
            } else {
                if breaks.starts_with('\r') {
                    lone_returns += 1;
                } else {
                    lone_feeds += 1;
                }
                1
            };
            text.push('\n');
            rest = breaks.get(length..).unwrap_or_default();
        }
        text.push_str(rest);
        let usual = if pairs.len() > lone_feeds.max(lone_returns) {
            "\r\n"
        } else if lone_returns > lone_feeds {
            "\r"
        } else {
            "\n"
        };
        Self { text, pairs, usual }
    }

    /// The place in the file's own text.
    pub(super) fn raw(&self, place: usize) -> usize {
        place + self.pairs.partition_point(|pair| *pair < place)
    }

    /// New text with the breaks that the file has.
    pub(super) fn with_usual_breaks(&self, new: &str) -> String {
        let new = Self::new(new).text;
        if self.usual == "\n" {
            new
        } else {
            new.replace('\n', self.usual)
        }
    }

    /// The number of the line at a place, from 1.
    pub(super) fn line(&self, place: usize) -> usize {
        let before = self.text.get(..place).unwrap_or_default();
        before.matches('\n').count() + 1
    }
}

#[cfg(test)]
mod tests {
    use super::Unified;

    #[test]
    fn every_place_is_found_again_in_the_text_of_the_file() {
        let raw = "a\r\nb\nc\rd\r\n\r\n\n\r\re";
        let unified = Unified::new(raw);
        assert_eq!(unified.text, "a\nb\nc\nd\n\n\n\n\ne");
        for (place, character) in unified.text.char_indices() {
            let found = &raw[unified.raw(place)..];
            if character == '\n' {
                assert!(found.starts_with(['\r', '\n']), "{place}: {found:?}");
            } else {
                assert!(found.starts_with(character), "{place}: {found:?}");
            }
        }
        assert_eq!(unified.raw(unified.text.len()), raw.len());
    }

    #[test]
    fn new_text_gets_the_break_that_most_lines_have() {
        for (raw, expected) in [
            ("a\r\nb\r\nc\n", "x\r\ny"),
            ("a\nb\nc\r\n", "x\ny"),
            ("a\rb\rc\n", "x\ry"),
            ("", "x\ny"),
        ] {
            assert_eq!(
                Unified::new(raw).with_usual_breaks("x\r\ny"),
                expected,
                "{raw:?}"
            );
        }
    }
}
