//! Why a document has no text to give.

use serde::{Deserialize, Serialize};

/// What stands between a document and its text. It travels from the worker as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Fault {
    /// It is not what it claims to be, or broken: why.
    Malformed(String),
    /// It needs a password.
    Encrypted,
    /// It holds more than the policy lets in: what, and the setting that would.
    TooMuch {
        /// What there is too much of, as the end of "the document".
        what: String,
        /// The builder method of the policy.
        setting: String,
    },
    /// The pages or the sheet asked for are not there, or no such thing can be asked.
    Choice(String),
    /// Its reader is not part of this program.
    NotBuilt {
        /// The cargo feature that brings it.
        feature: String,
    },
    /// Its reader may run in a worker process only, and there is none.
    NoWorker,
    /// The worker process could not be used: why.
    Worker(String),
    /// The reader was stopped, or it broke down: how.
    Stopped(String),
}

impl Fault {
    /// The shortest way to say that a document is broken.
    pub(crate) fn malformed(why: impl Into<String>) -> Self {
        Self::Malformed(why.into())
    }

    /// More than a limit, and the builder method that sets it.
    pub(crate) fn too_much(what: impl Into<String>, setting: &str) -> Self {
        Self::TooMuch {
            what: what.into(),
            setting: setting.to_owned(),
        }
    }

    /// What happened to the document called `name`, which is already fit to show.
    pub(crate) fn message(&self, name: &str) -> String {
        match self {
            Self::Malformed(why) => format!("`{name}` cannot be read: {why}"),
            Self::Encrypted => format!("`{name}` is encrypted and needs a password to be read"),
            Self::TooMuch { what, .. } => format!("`{name}` is not read: {what}"),
            Self::Choice(why) => format!("`{name}`: {why}"),
            Self::NotBuilt { feature } => {
                format!(
                    "this program was built without the feature `{feature}` that reads `{name}`"
                )
            }
            Self::NoWorker => format!(
                "`{name}` is of a format whose reader runs in a process of its own, and this program has none"
            ),
            Self::Worker(why) => format!("the process to read `{name}` failed: {why}"),
            Self::Stopped(how) => format!("reading `{name}` was stopped: {how}"),
        }
    }

    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::Malformed(_) | Self::Choice(_) => None,
            Self::Encrypted => Some("ask for a copy without a password".to_owned()),
            Self::TooMuch { setting, .. } => Some(format!("to allow more use `{setting}`")),
            Self::NotBuilt { feature } => Some(format!(
                "build `tool-builtins` with the feature `{feature}`, or take the file itself with `as_file`"
            )),
            Self::NoWorker => Some(
                "call `tool_builtins::worker::run_if_asked()` at the start of `main`, or name a program that does with \
                 `Policy::worker(Worker::program(…))`, such as the command `tool`; for documents that are trusted there \
                 is `Policy::worker(Worker::InProcess)`"
                    .to_owned(),
            ),
            Self::Worker(_) => Some("check `Policy::worker`".to_owned()),
            Self::Stopped(_) => Some(
                "to allow more use `Policy::document_timeout` and `Policy::max_document_memory`".to_owned(),
            ),
        }
    }
}
