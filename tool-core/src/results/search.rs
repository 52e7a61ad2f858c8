//! Finding words in a kept result.

use aho_corasick::AhoCorasick;

use super::boundary;
use super::store::Entry;

/// How much is shown before and after a place.
const BEFORE: usize = 80;
const AFTER: usize = 160;
/// How many places are shown where the caller does not say.
pub(super) const PLACES: usize = 20;

/// The places that hold some words.
pub(super) struct Found {
    /// One place a line: its offset and what is around it.
    pub(super) text: String,
    pub(super) shown: usize,
    /// How many lines from the offset on hold the words.
    pub(super) total: usize,
    /// The line of the first place that is not shown.
    pub(super) next_offset: Option<usize>,
}

/// Finds words from line `offset` on, in linear time, whatever their case. Of
/// letters beyond ASCII those are found that are all as given, all small or
/// all capital.
///
/// `None` where the words cannot be searched for.
pub(super) fn search(entry: &Entry, words: &str, offset: usize, limit: usize) -> Option<Found> {
    let cases = [words.to_owned(), words.to_lowercase(), words.to_uppercase()];
    let searcher = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(cases)
        .ok()?;
    let text = entry.text.as_str();
    let mut found = Found {
        text: String::new(),
        shown: 0,
        total: 0,
        next_offset: None,
    };
    let start = entry.lines.start(text, offset);
    let mut line = offset;
    let mut line_end = entry.lines.end(text, start);
    let mut last = None;
    for place in searcher.find_iter(&text[start..]) {
        let place = start + place.start()..start + place.end();
        while line_end <= place.start && line_end < text.len() {
            line_end = entry.lines.end(text, line_end);
            line += 1;
        }
        if last == Some(line) {
            continue;
        }
        last = Some(line);
        found.total += 1;
        if found.next_offset.is_some() {
            continue;
        }
        let shown = excerpt(text, place.start, place.end);
        let shown = format!("offset {line}: {shown}\n");
        let room = entry.answer_bytes.saturating_sub(found.text.len());
        if found.shown == limit || (shown.len() > room && found.shown > 0) {
            found.next_offset = Some(line);
            continue;
        }
        found
            .text
            .push_str(&shown[..boundary::before(&shown, room)]);
        found.shown += 1;
    }
    Some(found)
}

/// The text around a place, within its line.
fn excerpt(text: &str, start: usize, end: usize) -> String {
    let from = boundary::after(text, start.saturating_sub(BEFORE)).min(start);
    let to = boundary::before(text, end.saturating_add(AFTER)).max(end);
    let before = &text[from..start];
    let after = &text[end..to];
    let (before, cut_before) = match before.rfind('\n') {
        Some(place) => (&before[place + 1..], false),
        None => (before, from > 0),
    };
    let (after, cut_after) = match after.find('\n') {
        Some(place) => (&after[..place], false),
        None => (after, to < text.len()),
    };
    let ellipsis = |cut| if cut { "…" } else { "" };
    format!(
        "{}{before}{}{after}{}",
        ellipsis(cut_before),
        &text[start..end],
        ellipsis(cut_after)
    )
}
