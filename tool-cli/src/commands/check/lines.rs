//! The lines of a file of any length, one at a time, each of bounded length.

use std::io::{self, BufRead, Read as _};

use crate::input::MAX_BYTES;

/// What a line is, or why it cannot be read.
pub(super) type Text<'a> = Result<&'a str, String>;

/// Reads lines and counts them, from 1.
pub(super) struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
    number: usize,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            number: 0,
        }
    }

    /// The next line that is not blank, with its number; `None` at the end.
    pub(super) fn next_line(&mut self) -> io::Result<Option<(usize, Text<'_>)>> {
        loop {
            self.buffer.clear();
            let mut limited = self.reader.by_ref().take(MAX_BYTES as u64 + 1);
            if limited.read_until(b'\n', &mut self.buffer)? == 0 {
                return Ok(None);
            }
            self.number += 1;
            if self.buffer.len() > MAX_BYTES && self.buffer.last() != Some(&b'\n') {
                skip_line(&mut self.reader)?;
                let limit = MAX_BYTES / 1024 / 1024;
                let reason = format!("more than {limit} MiB in one line are not read");
                return Ok(Some((self.number, Err(reason))));
            }
            if !self.buffer.iter().all(u8::is_ascii_whitespace) {
                break;
            }
        }
        Ok(Some((self.number, text(&self.buffer, self.number))))
    }
}

fn text(bytes: &[u8], number: usize) -> Text<'_> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        format!(
            "not UTF-8: the byte at offset {} of the line does not belong there",
            error.valid_up_to()
        )
    })?;
    let text = text.trim_end();
    // Some editors put a mark before the text, and JSON has no place for it.
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) if number == 1 => rest,
        _ => text,
    })
}

/// Drops what is left of a line, without keeping any of it.
fn skip_line(reader: &mut impl BufRead) -> io::Result<()> {
    loop {
        let available = match reader.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok(());
        }
        match available.iter().position(|byte| *byte == b'\n') {
            Some(end) => {
                reader.consume(end + 1);
                return Ok(());
            }
            None => {
                let length = available.len();
                reader.consume(length);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use crate::input::MAX_BYTES;

    fn all(bytes: &[u8]) -> Vec<(usize, Result<String, String>)> {
        let mut lines = Lines::new(bytes);
        let mut all = Vec::new();
        while let Some((number, text)) = lines.next_line().unwrap() {
            all.push((number, text.map(str::to_owned)));
        }
        all
    }

    #[test]
    fn blank_lines_count_and_are_passed_over() {
        let lines = all(b"\xef\xbb\xbfa\r\n\n \t\nb");
        assert_eq!(lines, [(1, Ok("a".to_owned())), (4, Ok("b".to_owned()))]);
    }

    #[test]
    fn a_line_that_is_too_long_or_not_utf_8_costs_no_other() {
        let mut bytes = vec![b'x'; MAX_BYTES + 3];
        bytes.extend(b"\na\xff\nb\n");
        let lines = all(&bytes);
        assert_eq!(lines.len(), 3);
        assert!(lines[0].1.as_ref().unwrap_err().contains("16 MiB"));
        assert!(lines[1].1.as_ref().unwrap_err().contains("offset 1"));
        assert_eq!(lines[2], (3, Ok("b".to_owned())));
    }

    #[test]
    fn the_limit_itself_is_read() {
        let mut bytes = vec![b'x'; MAX_BYTES];
        bytes.push(b'\n');
        assert!(all(&bytes)[0].1.is_ok());
    }
}
