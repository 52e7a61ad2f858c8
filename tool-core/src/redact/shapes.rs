//! Where a text has something of the shape of a secret.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, Input, MatchKind, StartKind};

use super::anchors::{ANCHORS, Anchor};
use super::named;

/// How much of a run of characters is looked at before it is known to be a
/// secret, so that a text of nothing but beginnings costs no more than its length.
pub(super) const LOOK: usize = 128;

/// The shapes of secrets, as one automaton.
pub(super) struct Shapes {
    automaton: AhoCorasick,
}

/// What an anchor leads to.
enum Found {
    Secret(Range<usize>),
    Nothing,
    /// Nothing, and no other JWT begins before this place either.
    Barren(usize),
}

impl Shapes {
    pub(super) fn new() -> Result<Self, String> {
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            // Five times faster on short texts, which most results are.
            .kind(Some(AhoCorasickKind::DFA))
            .start_kind(StartKind::Unanchored)
            .build(ANCHORS.iter().map(|(text, _)| *text))
            .map_err(|error| error.to_string())?;
        Ok(Self { automaton })
    }

    /// Whether JSON text may hold a secret once its strings are read.
    pub(super) fn may_be_in_json(&self, text: &str) -> bool {
        let mut from = 0;
        while let Some((anchor, found)) = self.next(text, from) {
            from = next_start(text, found.start);
            // A count of tokens is in half of all JSON, and no secret.
            if !matches!(anchor, Anchor::Name) || named::is_named(text, &found) {
                return true;
            }
        }
        false
    }

    /// Adds the secrets, in order.
    pub(super) fn find(&self, text: &str, secrets: &mut Vec<Range<usize>>) {
        let mut from = 0;
        let mut barren = 0;
        while let Some((anchor, found)) = self.next(text, from) {
            from = next_start(text, found.start);
            if matches!(anchor, Anchor::Jwt) && found.start < barren {
                continue;
            }
            match secret(text, found, anchor) {
                Found::Secret(secret) => {
                    from = from.max(secret.end);
                    secrets.push(secret);
                }
                Found::Nothing => {}
                Found::Barren(until) => barren = until,
            }
        }
    }

    fn next(&self, text: &str, from: usize) -> Option<(Anchor, Range<usize>)> {
        let found = self.automaton.find(Input::new(text).range(from..))?;
        let (_, anchor) = ANCHORS.get(found.pattern().as_usize())?;
        Some((*anchor, found.range()))
    }
}

/// The next place where something can begin.
fn next_start(text: &str, start: usize) -> usize {
    let mut next = start + 1;
    while !text.is_char_boundary(next) {
        next += 1;
    }
    next
}

/// What the anchor at a place leads to.
fn secret(text: &str, found: Range<usize>, anchor: Anchor) -> Found {
    if let Anchor::Jwt = anchor {
        return jwt(text, &found);
    }
    match range(text, found, anchor) {
        Some(secret) if !secret.is_empty() => Found::Secret(secret),
        _ => Found::Nothing,
    }
}

fn jwt(text: &str, found: &Range<usize>) -> Found {
    if after_word(text, found.start) {
        return Found::Nothing;
    }
    let rest = run(text, found.end, |character| {
        character.is_ascii_alphanumeric() || "-_.".contains(character)
    });
    if rest.len() >= 30 && rest.matches('.').count() >= 2 {
        Found::Secret(found.start..found.end + rest.len())
    } else {
        Found::Barren(found.end + rest.len())
    }
}

