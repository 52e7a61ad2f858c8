//! Where a text may be cut.

/// How many characters a cut may move to spare one that people see as one.
const FARTHEST: usize = 16;

/// The last place at or before `at` where the text may be cut.
pub(super) fn before(text: &str, at: usize) -> usize {
    let at = character_before(text, at);
    let earlier = text[..at].char_indices().rev().map(|(place, _)| place);
    std::iter::once(at)
        .chain(earlier)
        .take(FARTHEST)
        .find(|place| is_break(text, *place))
        .unwrap_or(at)
}

/// The first place at or after `at` where the text may be cut.
pub(super) fn after(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    let later = text[at..].char_indices().map(|(place, _)| at + place);
    later
        .take(FARTHEST)
        .find(|place| is_break(text, *place))
        .unwrap_or(at)
}

/// The last place at or before `at` that is between two characters.
pub(super) fn character_before(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Whether a cut here parts no letter from its marks and no emoji. Only the
/// marks that are common are known: a miss looks odd and does no harm.
pub(super) fn is_break(text: &str, at: usize) -> bool {
    let (Some(before), Some(after)) = (text.get(..at), text.get(at..)) else {
        return false;
    };
    let joined = before.ends_with('\u{200d}');
    !joined && !after.chars().next().is_some_and(is_mark)
}

fn is_mark(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}'
            | '\u{591}'..='\u{5bd}'
            | '\u{64b}'..='\u{65f}'
            | '\u{93a}'..='\u{93c}'
            | '\u{93e}'..='\u{94f}'
            | '\u{e31}'
            | '\u{e34}'..='\u{e3a}'
            | '\u{e47}'..='\u{e4e}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{200d}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{fe20}'..='\u{fe2f}'
            | '\u{1f3fb}'..='\u{1f3ff}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

#[cfg(test)]
mod tests {
    use super::{after, before};

    #[test]
    fn a_cut_spares_marks_and_joined_emoji() {
        let text = "ae\u{301}b👩\u{200d}💻c";
        let letter = 1..4;
        let emoji = 5..16;
        for at in letter.start + 1..letter.end {
            assert_eq!((before(text, at), after(text, at)), (1, 4), "{at}");
        }
        for at in emoji.start + 1..emoji.end {
            assert_eq!((before(text, at), after(text, at)), (5, 16), "{at}");
        }
    }

    #[test]
    fn a_text_of_marks_alone_is_cut_all_the_same() {
        let text = "\u{301}".repeat(100);
        assert_eq!(before(&text, 101), 100);
        assert_eq!(after(&text, 101), 102);
        assert_eq!(before(&text, 1_000), 200);
        assert_eq!(after(&text, 1_000), 200);
    }
}
