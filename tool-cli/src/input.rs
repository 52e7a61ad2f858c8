//! What comes in: an argument, a file, or stdin; of bounded size, and UTF-8.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::failure::Failure;
use crate::streams::Streams;

/// More than this is not read: no call that a model makes comes near it.
pub(crate) const MAX_BYTES: usize = 16 * 1024 * 1024;

/// Where JSON comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The argument itself.
    Text(String),
    /// A file.
    File(PathBuf),
    /// Stdin.
    Stdin,
}

impl Source {
    /// `JSON`, `@FILE` or `-`, as `tool call` takes its arguments. JSON
    /// begins with neither `@` nor a lone `-`.
    pub(crate) fn json_or_file(argument: &str) -> Self {
        match argument.strip_prefix('@') {
            Some("-") => Self::Stdin,
            Some(path) => Self::File(path.into()),
            None if argument == "-" => Self::Stdin,
            None => Self::Text(argument.to_owned()),
        }
    }

    /// `FILE` or `-`.
    pub(crate) fn file(path: &Path) -> Self {
        if path == Path::new("-") {
            Self::Stdin
        } else {
            Self::File(path.to_owned())
        }
    }

    /// The text, without a byte order mark.
    pub(crate) fn read(&self, streams: Streams) -> Result<String, Failure> {
        let (bytes, name) = match self {
            Self::Text(text) => return Ok(text.clone()),
            Self::File(path) => (read_file(path)?, format!("`{}`", path.display())),
            Self::Stdin => {
                if streams.stdin_is_terminal() {
                    streams.note("reading from the terminal; end with Ctrl-D");
                }
                let bytes = bounded(io::stdin().lock(), "stdin")?;
                (bytes, "stdin".to_owned())
            }
        };
        let text = String::from_utf8(bytes).map_err(|error| {
            Failure::usage(format!(
                "{name} is not UTF-8: the byte at offset {} does not belong there",
                error.utf8_error().valid_up_to()
            ))
            .with_hint("JSON is always UTF-8; convert the text first, as with `iconv -t UTF-8`.")
        })?;
        // Some editors put a mark before the text, and JSON has no place for it.
        Ok(match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        })
    }

    /// The text as a JSON value.
    pub(crate) fn read_json(&self, streams: Streams) -> Result<Value, Failure> {
        let text = self.read(streams)?;
        serde_json::from_str(&text)
            .map_err(|error| Failure::usage(format!("{self} is not JSON: {error}")))
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(_) => formatter.write_str("the argument"),
            Self::File(path) => write!(formatter, "`{}`", path.display()),
            Self::Stdin => formatter.write_str("stdin"),
        }
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    let name = format!("`{}`", path.display());
    let file =
        File::open(path).map_err(|error| Failure::usage(format!("cannot open {name}: {error}")))?;
    bounded(file, &name)
}

/// Reads to the end, one byte past the limit at most: a device or a pipe may never end.
fn bounded(reader: impl Read, name: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    reader
        .take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::usage(format!("cannot read {name}: {error}")))?;
    if bytes.len() > MAX_BYTES {
        return Err(Failure::usage(format!(
            "{name} is too large: more than {} MiB are not read",
            MAX_BYTES / 1024 / 1024
        )));
    }
    Ok(bytes)
}