/// The range of the secret that an anchor begins, if it does.
fn range(text: &str, found: Range<usize>, anchor: Anchor) -> Option<Range<usize>> {
    let after = text.get(found.end..)?;
    match anchor {
        Anchor::Name => named::value(text, &found),
        Anchor::Cookie => named::cookie(text, &found),
        Anchor::KeyOrName(least) => key(text, &found, least).or_else(|| named::value(text, &found)),
        Anchor::Url => {
            let authority = run(text, found.end, |character| {
                !character.is_whitespace() && !"/?#\"'<>\\`".contains(character)
            });
            let user = authority.rfind('@')?;
            Some(found.end..found.end + user)
        }
        Anchor::Hook => {
            let path = run(text, found.end, |character| {
                character.is_ascii_alphanumeric() || "-_/".contains(character)
            });
            (path.len() >= 16 && has_digit(path)).then(|| found.end..found.end + path.len())
        }
        Anchor::PrivateKey => {
            let label_end = after.find("-----")?;
            let label = after.get(..label_end)?;
            if label.len() > 40 || !label.contains("PRIVATE KEY") {
                return None;
            }
            let end = format!("-----END {label}-----");
            let length = after
                .find(&end)
                .map_or_else(|| after.len(), |at| at + end.len());
            Some(found.start..found.end + length)
        }
        Anchor::Assignment => {
            let value = run(text, found.end, |character| {
                !character.is_whitespace() && !"&\"'<>\\`,;)".contains(character)
            });
            (value.len() >= 4).then(|| found.end..found.end + value.len())
        }
        _ if after_word(text, found.start) => None,
        Anchor::Credentials => {
            let blank = after.len() - after.trim_start_matches([' ', '\t']).len();
            let start = found.end + blank;
            let token = run(text, start, is_credential);
            // Prose follows the words `bearer` and `basic` too.
            is_telling(token).then(|| start..start + token.trim_end_matches('.').len())
        }
        Anchor::Key(least) => key(text, &found, least),
        Anchor::DashedKey(least) => {
            let look = run(near(text, found.end), 0, is_dashed);
            // Words joined by dashes are long too, but of lower case.
            let random = look.contains(|character: char| character.is_ascii_uppercase())
                || look
                    .split(['-', '_'])
                    .any(|part| part.len() >= 12 && has_digit(part));
            let telling = look.len() >= least && has_digit(look) && random;
            telling.then(|| found.start..found.end + run(text, found.end, is_dashed).len())
        }
        Anchor::DottedKey => {
            let first = run(near(text, found.end), 0, is_dashed);
            let second_at = found.end + first.len() + 1;
            let dot = text.get(second_at - 1..second_at) == Some(".");
            let second = run(text, second_at, is_dashed);
            let telling = dot
                && first.len() >= 16
                && second.len() >= 16
                && is_capital(text.get(found.start..found.end)?);
            telling.then(|| found.start..second_at + second.len())
        }
        Anchor::AwsKey => {
            let rest = run(text, found.end, |character| {
                character.is_ascii_uppercase() || character.is_ascii_digit()
            });
            (rest.len() >= 16 && is_capital(text.get(found.clone())?))
                .then(|| found.start..found.end + rest.len())
        }
        Anchor::Jwt | Anchor::Escape => None,
    }
}

fn key(text: &str, found: &Range<usize>, least: usize) -> Option<Range<usize>> {
    if after_word(text, found.start) {
        return None;
    }
    let rest = run(text, found.end, |character| {
        character.is_ascii_alphanumeric()
    });
    (rest.len() >= least && has_digit(rest)).then(|| found.start..found.end + rest.len())
}

/// Whether a token after the name of a scheme is more than a word of prose.
pub(super) fn is_telling(token: &str) -> bool {
    token.len() >= 20
        || (token.len() >= 6
            && token
                .chars()
                .skip(1)
                .any(|character| !character.is_ascii_lowercase() && character != '.'))
}

pub(super) fn is_credential(character: char) -> bool {
    character.is_ascii_alphanumeric()
        || matches!(character, '-' | '.' | '_' | '~' | '+' | '/' | '=')
}

fn is_dashed(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_')
}

fn is_capital(text: &str) -> bool {
    !text.contains(|character: char| character.is_ascii_lowercase())
}

/// Whether a word stands right before a place, so that nothing begins there.
fn after_word(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|before| {
        before.ends_with(|character: char| character.is_alphanumeric() || character == '_')
    })
}

pub(super) fn has_digit(text: &str) -> bool {
    text.contains(|character: char| character.is_ascii_digit())
}

/// So much of a text from a place on as is looked at.
pub(super) fn near(text: &str, from: usize) -> &str {
    let mut end = text.len().min(from.saturating_add(LOOK));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(from..end).unwrap_or_default()
}

/// The characters from a place on that are all of one kind.
pub(super) fn run(text: &str, from: usize, kind: impl Fn(char) -> bool) -> &str {
    let text = text.get(from..).unwrap_or_default();
    let end = text
        .find(|character| !kind(character))
        .unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}
