//! A part of a text file, replaced.

use super::breaks::Unified;
use super::encoded::Encoded;
use super::error::{FileError, FileErrorKind};
use super::nearest;
use crate::policy::{Policy, shown};

/// How many places a message names.
const NAMED: usize = 10;

/// How often the old text may stand in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Occurrences {
    /// Exactly once.
    #[default]
    One,
    /// At least once, and each is replaced.
    All,
}

/// A file that was edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edited {
    /// How many places were replaced.
    pub replacements: usize,
    /// The number of the first line that was changed, from 1.
    pub line: usize,
    /// How many bytes the file has now.
    pub bytes: usize,
}

/// Replaces `old` by `new` in a text file below a root.
///
/// `old` must stand there to the letter, but for the line breaks: `\n` matches each kind, and new text gets the kind
/// that the file has. The encoding stays, a byte order mark too, and so does every byte around the replaced text.
///
/// # Errors
///
/// A [`FileError`] when the path is refused, when the file is not text, when `old` is not there as often as it should
/// be (the message says where it is, or what is nearest), and when somebody else changes the file at the same time.
pub fn edit_file(
    policy: &Policy,
    path: &str,
    old: &str,
    new: &str,
    occurrences: Occurrences,
) -> Result<Edited, FileError> {
    let refused = |message: &str| FileError::new(FileErrorKind::Unmatched, message);
    let wanted = Unified::new(old).text;
    if wanted.is_empty() {
        return Err(
            refused("the old text is empty, so nothing says where to change")
                .with_hint("to make a file or to add to its end use files-write_file"),
        );
    }
    if wanted == Unified::new(new).text {
        return Err(refused("the new text is the old one: nothing would change"));
    }
    let limit = policy.limits().file_write;
    policy.change(path, |bytes| {
        let file = Encoded::read(path, bytes)?;
        let unified = Unified::new(&file.text);
        let count = count(path, &unified, &wanted, occurrences)?;
        let new = unified.with_usual_breaks(new);
        let longest = new
            .len()
            .checked_mul(count)
            .and_then(|added| added.checked_add(file.text.len()));
        // Before it is made: many small matches and a long new text are more than fits.
        if longest.is_none_or(|longest| longest > limit.saturating_mul(4)) {
            return Err(refused("the file would become larger than the limit"));
        }
        let mut text = String::with_capacity(file.text.len());
        let (mut kept, mut first) = (0, None);
        for (place, _) in unified.text.match_indices(&wanted) {
            let (start, end) = (unified.raw(place), unified.raw(place + wanted.len()));
            text.push_str(file.text.get(kept..start).unwrap_or_default());
            text.push_str(&new);
            kept = end;
            first.get_or_insert(place);
        }
        text.push_str(file.text.get(kept..).unwrap_or_default());
        let bytes = file.form.encode_for(path, &text)?;
        let edited = Edited {
            replacements: count,
            line: unified.line(first.unwrap_or_default()),
            bytes: bytes.len(),
        };
        Ok((bytes, edited))
    })
}

/// How often the text is there, provided that it is as often as it should be.
fn count(
    path: &str,
    file: &Unified,
    wanted: &str,
    occurrences: Occurrences,
) -> Result<usize, FileError> {
    let refused = |message: String| FileError::new(FileErrorKind::Unmatched, message);
    if !file.text.contains(wanted) {
        let message = format!("the old text is not in `{}`", shown(path));
        return Err(refused(message).with_hint(nearest::hint(&file.text, wanted)));
    }
    if occurrences == Occurrences::All {
        return Ok(file.text.matches(wanted).count());
    }
    // Places that overlap are different places too.
    let mut places = Vec::new();
    let (mut from, mut count) = (0, 0);
    while let Some(found) = file.text.get(from..).and_then(|rest| rest.find(wanted)) {
        let place = from + found;
        if places.len() < NAMED {
            places.push(place);
        }
        count += 1;
        let step = wanted.chars().next().map_or(1, char::len_utf8);
        from = place + step;
        if count == 1000 {
            break;
        }
    }
    if count == 1 {
        return Ok(1);
    }
    let mut lines: Vec<usize> = places.iter().map(|place| file.line(*place)).collect();
    lines.dedup();
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let more = if count > places.len() { ", …" } else { "" };
    let times = if count == 1000 {
        "1000 times or more".to_owned()
    } else {
        format!("{count} times")
    };
    let message = format!(
        "the old text is in `{}` {times}: in the lines that begin at {}{more}",
        shown(path),
        lines.join(", ")
    );
    Err(refused(message).with_hint(
        "give more of the text around it, so that it is there once, or set `replace_all`",
    ))
}
