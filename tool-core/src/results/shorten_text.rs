//! Text: the head and the tail, with a line between that says what is missing.

use super::boundary;
use super::note::grouped;

/// With less room than this beside the line between, a tail says nothing.
const LEAST: usize = 32;

/// A text that was shortened.
pub(super) struct ShortText {
    pub(super) text: String,
    /// Where the original goes on after the head.
    pub(super) cut: usize,
}

/// Shortens a text to at most `room` bytes: two thirds head, one third tail,
/// cut at the end of a line where one is near.
///
/// Without room for both it is the head alone.
pub(super) fn shorten_text(text: &str, room: usize) -> ShortText {
    let longest_gap = gap(text.len(), text.len());
    if room < longest_gap.len() + LEAST {
        let cut = boundary::before(text, room);
        return ShortText {
            text: text[..cut].to_owned(),
            cut,
        };
    }
    let usable = room - longest_gap.len();
    let tail_room = usable / 3;
    let head_room = usable - tail_room;
    let head = head_end(text, head_room);
    let tail = tail_start(text, tail_room);
    // The line break after the head is the gap's.
    let cut = head + usize::from(text.as_bytes().get(head) == Some(&b'\n'));
    let left_out = &text[cut..tail.max(cut)];
    let lines = left_out.matches('\n').count();
    let mut short = String::with_capacity(room);
    short.push_str(&text[..head]);
    short.push_str(&gap(left_out.len(), lines));
    short.push_str(&text[tail.max(cut)..]);
    ShortText { text: short, cut }
}

fn gap(bytes: usize, lines: usize) -> String {
    match lines {
        0 => format!("\n[{} bytes left out]\n", grouped(bytes)),
        _ => format!(
            "\n[{} bytes left out, {} lines]\n",
            grouped(bytes),
            grouped(lines)
        ),
    }
}

fn head_end(text: &str, room: usize) -> usize {
    let near = room - room / 4;
    let line = text.as_bytes()[near..room]
        .iter()
        .rposition(|byte| *byte == b'\n');
    match line {
        // The gap brings the line break.
        Some(place) => near + place,
        None => boundary::before(text, room),
    }
}

fn tail_start(text: &str, room: usize) -> usize {
    let start = text.len() - room;
    // One byte earlier: the tail may begin just where a line does.
    let line = text.as_bytes()[start - 1..start + room / 4]
        .iter()
        .position(|byte| *byte == b'\n');
    match line {
        Some(place) => start + place,
        None => boundary::after(text, start),
    }
}

#[cfg(test)]
mod tests {
    use super::shorten_text;
    use proptest::prelude::*;

    #[test]
    fn a_log_keeps_whole_lines_of_its_beginning_and_its_end() {
        let log: String = (1..=1_000)
            .map(|line| format!("line {line}\n"))
            .collect::<Vec<_>>()
            .concat();
        let short = shorten_text(&log, 200);
        assert_eq!(
            short.text,
            "line 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7\nline 8\nline 9\nline 10\nline 11\nline 12\n\
             line 13\nline 14\n[8,744 bytes left out, 981 lines]\nline 996\nline 997\nline 998\nline 999\nline 1000\n"
        );
    }

    proptest! {
        #[test]
        fn the_head_is_a_prefix_and_the_tail_a_suffix(
            text in r"([a-z ]|\n|é|👩\u{200d}💻|e\u{301}){100,600}",
            room in 0..700_usize,
        ) {
            prop_assume!(room < text.len());
            let short = shorten_text(&text, room);
            prop_assert!(short.text.len() <= room);
            prop_assert!(text.starts_with(&short.text[..short.cut]));
            if let Some((head, rest)) = short.text.split_once("\n[") {
                prop_assert!(head.len() == short.cut || head.len() + 1 == short.cut);
                let (gap, tail) = rest.split_once("]\n").unwrap();
                prop_assert!(text.ends_with(tail));
                let missing: usize = gap[..gap.find(' ').unwrap()].replace(',', "").parse().unwrap();
                prop_assert_eq!(missing + short.cut + tail.len(), text.len());
            }
        }
    }
}
