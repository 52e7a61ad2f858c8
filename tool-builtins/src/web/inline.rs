//! The text of one paragraph while it is put together.

use super::render::Style;
use crate::text::clean::clean;

/// Text in which white space is collapsed as browsers do.
#[derive(Debug, Default)]
pub(super) struct Inline {
    text: String,
    /// How often the text was taken, so that a mark is not put around what is no longer there.
    taken: usize,
}

/// Where a marked part of a paragraph starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    position: usize,
    taken: usize,
}

impl Inline {
    pub(super) fn push(&mut self, text: &str, style: Style) {
        // Before any mark is added: a backslash inside an escape sequence would save it.
        for character in clean(text).chars() {
            if character.is_whitespace() {
                if !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
                    self.text.push(' ');
                }
            } else {
                if style == Style::Markdown
                    && matches!(character, '*' | '`' | '[' | ']' | '\\' | '<')
                {
                    self.text.push('\\');
                }
                self.text.push(character);
            }
        }
    }

    /// Text that is already in its final form.
    pub(super) fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Code, in as many backticks as it takes.
    pub(super) fn code(&mut self, text: &str) {
        let text = clean(text);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            let fence = if text.contains('`') { "``" } else { "`" };
            self.text.extend([fence, &text, fence]);
        }
    }

    pub(super) fn line_break(&mut self) {
        self.text.truncate(self.text.trim_end_matches(' ').len());
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    pub(super) fn join_lines(&mut self) {
        self.text = self.text.replace('\n', " ");
    }

    pub(super) fn start(&self) -> Start {
        Start {
            position: self.text.len(),
            taken: self.taken,
        }
    }

    /// Puts marks around what came since `start`, without the white space at its ends; around nothing, or around
    /// several lines, none.
    pub(super) fn wrap(&mut self, start: Start, before: &str, after: &str) {
        let Some(part) = self
            .text
            .get(start.position..)
            .filter(|_| start.taken == self.taken)
        else {
            return;
        };
        let inside = part.trim();
        if inside.is_empty() || inside.contains('\n') {
            return;
        }
        let leading = part
            .get(..part.len() - part.trim_start().len())
            .unwrap_or_default();
        let trailing = part.get(part.trim_end().len()..).unwrap_or_default();
        let wrapped = format!("{leading}{before}{inside}{after}{trailing}");
        self.text.truncate(start.position);
        self.text.push_str(&wrapped);
    }

    pub(super) fn take(&mut self) -> String {
        self.taken += 1;
        std::mem::take(&mut self.text)
    }
}

/// The backslash that keeps a line of text from being read as a heading, quote or list item.
pub(super) fn escape_line_start(line: &str) -> &'static str {
    match line.as_bytes() {
        [b'#' | b'>', ..] | [b'-' | b'+', b' ', ..] => "\\",
        _ => "",
    }
}
