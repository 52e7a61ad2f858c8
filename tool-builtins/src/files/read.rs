//! One file, as a model can use it.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::document;
use super::error::{FileError, FileErrorKind};
use super::json;
use super::table::{self, Table};
use crate::document::Picture;
#[cfg(feature = "office")]
use crate::document::Workbook;
use crate::policy::{Policy, shown};
use crate::text::clean::clean;
use crate::text::decode::{Markup, decode};
use crate::text::kind::binary_type;

/// How many lines or rows are given when the caller does not say.
const LINES: usize = 2000;
pub(super) const ROWS: usize = 50;

/// As what a file is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ReadFormat {
    /// By content and name: documents as Markdown, `.json` as JSON, `.csv`, `.tsv` and `.tab` as a table, HTML as the
    /// text of the page, everything else as text.
    #[default]
    Auto,
    /// Lines of text: a text file as it is, whatever the name says, a document as Markdown.
    Text,
    /// JSON: also of YAML, TOML, JSON Lines, and of the rows of a spreadsheet.
    Json,
    /// A table of delimited values, or the rows of a spreadsheet.
    Table,
}

/// Which part of a file to read, and as what. The default is the beginning, by the file's name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// As what the file is read. Default: by its name.
    pub format: ReadFormat,
    /// How many lines of text, or rows of a table, to skip. Default: 0.
    pub offset: usize,
    /// How many lines or rows to give. Default: 2,000 lines, 50 rows.
    pub limit: Option<usize>,
    /// Which pages of a PDF, such as `1-3,7`. Default: all, at most 500.
    pub pages: Option<String>,
    /// Which sheet of a spreadsheet. Default: the first rows of every sheet.
    pub sheet: Option<String>,
}

impl ReadOptions {
    /// Reads as `format`.
    #[must_use]
    pub fn format(mut self, format: ReadFormat) -> Self {
        self.format = format;
        self
    }

    /// Skips `offset` lines or rows.
    #[must_use]
    pub fn offset(mut self, offset: usize) -> Self {
        self.offset = offset;
        self
    }

    /// Gives at most `limit` lines or rows.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Reads these pages of a PDF, such as `1-3,7`.
    #[must_use]
    pub fn pages(mut self, pages: impl Into<String>) -> Self {
        self.pages = Some(pages.into());
        self
    }

    /// Reads this sheet of a spreadsheet.
    #[must_use]
    pub fn sheet(mut self, sheet: impl Into<String>) -> Self {
        self.sheet = Some(sheet.into());
        self
    }
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FileContent {
    /// The size of the file in bytes.
    pub size: usize,
    /// The encoding that was found, such as `UTF-8` or `windows-1252`; `binary` for documents that are not text.
    pub encoding: &'static str,
    /// What it holds.
    pub content: Content,
    /// What must be said of it, such as "page 3 without text: pictures only, perhaps scanned".
    pub notes: Vec<String>,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// Lines of text, without control characters, escape sequences and invisible characters.
    Text {
        /// The lines asked for, joined by `\n`.
        text: String,
        /// How many lines the file has.
        lines: usize,
        /// The offset of the first line that was left out, `None` at the end of the file.
        next_offset: Option<usize>,
    },
    /// A JSON value.
    Json(Value),
    /// Delimited values.
    Table(Table),
    /// The sheets of a spreadsheet.
    #[cfg(feature = "office")]
    Workbook(Workbook),
    /// A picture, of which only the header was read.
    Picture(Picture),
}

/// Reads a file below the root.
///
/// Text may be in any encoding: byte order marks, UTF-16 without one, UTF-8, and the legacy encodings by statistics.
///
/// # Errors
///
/// A [`FileError`] when the path is refused or the file is too large, when it is neither text nor a document that is
/// read (the message says what it is), when a document is broken, encrypted or expands too far, and when JSON does not
/// parse (the message gives line and column).
pub fn read_file(
    policy: &Policy,
    path: &str,
    options: &ReadOptions,
) -> Result<FileContent, FileError> {
    let bytes = policy.read(path)?;
    if let Some(document) = document::read(policy, path, &bytes, options)? {
        return Ok(document);
    }
    if let Some(kind) = binary_type(&bytes) {
        return Err(binary(path, kind, bytes.len()));
    }
    let decoded = decode(&bytes, None, Markup::None);
    let mut notes = Vec::new();
    let content = match format(path, options.format) {
        ReadFormat::Json => match document::value(path, &decoded.text, options)? {
            Some(value) => Content::Json(value),
            None => Content::Json(json::parse(path, &decoded.text)?),
        },
        ReadFormat::Table => Content::Table(table::parse(
            path,
            &decoded.text,
            options.offset,
            options.limit.unwrap_or(ROWS),
        )),
        _ => match document::readable(path, &decoded.text, options) {
            Some((text, note)) => {
                notes.push(note.to_owned());
                lines(&text, options)
            }
            None => lines(&clean(&decoded.text), options),
        },
    };
    Ok(FileContent {
        size: bytes.len(),
        encoding: decoded.encoding,
        content,
        notes,
    })
}

fn format(path: &str, asked: ReadFormat) -> ReadFormat {
    if asked != ReadFormat::Auto {
        return asked;
    }
    match extension(path).as_str() {
        "json" | "geojson" | "webmanifest" | "ipynb" => ReadFormat::Json,
        "csv" | "tsv" | "tab" => ReadFormat::Table,
        _ => ReadFormat::Text,
    }
}

/// The extension in lower case, or nothing.
pub(super) fn extension(path: &str) -> String {
    Path::new(path)
        .extension()
        .map(|extension| extension.to_string_lossy().to_lowercase())
        .unwrap_or_default()
}

/// The lines of a clean text that were asked for.
pub(super) fn lines(text: &str, options: &ReadOptions) -> Content {
    let (offset, limit) = (options.offset, options.limit.unwrap_or(LINES));
    let total = text.lines().count();
    let end = offset.saturating_add(limit);
    let mut chosen = text
        .lines()
        .skip(offset)
        .take(limit)
        .collect::<Vec<_>>()
        .join("\n");
    // A whole file comes back byte for byte, its last line break included.
    if end >= total && offset < total && text.ends_with('\n') {
        chosen.push('\n');
    }
    Content::Text {
        text: chosen,
        lines: total,
        next_offset: (end < total).then_some(end),
    }
}

pub(super) fn binary(path: &str, kind: &str, size: usize) -> FileError {
    let message = format!(
        "`{}` is not text: it is of type `{kind}`, {size} bytes",
        shown(path)
    );
    FileError::new(FileErrorKind::Binary, message)
}
