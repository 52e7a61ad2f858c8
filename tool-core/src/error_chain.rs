//! An error with its causes, in one line for a log.

use std::error::Error;
use std::fmt::{self, Write as _};

use crate::error::ToolError;
use crate::redact::Redactor;

/// How many bytes of a chain are shown.
const SHOWN: usize = 4 * 1024;

/// How many bytes of a chain are looked at. Secrets are taken out of it
/// before it is cut, so that none is cut in two and left.
const READ: usize = 16 * SHOWN;

/// How many causes are followed: a chain may be a circle.
const CAUSES: usize = 32;

/// The message of an error and of all its causes, `a: b: c`, free of secrets
/// and of at most 4 KiB. A cause that only says again what is already there
/// is left out.
pub(crate) fn chain(error: &ToolError, redactor: &Redactor) -> String {
    let mut text = Bounded(String::new());
    let mut last = String::new();
    let source = error
        .source()
        .map(|source| source as &(dyn Error + 'static));
    let causes = std::iter::successors(source, |&cause| cause.source()).take(CAUSES);
    let messages = std::iter::once(error as &dyn fmt::Display)
        .chain(causes.map(|cause| cause as &dyn fmt::Display));
    for message in messages {
        let mut words = Bounded(String::new());
        // It says that it is full, or its writer has an error of its own.
        let _ = write!(words, "{message}");
        if words.0 == last || words.0.is_empty() {
            continue;
        }
        let separator = if text.0.is_empty() { "" } else { ": " };
        if write!(text, "{separator}{}", words.0).is_err() {
            break;
        }
        last = words.0;
    }
    let mut text = text.0;
    redactor.redact(&mut text);
    if text.len() > SHOWN {
        let mut end = SHOWN - '…'.len_utf8();
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push('…');
    }
    text
}

/// A text that takes no more than so much.
struct Bounded(String);

impl fmt::Write for Bounded {
    fn write_str(&mut self, words: &str) -> fmt::Result {
        let mut left = READ.saturating_sub(self.0.len()).min(words.len());
        while !words.is_char_boundary(left) {
            left -= 1;
        }
        self.0.push_str(words.get(..left).unwrap_or_default());
        if left < words.len() {
            return Err(fmt::Error);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{SHOWN, chain};
    use crate::error::ToolError;
    use crate::redact::Redactor;
    use std::error::Error;
    use std::fmt;

    #[derive(Debug)]
    struct Link(String, Option<Box<Link>>);

    impl fmt::Display for Link {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str(&self.0)
        }
    }

    impl Error for Link {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|link| link as &(dyn Error + 'static))
        }
    }

    fn link(words: &str, cause: Option<Link>) -> Link {
        Link(words.to_owned(), cause.map(Box::new))
    }

    fn line(error: &ToolError) -> String {
        chain(error, &Redactor::new(vec!["hunter2!".to_owned()]).unwrap())
    }

    #[test]
    fn every_cause_is_told_once_and_without_secrets() {
        let cause = link(
            "no answer",
            Some(link("password=letmein refused hunter2!", None)),
        );
        assert_eq!(
            line(&ToolError::new("cannot log in").with_source(cause)),
            "cannot log in: no answer: password=[redacted] refused [redacted]"
        );
        // An error that was converted says the same as its source.
        assert_eq!(
            line(&ToolError::from(link(
                "disk full",
                Some(link("ENOSPC", None))
            ))),
            "disk full: ENOSPC"
        );
        assert_eq!(line(&ToolError::new("alone")), "alone");
    }

    #[test]
    fn a_long_chain_is_cut_after_its_secrets_are_taken_out() {
        for padding in SHOWN - 30..SHOWN + 5 {
            let words = "ä".repeat(padding / 2) + " hunter2! " + &"x".repeat(100_000);
            let mut cause = link(&words, None);
            for _ in 0..100 {
                cause = link("more", Some(cause));
            }
            let text = line(&ToolError::new(words).with_source(cause));
            assert!(text.len() <= SHOWN, "{}", text.len());
            assert!(!text.contains("hunt"), "{padding}");
        }
    }
}
