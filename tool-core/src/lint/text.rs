//! The description of a tool, and characters that nobody sees.

use super::{Findings, quoted, rules};
use crate::definition::Definition;

/// A description shorter than this says too little.
const SHORTEST: usize = 20;
/// A description longer than this costs tokens in every request.
const LONGEST: usize = 1_024;

pub(super) fn lint(definition: &Definition, findings: &mut Findings<'_>) {
    let description = definition.description.trim();
    let characters = description.chars().count();
    if description.is_empty() {
        findings.push(
            &rules::DESCRIPTION_MISSING,
            "no description; say what the tool does and when to use it",
        );
    } else if repeats(description, &definition.name) {
        findings.push(
            &rules::DESCRIPTION_REPEATS_NAME,
            "the description only repeats the name",
        );
    } else if characters < SHORTEST {
        findings.push(
            &rules::DESCRIPTION_SHORT,
            format!(
                "the description has {characters} characters; with fewer than {SHORTEST} a model has to guess"
            ),
        );
    } else if characters > LONGEST {
        findings.push(
            &rules::DESCRIPTION_LONG,
            format!(
                "the description has {characters} characters; more than {LONGEST} cost tokens in every request"
            ),
        );
    }
    visible("the name", &definition.name, findings);
    visible("the description", &definition.description, findings);
}

/// Whether a description is the name, or the name without its category, in
/// other letters: `Fetch page.` of `web-fetch_page`.
fn repeats(description: &str, name: &str) -> bool {
    let plain = |text: &str| -> String {
        text.chars()
            .filter(|character| character.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect()
    };
    let said = plain(description);
    let action = name.split_once('-').map_or(name, |(_, action)| action);
    said == plain(name) || said == plain(action)
}

/// Tells of characters that a person does not see where a model reads them.
pub(super) fn visible(what: &str, text: &str, findings: &mut Findings<'_>) {
    let mut before = None;
    let (mut hidden, mut invisible) = (None, None);
    for character in text.chars() {
        if hides(character) {
            hidden = hidden.or(Some(character));
        } else if is_invisible(character, before) {
            invisible = invisible.or(Some(character));
        }
        before = Some(character);
    }
    if let Some(character) = hidden {
        findings.push(
            &rules::HIDDEN_TEXT,
            format!(
                "{what} holds U+{:04X}: a model reads what a person cannot see or sees in another order",
                u32::from(character)
            ),
        );
    }
    if let Some(character) = invisible {
        findings.push(
            &rules::INVISIBLE_CHARACTER,
            format!("{what} holds the invisible U+{:04X}", u32::from(character)),
        );
    }
}

/// As [`visible`], for a text of the property at a place.
pub(super) fn visible_at(what: &str, place: &str, text: &str, findings: &mut Findings<'_>) {
    // The common case pays for no label.
    if !text.is_ascii() || text.chars().any(|character| is_invisible(character, None)) {
        visible(&format!("{what} {}", quoted(place)), text, findings);
    }
}

/// Characters by which a whole text can be hidden or turned round: those that
/// set the direction, and the tags and selectors that spell out bytes unseen.
fn hides(character: char) -> bool {
    matches!(
        character,
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{e0000}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}'
    )
}

fn is_invisible(character: char, before: Option<char>) -> bool {
    match character {
        // A line break of Windows is one of these.
        '\n' | '\r' | '\t' => false,
        // Joiners and selectors belong after a letter of some scripts, or in an emoji.
        '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' => {
            before.is_none_or(|before| before.is_ascii_alphabetic() || is_invisible(before, None))
        }
        '\u{ad}'
        | '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{2060}'..='\u{2064}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0d}'
        | '\u{feff}'
        | '\u{ffa0}' => true,
        other => other.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::{hides, is_invisible, repeats};

    #[test]
    fn a_description_that_is_the_name_in_words_repeats_it() {
        assert!(repeats("Fetch page.", "web-fetch_page"));
        assert!(repeats("web fetch-page", "web-fetch_page"));
        assert!(!repeats("Fetch a page.", "web-fetch_page"));
    }

    #[test]
    fn emoji_and_scripts_with_joiners_are_visible() {
        for text in ["👩‍💻 ❤️ 1️⃣", "می‌خواهم", "क्‍ष", "naïve “quotes”\r\n\t—"]
        {
            let mut before = None;
            for character in text.chars() {
                assert!(!hides(character), "{text}");
                assert!(!is_invisible(character, before), "{text}: {character:?}");
                before = Some(character);
            }
        }
        for text in ["a\u{200d}", "\u{feff}", "\u{7f}", "\u{1b}", "\u{200b}"] {
            let last = text.chars().last().unwrap();
            let before = text.chars().rev().nth(1);
            assert!(is_invisible(last, before), "{text:?}");
        }
        assert!(hides('\u{202e}') && hides('\u{e0041}'));
    }
}
