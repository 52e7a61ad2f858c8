//! What is taken out of text before a model or a terminal reads it.
//!
//! Escape sequences drive terminals, direction marks make text read differently from what it says, and
//! invisible characters carry instructions that no person sees.

/// Takes out control characters other than `\n` and `\t`, escape sequences, direction marks and invisible
/// characters. `\r\n` and a lone `\r` become `\n`.
pub(crate) fn clean(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' => {
                characters.next_if_eq(&'\n');
                kept.push('\n');
            }
            '\n' | '\t' => kept.push(character),
            '\u{1b}' => skip_escape(&mut characters),
            '\u{9b}' => skip_control_sequence(&mut characters),
            '\u{200c}' | '\u{200d}' => {
                // Persian, the scripts of India and many emoji need joiners, one at a time.
                if kept.chars().next_back().is_some_and(joins) {
                    kept.push(character);
                }
            }
            character if character.is_control() || is_invisible(character) => {}
            character => kept.push(character),
        }
    }
    kept
}

/// One line of clean text: runs of white space become one space.
#[cfg(feature = "web")]
pub(crate) fn clean_line(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The start of `text`, at most `longest` bytes of it.
#[cfg(feature = "web")]
pub(crate) fn start_of(text: &str, longest: usize) -> &str {
    let mut end = longest.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

fn joins(previous: char) -> bool {
    !previous.is_ascii() && !matches!(previous, '\u{200c}' | '\u{200d}')
}

/// Characters without a shape: zero-width, direction marks, the tag block.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

type Characters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn skip_escape(characters: &mut Characters<'_>) {
    match characters.peek() {
        Some('[') => {
            characters.next();
            skip_control_sequence(characters);
        }
        // Strings for the terminal: titles, links, device commands.
        Some(']' | 'P' | 'X' | '^' | '_') => {
            characters.next();
            skip_string(characters);
        }
        Some(' '..='/') => {
            while characters
                .next_if(|next| matches!(next, ' '..='/'))
                .is_some()
            {}
            characters.next_if(|next| matches!(next, '0'..='~'));
        }
        Some('0'..='~') => {
            characters.next();
        }
        _ => {}
    }
}

fn skip_control_sequence(characters: &mut Characters<'_>) {
    while characters
        .next_if(|next| matches!(next, ' '..='?'))
        .is_some()
    {}
    characters.next_if(|next| matches!(next, '@'..='~'));
}

/// Ends at BEL, ST, or the end of the line: an unfinished sequence must not swallow the file.
fn skip_string(characters: &mut Characters<'_>) {
    while let Some(next) = characters.next_if(|next| !matches!(next, '\n' | '\r')) {
        match next {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' => {
                characters.next_if_eq(&'\\');
                return;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn escape_sequences_leave_only_the_text_they_style() {
        assert_eq!(clean("\u{1b}[1;31mred\u{1b}[0m"), "red");
        assert_eq!(
            clean("\u{1b}]8;;http://evil.example\u{1b}\\link\u{1b}]8;;\u{1b}\\"),
            "link"
        );
        assert_eq!(clean("\u{1b}]0;title\u{7}text"), "text");
        assert_eq!(clean("\u{9b}31mred"), "red");
        assert_eq!(clean("\u{1b}(Btext\u{1b}Mmore"), "textmore");
    }

    #[test]
    fn an_unfinished_sequence_ends_with_its_line() {
        assert_eq!(clean("a\u{1b}]0;never closed\nb"), "a\nb");
    }

    #[test]
    fn cleaning_twice_changes_nothing_more() {
        for text in [
            "\u{1b}\u{1b}[[31m",
            "a\u{200d}\u{200d}b",
            "é\u{200d}\u{200b}\u{200d}x",
            "\r\r\n\u{9b}\u{1b}",
        ] {
            assert_eq!(clean(&clean(text)), clean(text), "{text:?}");
        }
    }

    #[test]
    fn joiners_stay_where_scripts_and_emoji_need_them() {
        for text in ["می\u{200c}خواهم", "👩\u{200d}💻", "क\u{94d}\u{200d}ष"] {
            assert_eq!(clean(text), text);
        }
        assert_eq!(clean("plain\u{200d}text"), "plaintext");
    }

    #[test]
    fn hidden_characters_are_gone_and_visible_ones_stay() {
        let tags: String = "ignore"
            .chars()
            .filter_map(|letter| char::from_u32(0xe0000 + letter as u32))
            .collect();
        assert_eq!(
            clean(&format!(
                "a{tags}b\u{202e}c\u{2066}d\u{feff}e\u{0}\u{8}f\u{85}g"
            )),
            "abcdefg"
        );
        assert_eq!(clean("Größe, 日本語, 🏳️\n\tq"), "Größe, 日本語, 🏳️\n\tq");
    }
}
