//! What a command line says, once it is read.

use std::fmt;

use super::word::Word;

/// Pipelines one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Each with what decides whether it runs; the first always does.
    pub(crate) pipelines: Vec<(Connector, Pipeline)>,
}

/// When a pipeline runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connector {
    /// `;`: whatever came of the one before.
    Always,
    /// `&&`: when the one before succeeded.
    IfDone,
    /// `||`: when the one before failed.
    IfFailed,
}

/// Commands that run at the same time, each reading what the one before writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pipeline {
    /// At least one.
    pub(crate) commands: Vec<Command>,
}

/// A program with its words, and where its streams go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    /// The name of the program.
    pub(crate) name: Word,
    /// What follows the name.
    pub(crate) words: Vec<Word>,
    /// In the order in which they are written, which matters for `2>&1`.
    pub(crate) redirects: Vec<Redirect>,
}

/// One of the two streams that a program writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Stream 1.
    Out,
    /// Stream 2.
    Error,
}

/// Where a stream goes or comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Redirect {
    /// `< file`
    From(Word),
    /// `> file`, `2>> file`
    To {
        stream: Stream,
        append: bool,
        target: Word,
    },
    /// `2>&1` or `1>&2`: this stream goes where the other goes now.
    Join(Stream),
}

impl fmt::Display for Line {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (connector, pipeline)) in self.pipelines.iter().enumerate() {
            match connector {
                _ if place == 0 => {}
                Connector::Always => formatter.write_str("; ")?,
                Connector::IfDone => formatter.write_str(" && ")?,
                Connector::IfFailed => formatter.write_str(" || ")?,
            }
            for (place, command) in pipeline.commands.iter().enumerate() {
                let bar = if place == 0 { "" } else { " | " };
                write!(formatter, "{bar}{command}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Command {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.name)?;
        for word in &self.words {
            write!(formatter, " {word}")?;
        }
        for redirect in &self.redirects {
            match redirect {
                Redirect::From(source) => write!(formatter, " < {source}")?,
                Redirect::To {
                    stream,
                    append,
                    target,
                } => {
                    let number = if *stream == Stream::Out { "" } else { "2" };
                    let arrow = if *append { ">>" } else { ">" };
                    write!(formatter, " {number}{arrow} {target}")?;
                }
                Redirect::Join(Stream::Error) => formatter.write_str(" 2>&1")?,
                Redirect::Join(Stream::Out) => formatter.write_str(" 1>&2")?,
            }
        }
        Ok(())
    }
}
