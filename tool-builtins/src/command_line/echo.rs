//! What `echo` writes.

use super::word::Word;

/// The text of `echo`, with its options `-n`, `-e` and `-E`.
pub(super) fn echo(words: &[String]) -> Vec<u8> {
    let mut ends_line = true;
    let mut escapes = false;
    let is_option = |word: &&String| {
        word.len() > 1
            && word.starts_with('-')
            && word.bytes().skip(1).all(|letter| b"neE".contains(&letter))
    };
    let count = words.iter().take_while(is_option).count();
    let (options, rest) = words.split_at(count);
    for letter in options.iter().flat_map(|option| option.bytes().skip(1)) {
        match letter {
            b'n' => ends_line = false,
            letter => escapes = letter == b'e',
        }
    }
    let mut text = rest.join(" ");
    if escapes {
        text = unescape(&text);
    }
    if ends_line {
        text.push('\n');
    }
    text.into_bytes()
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            plain.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some('r') => plain.push('\r'),
            Some('\\') | None => plain.push('\\'),
            Some(other) => plain.extend(['\\', other]),
        }
    }
    plain
}

/// The words of `echo` as text, patterns as they are written.
pub(super) fn texts(words: &[Word]) -> Vec<String> {
    words.iter().map(|word| word.text.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::echo;

    #[test]
    fn echo_writes_what_a_shell_would_write() {
        for (words, expected) in [
            (&[][..], "\n"),
            (&["a", "b"], "a b\n"),
            (&["-n", "a"], "a"),
            (&["-ne", "a\\tb"], "a\tb"),
            (&["a\\tb"], "a\\tb\n"),
            (&["-x", "-n"], "-x -n\n"),
            (&["-"], "-\n"),
            (&["-e", "a\\qb\\"], "a\\qb\\\n"),
        ] {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            assert_eq!(String::from_utf8(echo(&words)).unwrap(), expected);
        }
    }
}
