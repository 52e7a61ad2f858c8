//! Markdown, as far as documents need it.

use super::bounds::TEXT;
use crate::text::clean::clean;

/// A text that grows block by block and stops at a bound.
#[derive(Debug, Default)]
pub(crate) struct Markdown {
    text: String,
    cut: bool,
    in_list: bool,
}

impl Markdown {
    /// Adds a block, with a blank line before it. A block without visible characters is left out.
    pub(crate) fn block(&mut self, block: &str) {
        self.in_list = false;
        self.add(block, "\n\n");
    }

    /// Adds an entry of a list; entries that follow one another stand close.
    pub(crate) fn item(&mut self, item: &str) {
        let before = if self.in_list { "\n" } else { "\n\n" };
        self.add(item, before);
        self.in_list = true;
    }

    /// Adds a heading of level 1 to 6.
    pub(crate) fn heading(&mut self, level: usize, title: &str) {
        let title = one_line(title);
        if !title.is_empty() {
            self.block(&format!("{} {title}", "#".repeat(level.clamp(1, 6))));
        }
    }

    /// Whether something was left out because the text is long enough.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    fn add(&mut self, block: &str, before: &str) {
        let block = clean(block);
        let block = block.trim_end();
        if block.trim().is_empty() || self.cut {
            return;
        }
        if self.text.len() + block.len() > TEXT {
            self.cut = true;
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str(before);
        }
        self.text.push_str(block.trim_start_matches('\n'));
    }
}

/// Runs of white space become one space.
pub(crate) fn one_line(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A table; the first row is its head. Rows that are short are filled up.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let width = rows.iter().map(Vec::len).max().unwrap_or_default();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        for column in 0..width {
            text.push_str("| ");
            text.push_str(&cell(row.get(column).map_or("", String::as_str)));
            text.push(' ');
        }
        text.push_str("|\n");
        if number == 0 {
            text.push_str(&"|---".repeat(width));
            text.push_str("|\n");
        }
    }
    text
}

/// Text that stays within its cell.
fn cell(text: &str) -> String {
    clean(text)
        .trim()
        .replace('|', "\\|")
        .replace('\t', " ")
        .replace('\n', "<br>")
}

/// A link where the target is one that a reader may follow, else its text alone.
pub(crate) fn link(text: &str, target: &str) -> String {
    let target = clean(target);
    let target = target.trim();
    let scheme = target.split(':').next().unwrap_or_default();
    let followed = ["http", "https", "mailto"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known));
    if !followed || text.trim().is_empty() || target.contains(char::is_whitespace) {
        return text.to_owned();
    }
    let target = target.replace('(', "%28").replace(')', "%29");
    format!(
        "[{}]({target})",
        text.replace('[', "\\[").replace(']', "\\]")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_keeps_its_shape_whatever_the_cells_hold() {
        let rows = [
            vec!["a|b".to_owned(), "c\nd".to_owned()],
            vec!["\u{1b}[31me".to_owned()],
        ];
        assert_eq!(table(&rows), "| a\\|b | c<br>d |\n|---|---|\n| e |  |\n");
    }

    #[test]
    fn only_links_that_may_be_followed_are_links() {
        assert_eq!(
            link("a", "https://x.example/(1)"),
            "[a](https://x.example/%281%29)"
        );
        assert_eq!(link("a", "javascript:alert(1)"), "a");
        assert_eq!(link("a", "data:text/html,x"), "a");
        assert_eq!(link("a", "#anchor"), "a");
        assert_eq!(
            link("a]b", "mailto:a@b.example"),
            "[a\\]b](mailto:a@b.example)"
        );
    }

    #[test]
    fn a_text_stops_growing_at_its_bound() {
        let mut text = Markdown::default();
        let block = "x".repeat(1024 * 1024);
        for _ in 0..20 {
            text.block(&block);
        }
        assert!(text.is_cut());
        assert!(text.into_text().len() <= TEXT + 100);
    }
}
