//! How a command ends.

use std::fmt;
use std::io;
use std::process::ExitCode;

/// The exit codes, which scripts lean on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All is done.
    Done,
    /// A tool failed, or a result could not be put where it belongs.
    Failed,
    /// The command was used wrongly.
    Usage,
    /// Ctrl-C.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            // What a shell reports of a program that SIGINT ended: 128 + 2.
            Exit::Interrupted => 130,
        })
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    message: String,
    hint: Option<String>,
}

impl Failure {
    /// The command was used wrongly.
    pub(crate) fn usage(message: impl fmt::Display) -> Self {
        Self {
            exit: Exit::Usage,
            message: message.to_string(),
            hint: None,
        }
    }

    /// The work was begun and could not be finished.
    pub(crate) fn failed(message: impl fmt::Display) -> Self {
        Self {
            exit: Exit::Failed,
            message: message.to_string(),
            hint: None,
        }
    }

    /// Ctrl-C ended the work.
    pub(crate) fn interrupted() -> Self {
        Self {
            exit: Exit::Interrupted,
            message: "stopped by Ctrl-C".to_owned(),
            hint: None,
        }
    }

    /// Adds what to do next, on a line of its own.
    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(formatter, "\n{hint}"),
            None => Ok(()),
        }
    }
}

/// What is left of an error of stdout after [`Streams`](crate::streams::Streams)
/// has taken broken pipes out: a full disk, as a rule.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::failed(format!("cannot write to stdout: {error}"))
    }
}
