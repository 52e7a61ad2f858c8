//! File name patterns: `*`, `?` and `[…]`, matched below the root.

use std::path::Path;

use tool_core::ToolError;

use super::word::Word;
use crate::policy::{Folder, shown};

/// How many names a pattern may become.
const MOST_NAMES: usize = 1000;
/// How many entries are looked at for one pattern.
const MOST_LOOKS: usize = 100_000;

/// The names that a word stands for, in order; the word itself where it is no pattern or matches nothing.
///
/// A name that starts with `-` gets a `./` in front: what stands in a directory must not become an option.
///
/// # Errors
///
/// `Denied` where there are too many names or too much to look through.
pub(crate) fn expand(
    folder: &Folder,
    directory: &Path,
    word: &Word,
) -> Result<Vec<String>, ToolError> {
    if word.active.is_empty() {
        return Ok(vec![word.text.clone()]);
    }
    let (prefix, start) = match folder.root_prefix(&word.text) {
        Some(length) => (length, Path::new("")),
        None => (0, directory),
    };
    let text = word.text.get(prefix..).unwrap_or_default();
    let mut names = vec![String::new()];
    let mut looks = 0;
    let mut place = prefix;
    for component in text.split_inclusive('/') {
        let name = component.trim_end_matches('/');
        let slash = component.get(name.len()..).unwrap_or_default();
        let active: Vec<usize> = (word.active.iter())
            .filter(|at| (place..place + name.len()).contains(at))
            .map(|at| at - place)
            .collect();
        place += component.len();
        if active.is_empty() {
            for base in &mut names {
                base.push_str(component);
            }
            continue;
        }
        let pattern = Pattern::new(name, &active);
        let mut next = Vec::new();
        for base in &names {
            let mut found = folder.names(&start.join(base), MOST_LOOKS - looks);
            looks = MOST_LOOKS.min(looks + found.len() + 1);
            found.retain(|name| pattern.matches(name));
            found.sort();
            next.extend(found.iter().map(|name| format!("{base}{name}{slash}")));
            if next.len() > MOST_NAMES || looks == MOST_LOOKS {
                let message = format!(
                    "the pattern `{}` stands for more than {MOST_NAMES} names, or there is too much to look through",
                    shown(&word.text)
                );
                return Err(ToolError::denied(message)
                    .with_hint("use a narrower pattern, or `find` with `-name`"));
            }
        }
        names = next;
    }
    let root = word.text.get(..prefix).unwrap_or_default();
    let names: Vec<String> = (names.into_iter())
        .filter(|name| folder.is_there(&start.join(name)))
        .map(|name| match (root, name.starts_with('-')) {
            ("", true) => format!("./{name}"),
            _ => format!("{root}{name}"),
        })
        .collect();
    Ok(if names.is_empty() {
        vec![word.text.clone()]
    } else {
        names
    })
}

enum Piece {
    One(char),
    Any,
    Star,
    Set {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
}

/// A pattern for one name.
struct Pattern(Vec<Piece>);

impl Pattern {
    fn new(text: &str, active: &[usize]) -> Self {
        let characters: Vec<(usize, char)> = text.char_indices().collect();
        let is_active = |place: usize| active.contains(&place);
        let mut pieces = Vec::new();
        let mut next = 0;
        while let Some(&(place, character)) = characters.get(next) {
            next += 1;
            pieces.push(match character {
                '*' if is_active(place) => Piece::Star,
                '?' if is_active(place) => Piece::Any,
                '[' if is_active(place) => match set(characters.get(next..).unwrap_or_default()) {
                    Some((piece, length)) => {
                        next += length;
                        piece
                    }
                    None => Piece::One('['),
                },
                other => Piece::One(other),
            });
        }
        Self(pieces)
    }

    /// Goes back to the last star only, so the time is at most the product of the lengths.
    fn matches(&self, name: &str) -> bool {
        // As in a shell: what is hidden is asked for by name.
        if name.starts_with('.') && !matches!(self.0.first(), Some(Piece::One('.'))) {
            return false;
        }
        let name: Vec<char> = name.chars().collect();
        let (mut piece, mut place) = (0, 0);
        let mut star = None;
        while let Some(&character) = name.get(place) {
            match self.0.get(piece) {
                Some(Piece::Star) => {
                    piece += 1;
                    star = Some((piece, place));
                }
                Some(expected) if expected.takes(character) => {
                    piece += 1;
                    place += 1;
                }
                _ => match star {
                    Some((after, taken)) => {
                        star = Some((after, taken + 1));
                        piece = after;
                        place = taken + 1;
                    }
                    None => return false,
                },
            }
        }
        self.0
            .get(piece..)
            .is_some_and(|rest| rest.iter().all(|piece| matches!(piece, Piece::Star)))
    }
}

impl Piece {
    fn takes(&self, character: char) -> bool {
        match self {
            Self::One(expected) => *expected == character,
            Self::Any | Self::Star => true,
            Self::Set { negated, ranges } => {
                let inside = ranges
                    .iter()
                    .any(|(low, high)| (*low..=*high).contains(&character));
                inside != *negated
            }
        }
    }
}

/// The set after a `[`, and how many characters it takes with its `]`.
fn set(rest: &[(usize, char)]) -> Option<(Piece, usize)> {
    let at = |place: usize| rest.get(place).map(|(_, character)| *character);
    let negated = matches!(at(0), Some('!' | '^'));
    let first = usize::from(negated);
    let mut next = first;
    let mut ranges = Vec::new();
    loop {
        let low = at(next)?;
        if low == ']' && next > first {
            return Some((Piece::Set { negated, ranges }, next + 1));
        }
        match (at(next + 1), at(next + 2)) {
            (Some('-'), Some(high)) if high != ']' => {
                ranges.push((low, high));
                next += 3;
            }
            _ => {
                ranges.push((low, low));
                next += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    fn matches(pattern: &str, name: &str) -> bool {
        let active: Vec<usize> = (pattern.match_indices(['*', '?', '[']))
            .map(|(place, _)| place)
            .collect();
        Pattern::new(pattern, &active).matches(name)
    }

    #[test]
    fn a_pattern_takes_what_a_shell_takes() {
        for (pattern, name, expected) in [
            ("*", "a", true),
            ("*", ".a", false),
            (".*", ".a", true),
            ("?", "é", true),
            ("?", "", false),
            ("a*b*c", "a1b2b3c", true),
            ("a*b*c", "a1b2b3", false),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[^a]x", "bx", true),
            ("[]]", "]", true),
            ("[a", "[a", true),
            ("[a-]", "-", true),
            ("**", "ab", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn many_stars_do_not_take_for_ever() {
        let pattern = format!("{}b", "*a".repeat(500));
        assert!(!matches(&pattern, &"a".repeat(2000)));
    }
}
