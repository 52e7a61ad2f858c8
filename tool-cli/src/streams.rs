//! The one place that writes: results to stdout, everything else to stderr.

use std::io::{self, IsTerminal as _, Write as _};

use serde::Serialize;

use crate::control;
use crate::failure::Failure;

/// Stdout and stderr, and whether a person reads them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Streams {
    stdin_is_terminal: bool,
    stdout_is_terminal: bool,
    stderr_is_terminal: bool,
}

impl Streams {
    pub(crate) fn new() -> Self {
        Self {
            stdin_is_terminal: io::stdin().is_terminal(),
            stdout_is_terminal: io::stdout().is_terminal(),
            stderr_is_terminal: io::stderr().is_terminal(),
        }
    }

    /// Whether a person can be asked something.
    pub(crate) fn can_ask(self) -> bool {
        self.stdin_is_terminal && self.stderr_is_terminal
    }

    pub(crate) fn stdin_is_terminal(self) -> bool {
        self.stdin_is_terminal
    }

    pub(crate) fn stdout_is_terminal(self) -> bool {
        self.stdout_is_terminal
    }

    pub(crate) fn stderr_is_terminal(self) -> bool {
        self.stderr_is_terminal
    }

    /// Whether stderr is a terminal on which a line can be drawn over.
    pub(crate) fn can_draw(self) -> bool {
        self.stderr_is_terminal && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
    }

    /// Writes a tool's text: byte for byte, but on a terminal without control
    /// characters and with a line break at its end.
    pub(crate) fn text(self, text: &str) -> Result<(), Failure> {
        if self.stdout_is_terminal {
            let shown = control::strip(text);
            let end = if shown.is_empty() || shown.ends_with('\n') {
                ""
            } else {
                "\n"
            };
            write_stdout(&[shown.as_bytes(), end.as_bytes()])
        } else {
            write_stdout(&[text.as_bytes()])
        }
    }

    /// Writes lines that this command made, such as a table.
    pub(crate) fn lines(self, lines: &str) -> Result<(), Failure> {
        self.text(&format!("{}\n", lines.trim_end_matches('\n')))
    }

    /// Writes a value as indented JSON.
    pub(crate) fn json<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value).map_err(Failure::failed)?;
        // Nothing is left in it that a terminal would act on.
        self.lines(&control::escape_json(&text))
    }

    /// Tells something on stderr that is no result.
    pub(crate) fn note(self, note: &str) {
        self.raw_note(&format!("{note}\n"));
    }

    /// Asks something on stderr, without a line break at the end.
    pub(crate) fn ask(self, question: &str) {
        self.raw_note(&format!("{question} "));
    }

    fn raw_note(self, text: &str) {
        let shown = if self.stderr_is_terminal {
            control::strip(text)
        } else {
            text.into()
        };
        let mut stderr = io::stderr().lock();
        // Where stderr cannot be written there is nowhere left to say so.
        drop(
            stderr
                .write_all(shown.as_bytes())
                .and_then(|()| stderr.flush()),
        );
    }
}

/// A reader that has seen enough, as in `tool list | head -1`, is no failure.
fn write_stdout(pieces: &[&[u8]]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = pieces
        .iter()
        .try_for_each(|piece| stdout.write_all(piece))
        .and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}
