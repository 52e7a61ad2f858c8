//! What the model is told of a result that was shortened.

use super::boundary;
use super::shorten_json::ShortList;

/// The most bytes that the note has, and that the notes of a tool have which
/// are not counted.
pub(super) const NOTE_BYTES: usize = 1024;

/// What the note tells.
pub(super) struct Loss<'a> {
    /// The bytes and the lines of the whole result.
    pub(super) bytes: usize,
    pub(super) lines: usize,
    /// The arrays and objects that lost elements.
    pub(super) lists: &'a [ShortList],
    /// How many pieces the result had, and the places of those that are not shown.
    pub(super) pieces: usize,
    pub(super) gone: &'a [usize],
    pub(super) kept: Option<Kept<'a>>,
}

/// Where the whole is kept.
pub(super) struct Kept<'a> {
    pub(super) tool: &'a str,
    pub(super) id: &'a str,
    /// The line to read on from.
    pub(super) offset: usize,
    /// How many bytes are kept, where that is not all.
    pub(super) only: Option<usize>,
}

/// The note, of at most [`NOTE_BYTES`] bytes.
pub(super) fn note(loss: &Loss<'_>) -> String {
    let mut note = format!(
        "[This result was shortened: the whole has {} bytes",
        grouped(loss.bytes)
    );
    if loss.lines > 1 {
        note.push_str(&format!(" in {} lines", grouped(loss.lines)));
    }
    note.push('.');
    for list in loss.lists {
        note.push(' ');
        note.push_str(&list_words(list));
    }
    gone_words(loss, &mut note);
    let end = match &loss.kept {
        Some(kept) => kept_words(kept),
        None => " The rest is not kept: ask for less at a time.]".to_owned(),
    };
    // The way to the rest is worth more than the words before it.
    note.truncate(boundary::before(
        &note,
        NOTE_BYTES.saturating_sub(end.len()),
    ));
    note.push_str(&end);
    note
}

fn list_words(list: &ShortList) -> String {
    let what = if list.object { "members" } else { "rows" };
    let shown = match list.shown {
        0 => "none".to_owned(),
        shown => format!("1–{}", grouped(shown)),
    };
    let total = grouped(list.total);
    if list.path.is_empty() {
        format!("Shown: {what} {shown} of {total}.")
    } else {
        format!("Shown of `{}`: {what} {shown} of {total}.", list.path)
    }
}

fn gone_words(loss: &Loss<'_>, note: &mut String) {
    /// More places than this are not listed.
    const LISTED: usize = 5;
    if loss.gone.is_empty() {
        return;
    }
    let mut places: Vec<String> = loss
        .gone
        .iter()
        .take(LISTED)
        .map(|place| grouped(place + 1))
        .collect();
    if loss.gone.len() > LISTED {
        places.push("…".to_owned());
    }
    note.push_str(&format!(
        " Not shown at all: {} of its {} pieces ({}).",
        grouped(loss.gone.len()),
        grouped(loss.pieces),
        places.join(", ")
    ));
}

fn kept_words(kept: &Kept<'_>) -> String {
    let only = match kept.only {
        Some(bytes) => format!(" Only its first {} bytes are kept.", grouped(bytes)),
        None => String::new(),
    };
    format!(
        "{only} To read on, call `{}` with `id` \"{}\" and `offset` {}, or with `search`.]",
        kept.tool, kept.id, kept.offset
    )
}

/// A number with a comma between thousands: `12,345`.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn numbers_have_a_comma_between_thousands() {
        for (number, words) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (12_345, "12,345"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), words);
        }
    }
}
