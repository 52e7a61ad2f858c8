//! Doc comments as the text that a model reads.

/// The text of a doc comment: the one space after `///` taken off every line,
/// and then as [`joined`].
pub(crate) fn doc_text(raw: &str) -> String {
    let lines: Vec<&str> = raw
        .split('\n')
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    joined(&lines.join("\n"))
}

/// A text with the lines of each paragraph joined; paragraphs, lists and code
/// are kept as they are.
pub(crate) fn joined(raw: &str) -> String {
    let mut text = String::new();
    let mut in_code = false;
    let mut joinable = false;
    for line in raw.split('\n') {
        let line = line.trim_end();
        let is_fence = line.trim_start().starts_with("```");
        let plain = !in_code && !is_fence && is_prose(line);
        if !text.is_empty() {
            text.push(if plain && joinable { ' ' } else { '\n' });
        }
        text.push_str(line);
        in_code ^= is_fence;
        // The line after an item of a list may go on with the item.
        joinable = !in_code && !is_fence && !line.is_empty() && !line.starts_with(['#', '|']);
    }
    text.trim_matches('\n').trim_end().to_owned()
}

/// Whether a line goes on with the paragraph before it.
fn is_prose(line: &str) -> bool {
    let numbered = line.split_once(['.', ')']).is_some_and(|(number, rest)| {
        rest.starts_with(' ')
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    let marked = ["- ", "* ", "+ ", "#", "|", ">", " "]
        .iter()
        .any(|marker| line.starts_with(marker));
    !line.is_empty() && !numbered && !marked
}

/// A description without the sections that rustdoc has for programmers: what
/// a function's caller in Rust must know is nothing to a model.
pub(crate) fn without_sections(description: &str) -> String {
    const SECTIONS: [&str; 4] = ["errors", "panics", "safety", "examples"];

    let mut lines = Vec::new();
    let mut left_out = false;
    let mut in_code = false;
    for line in description.split('\n') {
        in_code ^= line.trim_start().starts_with("```");
        // In code a `#` is a comment, or a line that rustdoc hides.
        if !in_code && let Some(heading) = line.strip_prefix("# ") {
            left_out = SECTIONS.contains(&heading.trim().to_lowercase().as_str());
        }
        if !left_out {
            lines.push(line);
        }
    }
    lines.join("\n").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{doc_text, joined, without_sections};

    #[test]
    fn lines_of_a_paragraph_are_joined_and_paragraphs_kept() {
        assert_eq!(
            doc_text(" First line\n goes on.\n\n Second\n paragraph.\n"),
            "First line goes on.\n\nSecond paragraph."
        );
    }

    #[test]
    fn lists_tables_and_code_keep_their_lines() {
        let text =
            "Do:\n- one\n  more\n- two\n1. three\n\n| a |\n| b |\n\n```json\n{\n  1\n}\n```\nafter";
        assert_eq!(joined(text), text);
    }

    #[test]
    fn sections_for_programmers_are_left_out() {
        let text = "Do it.\n\n# Errors\n\nOften.\n\n# Notes\n\nKept.\n\n# Examples\n\n```\n# use x;\n```\n\nMore.";
        assert_eq!(without_sections(text), "Do it.\n\n# Notes\n\nKept.");
    }
}
