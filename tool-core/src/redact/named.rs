//! Secrets that a name before them tells of: `token=…`, `"password": "…"`,
//! `X-Api-Key: …`, `Authorization: …`.

use std::ops::Range;

use super::REDACTED;
use super::names::names_a_secret;
use super::shapes::{has_digit, is_credential, is_telling, near, run};

/// How far a name reaches to each side of the word that was found in it.
const REACH: usize = 64;

/// A name in a text, with what opens it.
struct Name<'a> {
    text: &'a str,
    /// The quotation mark right before it.
    quote: Option<char>,
    end: usize,
}

/// What stands between a name and its value.
struct Separator {
    /// `=`, and not `:`.
    equals: bool,
    /// There are blanks around it.
    loose: bool,
    /// Where the value begins.
    end: usize,
}

/// Whether the name around a place is one of a secret.
pub(super) fn is_named(text: &str, found: &Range<usize>) -> bool {
    name(text, found).is_some_and(|name| names_a_secret(name.text))
}

/// The secret whose name is around a place.
pub(super) fn value(text: &str, found: &Range<usize>) -> Option<Range<usize>> {
    let name = name(text, found)?;
    if !names_a_secret(name.text) {
        return None;
    }
    let separator = separator(text, &name)?;
    if let Some(inner) = quoted(text, separator.end) {
        return quoted_secret(text, inner);
    }
    let lower = name.text.to_ascii_lowercase();
    if lower.ends_with("authorization") && !separator.equals {
        return authorization(text, separator.end, name.quote);
    }
    let value = run(near(text, separator.end), 0, is_bare);
    if value.starts_with([':', '=']) || value == REDACTED {
        return None;
    }
    let is_secret = if separator.equals && !separator.loose {
        // The working directory, as `env` prints it.
        let is_path = lower.ends_with("pwd") && value.starts_with(['/', '~']);
        value.len() >= 4 && !is_path
    } else if lower.starts_with("x-") {
        is_telling(value)
    } else {
        // A colon after such a word is prose more often than not.
        value.len() >= 8
            && has_digit(value)
            && value.contains(|character: char| character.is_ascii_alphabetic())
            && !value.contains("://")
    };
    is_secret.then(|| separator.end..separator.end + run(text, separator.end, is_bare).len())
}

fn is_bare(character: char) -> bool {
    !character.is_whitespace()
        && !matches!(
            character,
            '&' | '"' | '\'' | '<' | '>' | '\\' | '`' | ',' | ';' | ')'
        )
}

/// The value of a cookie: of each in `Cookie`, of the first in `Set-Cookie`,
/// where attributes follow.
pub(super) fn cookie(text: &str, found: &Range<usize>) -> Option<Range<usize>> {
    let name = name(text, found)?;
    let sets = name.text.eq_ignore_ascii_case("set-cookie");
    if !sets && !name.text.eq_ignore_ascii_case("cookie") {
        return None;
    }
    let separator = separator(text, &name).filter(|separator| !separator.equals)?;
    let opened = text
        .get(separator.end..)?
        .chars()
        .next()
        .filter(|character| "\"'".contains(*character));
    let start = separator.end + opened.map_or(0, char::len_utf8);
    let own = run(near(text, start), 0, |character| {
        character.is_ascii_alphanumeric() || "-_.".contains(character)
    });
    let value_at = start + own.len() + 1;
    if own.is_empty() || own.len() > REACH || text.get(value_at - 1..value_at) != Some("=") {
        return None;
    }
    let enclosing = opened.or(name.quote);
    let value = run(text, value_at, |character| {
        !matches!(character, '\n' | '\r')
            && Some(character) != enclosing
            && !(sets && character == ';')
    });
    let value = value.trim_end();
    (!value.is_empty() && value != REDACTED).then(|| value_at..value_at + value.len())
}

/// The value that begins with the name of a scheme without that name.
pub(super) fn after_scheme(value: &str) -> usize {
    let Some((scheme, rest)) = value.split_once(' ') else {
        return 0;
    };
    let known = ["bearer", "basic", "token", "digest", "apikey", "bot"];
    let is_scheme = known.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    if is_scheme && !rest.trim().is_empty() {
        scheme.len() + 1
    } else {
        0
    }
}

