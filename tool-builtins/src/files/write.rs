//! One file, written as a whole or longer than it was.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::encoded::Encoded;
use super::error::{FileError, FileErrorKind};
use super::read::extension;
use super::rows::{Head, rows};
use crate::policy::{Policy, shown};

/// What to do where the file is there already, and where it is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum WriteMode {
    /// Make a new file. An existing one is left alone, and that is an error.
    #[default]
    Create,
    /// Replace the whole content of the file, or make a new one.
    Overwrite,
    /// Add to the end of the file, or make a new one.
    Append,
}

/// As what content is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum WriteFormat {
    /// A string as it is; an array under a name that ends in `.csv`, `.tsv` or `.tab` as a table; anything else as
    /// JSON.
    #[default]
    Auto,
    /// An array of objects or of arrays as a table, whatever the name.
    Table,
    /// A string of base64 as the bytes that it stands for.
    Base64,
}

/// How to write. The default makes a new file, by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteOptions {
    /// What to do where the file is there already. Default: leave it, as an error.
    pub mode: WriteMode,
    /// As what the content is written. Default: by its type and the file's name.
    pub format: WriteFormat,
}

impl WriteOptions {
    /// Writes in this mode.
    #[must_use]
    pub fn mode(mut self, mode: WriteMode) -> Self {
        self.mode = mode;
        self
    }

    /// Writes as `format`.
    #[must_use]
    pub fn format(mut self, format: WriteFormat) -> Self {
        self.format = format;
        self
    }
}

/// A file that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// How many bytes the file has now.
    pub bytes: usize,
    /// How many lines it has now; `None` for what was given as base64.
    pub lines: Option<usize>,
}

/// Writes a file below a root; parent directories are created, and other programs see the old content or the new.
///
/// A string is written as it is. Any other value is written as indented JSON, or, to a name that ends in `.csv` or
/// `.tsv`, as a table when it is an array of objects or of arrays. What is added to a file gets the encoding of that
/// file, and rows that are added to a table its delimiter and the order of its columns.
///
/// In a table, text that a spreadsheet would run as a formula gets a `'` in front.
///
/// # Errors
///
/// A [`FileError`] when the path is refused, when the file is there and [`WriteMode::Create`] was asked for, when the
/// operating system refuses, and when the value is no table or no base64 but should be.
pub fn write_file(
    policy: &Policy,
    path: &str,
    content: &Value,
    options: &WriteOptions,
) -> Result<Written, FileError> {
    let content = Content::of(path, content, options.format)?;
    match options.mode {
        WriteMode::Append => policy.change_or_create(path, |old| {
            let (new, lines) = content.after(path, old)?;
            let bytes = new.len();
            Ok((new, Written { bytes, lines }))
        }),
        mode => {
            let (new, lines) = content.after(path, None)?;
            if mode == WriteMode::Create {
                policy.create(path, &new).map_err(|error| {
                    let hint = "to replace it use the mode `overwrite`, to change a part of it files-edit_file, to add \
                                to its end the mode `append`";
                    if error.kind() == crate::policy::PathErrorKind::Exists {
                        error.with_hint(hint)
                    } else {
                        error
                    }
                })?;
            } else {
                policy.write(path, &new)?;
            }
            Ok(Written {
                bytes: new.len(),
                lines,
            })
        }
    }
}

/// What is written, before it is known what stands there.
enum Content<'a> {
    Text(std::borrow::Cow<'a, str>),
    Rows(&'a [Value], u8),
    Bytes(Vec<u8>),
}

impl<'a> Content<'a> {
    fn of(path: &str, content: &'a Value, format: WriteFormat) -> Result<Self, FileError> {
        let refused = |why: &str| {
            let message = format!("the content cannot be written to `{}`: {why}", shown(path));
            FileError::new(FileErrorKind::Unwritable, message)
        };
        let delimiter = match extension(path).as_str() {
            "csv" => Some(b','),
            "tsv" | "tab" => Some(b'\t'),
            _ => None,
        };
        match (format, content, delimiter) {
            (WriteFormat::Base64, Value::String(text), _) => {
                // Line breaks are as usual in it as they mean nothing.
                let text: String = text.split_ascii_whitespace().collect();
                let bytes = STANDARD
                    .decode(text)
                    .map_err(|error| refused(&format!("it is no base64: {error}")))?;
                Ok(Self::Bytes(bytes))
            }
            (WriteFormat::Base64, ..) => Err(refused("base64 is a string")),
            (WriteFormat::Auto, Value::String(text), _) => Ok(Self::Text(text.into())),
            (WriteFormat::Table, value, delimiter) => match value.as_array() {
                Some(rows) => Ok(Self::Rows(rows, delimiter.unwrap_or(b','))),
                None => Err(refused("a table is an array of objects or of arrays")),
            },
            (WriteFormat::Auto, value, Some(delimiter)) => match value.as_array() {
                Some(rows) => Ok(Self::Rows(rows, delimiter)),
                None => Err(refused(
                    "it is not an array; expected text, an array of objects, or an array of arrays",
                )),
            },
            (WriteFormat::Auto, value, None) => Ok(Self::Text(format!("{value:#}\n").into())),
        }
    }

    /// The whole file, what was there and this, and how many lines of text it has.
    fn after(&self, path: &str, old: Option<&[u8]>) -> Result<(Vec<u8>, Option<usize>), FileError> {
        let count = |text: &str| Some(text.lines().count());
        // Nothing says what an empty file is in.
        let Some(old) = old.filter(|old| !old.is_empty()) else {
            return Ok(match self {
                Self::Bytes(bytes) => (bytes.clone(), None),
                Self::Text(text) => (text.as_bytes().to_vec(), count(text)),
                Self::Rows(new, delimiter) => {
                    let text = rows(path, new, &Head::New(*delimiter))?;
                    let lines = count(&text);
                    (text.into_bytes(), lines)
                }
            });
        };
        let mut file = match (self, Encoded::read(path, old)) {
            (Self::Bytes(bytes), _) => return Ok(([old, bytes].concat(), None)),
            // What is there stays as it is, odd bytes included.
            (Self::Text(text), Err(error)) if error.kind() == FileErrorKind::Malformed => {
                return Ok(([old, text.as_bytes()].concat(), None));
            }
            (_, file) => file?,
        };
        match self {
            Self::Bytes(_) => {}
            Self::Text(text) => file.text.push_str(text),
            Self::Rows(new, _) => {
                let head = Head::of(path, &file.text);
                if !file.text.ends_with(['\n', '\r']) {
                    file.text.push('\n');
                }
                file.text.push_str(&rows(path, new, &head)?);
            }
        }
        let bytes = file.form.encode_for(path, &file.text)?;
        Ok((bytes, count(&file.text)))
    }
}
