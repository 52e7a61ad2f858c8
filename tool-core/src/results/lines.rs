//! The lines that a kept result is read by.

use super::boundary;

/// How many lines there are between two whose place is remembered.
const STEP: usize = 128;

/// The lines of a text: up to and with each line break, and where a line is
/// longer than the width, each part of it. One behind the other they are the text.
#[derive(Debug)]
pub(super) struct Lines {
    width: usize,
    total: usize,
    /// Where every 128th line begins.
    starts: Vec<usize>,
}

impl Lines {
    /// The lines of a text. A line has at most `width` bytes, at least 4, and
    /// its line break.
    pub(super) fn new(text: &str, width: usize) -> Self {
        let width = width.max(4);
        let mut lines = Self {
            width,
            total: 0,
            starts: Vec::new(),
        };
        let mut at = 0;
        while at < text.len() {
            if lines.total.is_multiple_of(STEP) {
                lines.starts.push(at);
            }
            lines.total += 1;
            at = lines.end(text, at);
        }
        lines.starts.shrink_to_fit();
        lines
    }

    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// The bytes that the lines themselves take.
    pub(super) fn bytes(&self) -> usize {
        self.starts.len() * size_of::<usize>()
    }

    /// Where a line begins, counted from 0; the end of the text where there
    /// are not so many.
    pub(super) fn start(&self, text: &str, line: usize) -> usize {
        if line >= self.total {
            return text.len();
        }
        let mut at = self.starts.get(line / STEP).copied().unwrap_or(text.len());
        for _ in 0..line % STEP {
            at = self.end(text, at);
        }
        at
    }

    /// The line that holds the byte at a place; the number of lines where no one does.
    pub(super) fn line(&self, text: &str, place: usize) -> usize {
        if place >= text.len() {
            return self.total;
        }
        let step = self.starts.partition_point(|start| *start <= place);
        let step = step.saturating_sub(1);
        let mut line = step * STEP;
        let mut end = self.end(text, self.starts.get(step).copied().unwrap_or(0));
        while end <= place && end < text.len() {
            end = self.end(text, end);
            line += 1;
        }
        line
    }

    /// The end of the line that begins at a place.
    pub(super) fn end(&self, text: &str, start: usize) -> usize {
        let bytes = text.as_bytes();
        let longest = start.saturating_add(self.width);
        // One byte more: a line break behind a full line belongs to it.
        let seen = bytes.get(start..bytes.len().min(longest.saturating_add(1)));
        let seen = seen.unwrap_or_default();
        if let Some(place) = seen.iter().position(|byte| *byte == b'\n') {
            return start + place + 1;
        }
        if longest >= text.len() {
            return text.len();
        }
        let end = boundary::before(text, longest);
        if end > start {
            end
        } else {
            boundary::character_before(text, longest)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_are_the_text_and_no_wider_than_told(
            text in r"([a-z]|é|\n|😀|e\u{301}){0,900}",
            width in 0..40_usize,
        ) {
            let lines = Lines::new(&text, width);
            let mut whole = String::new();
            for line in 0..lines.total() {
                let (start, end) = (lines.start(&text, line), lines.start(&text, line + 1));
                prop_assert_eq!(lines.end(&text, start), end);
                for place in start..end {
                    prop_assert_eq!(lines.line(&text, place), line);
                }
                let part = &text[start..end];
                prop_assert!(!part.is_empty() && part.trim_end_matches('\n').len() <= width.max(4));
                prop_assert!(!part.trim_end_matches('\n').contains('\n'));
                whole.push_str(part);
            }
            prop_assert_eq!(lines.line(&text, text.len()), lines.total());
            prop_assert_eq!(whole, text);
        }
    }
}
