//! What a command writes, kept in bounded memory: the start and the end.

use std::collections::VecDeque;

use crate::text::clean::clean;

/// A stream of bytes of which the middle is forgotten.
#[derive(Debug)]
pub(crate) struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
    limit: usize,
}

impl Capture {
    /// Keeps about this many bytes, three quarters of them from the start.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            head: Vec::new(),
            tail: VecDeque::new(),
            total: 0,
            limit,
        }
    }

    /// Takes more bytes in.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.total = self.total.saturating_add(bytes.len() as u64);
        let free = (self.limit - self.limit / 4).saturating_sub(self.head.len());
        let (head, rest) = bytes.split_at(free.min(bytes.len()));
        self.head.extend_from_slice(head);
        let most = self.limit / 4;
        let rest = rest
            .get(rest.len().saturating_sub(most)..)
            .unwrap_or_default();
        let surplus = (self.tail.len() + rest.len()).saturating_sub(most);
        self.tail.drain(..surplus);
        self.tail.extend(rest);
    }

    /// How many bytes came.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// How many bytes of the middle are forgotten.
    pub(crate) fn omitted(&self) -> u64 {
        self.total - (self.head.len() + self.tail.len()) as u64
    }

    /// The text, without what drives terminals or hides from people.
    pub(crate) fn text(&self) -> String {
        let (front, back) = self.tail.as_slices();
        let mut bytes = self.head.clone();
        let omitted = self.omitted();
        if omitted == 0 {
            bytes.extend(front.iter().chain(back));
            return clean(&String::from_utf8_lossy(&bytes));
        }
        // A character that was cut is left out as a whole.
        if let Some(chunk) = bytes.utf8_chunks().last()
            && chunk.invalid().len() > 1
        {
            bytes.truncate(bytes.len() - chunk.invalid().len());
        }
        let tail: Vec<u8> = (front.iter().chain(back).copied())
            .enumerate()
            .skip_while(|(place, byte)| *place < 3 && byte & 0b1100_0000 == 0b1000_0000)
            .map(|(_, byte)| byte)
            .collect();
        format!(
            "{}\n[{omitted} bytes are left out here]\n{}",
            clean(&String::from_utf8_lossy(&bytes)),
            clean(&String::from_utf8_lossy(&tail))
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Capture;

    #[test]
    fn the_start_and_the_end_are_kept_however_the_bytes_come() {
        let all: Vec<u8> = (0..100_000_u32)
            .map(|number| b'a' + (number % 26) as u8)
            .collect();
        for size in [1, 7, 999, 100_000] {
            let mut capture = Capture::new(400);
            for piece in all.chunks(size) {
                capture.push(piece);
            }
            assert_eq!(capture.omitted(), 100_000 - 400);
            let text = capture.text();
            let (head, rest) = text.split_once('\n').unwrap();
            let (note, tail) = rest.split_once('\n').unwrap();
            assert_eq!(head.as_bytes(), &all[..300]);
            assert_eq!(note, "[99600 bytes are left out here]");
            assert_eq!(tail.as_bytes(), &all[99_900..]);
        }
    }

    #[test]
    fn what_fits_is_whole_and_cut_characters_are_gone() {
        let mut capture = Capture::new(8);
        capture.push("ééé".as_bytes());
        assert_eq!((capture.text().as_str(), capture.omitted()), ("ééé", 0));

        let mut capture = Capture::new(12);
        capture.push("aéééééééééééé".as_bytes());
        assert!(!capture.text().contains('\u{fffd}'), "{}", capture.text());

        let mut capture = Capture::new(100);
        capture.push(b"\x1b[31mred\x1b[0m \xff");
        assert_eq!(capture.text(), "red \u{fffd}");
    }
}