/// The credentials of a header, whatever their scheme.
fn authorization(text: &str, from: usize, enclosing: Option<char>) -> Option<Range<usize>> {
    let scheme = run(near(text, from), 0, is_credential);
    let gap = from + scheme.len();
    let blanks = run(text, gap, |character| " \t".contains(character)).len();
    let start = gap + blanks;
    let in_word = |character: char| {
        !character.is_whitespace() && Some(character) != enclosing && character != '\\'
    };
    let look = run(near(text, start), 0, in_word);
    if blanks == 0 || !is_telling(look.trim_end_matches([',', '.', ';', ':', ')'])) {
        // Without a scheme.
        let alone = is_telling(scheme) && (has_digit(scheme) || scheme.len() >= 20);
        return alone.then(|| from..from + run(text, from, is_credential).len());
    }
    let word = run(text, start, in_word);
    // `Digest a="b", c="d"`: its parameters go on after a comma.
    let mut end = start + word.len();
    while text.get(..end).is_some_and(|before| before.ends_with(',')) {
        let blanks = run(text, end, |character| " \t".contains(character)).len();
        let next = run(text, end + blanks, in_word);
        if !next.contains('=') {
            break;
        }
        end += blanks + next.len();
    }
    let secret = text
        .get(start..end)?
        .trim_end_matches([',', '.', '"', '\'']);
    (secret != REDACTED).then(|| start..start + secret.len())
}

fn name<'a>(text: &'a str, found: &Range<usize>) -> Option<Name<'a>> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let bytes = text.as_bytes();
    let before = bytes.get(..found.start)?;
    let back = before
        .iter()
        .rev()
        .take(REACH)
        .take_while(|byte| is_part(byte));
    let start = found.start - back.count();
    let after = bytes.get(found.end..)?;
    let end = found.end
        + after
            .iter()
            .take(REACH)
            .take_while(|byte| is_part(byte))
            .count();
    let quote = text
        .get(..start)?
        .chars()
        .next_back()
        .filter(|character| "\"'`".contains(*character));
    Some(Name {
        text: text.get(start..end)?,
        quote,
        end,
    })
}

fn separator(text: &str, name: &Name<'_>) -> Option<Separator> {
    let blank = |at| run(text, at, |character| " \t".contains(character)).len();
    let mut at = name.end;
    let rest = text.get(at..)?;
    if rest.starts_with("\\\"") {
        at += 2;
    } else if name.quote.is_some_and(|quote| rest.starts_with(quote)) {
        at += 1;
    }
    let before = blank(at);
    at += before;
    let rest = text.get(at..)?;
    let (length, equals) = match rest.as_bytes() {
        [b'=', b'>', ..] | [b':', b'=', ..] => (2, true),
        [b'=', b'=', ..] | [b':', b':', ..] => return None,
        [b'=', ..] => (1, true),
        [b':', ..] => (1, false),
        _ => return None,
    };
    let after = blank(at + length);
    Some(Separator {
        equals,
        loose: before + after > 0,
        end: at + length + after,
    })
}

/// The inside of the quotation marks that open at a place. One that does not
/// close ends with its line.
fn quoted(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let (open, length) = match rest.as_bytes() {
        [b'\\', quote @ (b'"' | b'\''), ..] => (*quote, 2),
        [quote @ (b'"' | b'\'' | b'`'), ..] => (*quote, 1),
        _ => return None,
    };
    let start = at + length;
    let mut escaped = false;
    for (index, byte) in text.as_bytes().get(start..)?.iter().enumerate() {
        let end = start + index;
        match byte {
            // In a text that is itself a string, the mark that closes has a backslash too.
            _ if *byte == open && length == 2 && escaped => return Some(start..end - 1),
            _ if *byte == open && !escaped => return Some(start..end),
            b'\n' => return Some(start..end),
            _ => escaped = *byte == b'\\' && !escaped,
        }
    }
    Some(start..text.len())
}

fn quoted_secret(text: &str, inner: Range<usize>) -> Option<Range<usize>> {
    let value = text.get(inner.clone())?;
    let scheme = after_scheme(value);
    let secret = value.get(scheme..)?;
    let is_secret = value.len() >= 4 && secret != REDACTED && !secret.is_empty();
    is_secret.then(|| inner.start + scheme..inner.end)
}
