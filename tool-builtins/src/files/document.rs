//! Documents that are no plain text, in the shape in which files are read.

use serde_json::Value;

use super::error::{FileError, FileErrorKind};
use super::json::clean_strings;
use super::read::{Content, FileContent, ROWS, ReadFormat, ReadOptions, binary, extension, lines};
use crate::document::structured::{self, markup};
use crate::document::{self, Fault, Kind, Reading, Request};
use crate::policy::{Policy, shown};

/// Reads a document; `None` for what is text, or of no kind that is known.
pub(super) fn read(
    policy: &Policy,
    path: &str,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<Option<FileContent>, FileError> {
    let Some(kind) = document::kind(bytes) else {
        return Ok(None);
    };
    refuse_misplaced(path, kind, options)?;
    let request = Request {
        pages: options.pages.clone(),
        sheet: options.sheet.clone(),
        offset: options.offset,
        limit: options.limit.unwrap_or(ROWS),
    };
    let reading = document::read(policy, bytes, kind, &request).map_err(|fault| match fault {
        Fault::NotBuilt { .. } => {
            let hint = fault.hint().unwrap_or_default();
            binary(path, kind.mime_type(bytes), bytes.len()).with_hint(hint)
        }
        Fault::Malformed(_) if kind == Kind::Picture => {
            binary(path, kind.mime_type(bytes), bytes.len())
        }
        fault => error(path, &fault),
    })?;
    let (content, notes) = match reading {
        Reading::Text { text, notes } => (lines(&text, options), notes),
        #[cfg(feature = "office")]
        Reading::Workbook(workbook) => (Content::Workbook(workbook), Vec::new()),
        Reading::Picture(picture) => (Content::Picture(picture), Vec::new()),
    };
    Ok(Some(FileContent {
        size: bytes.len(),
        encoding: "binary",
        content,
        notes,
    }))
}

/// The value that a text of some other markup than JSON stands for; `None` where only JSON is left.
pub(super) fn value(
    path: &str,
    text: &str,
    options: &ReadOptions,
) -> Result<Option<Value>, FileError> {
    let limit = options.limit.unwrap_or(usize::MAX);
    let Some(value) = structured::value(markup(&extension(path)), text, options.offset, limit)
    else {
        return Ok(None);
    };
    let mut value = value.map_err(|fault| {
        error(path, &fault).with_hint("to see it as it is, read it with the format `text`")
    })?;
    clean_strings(&mut value);
    Ok(Some(value))
}

/// A text in the form in which it is read best, where that is not as it stands.
pub(super) fn readable(
    path: &str,
    text: &str,
    options: &ReadOptions,
) -> Option<(String, &'static str)> {
    (options.format == ReadFormat::Auto)
        .then(|| structured::readable(markup(&extension(path)), text))
        .flatten()
}

/// A parameter that means nothing for a document would be left out in silence.
fn refuse_misplaced(path: &str, kind: Kind, options: &ReadOptions) -> Result<(), FileError> {
    let is_workbook = matches!(kind, Kind::Xlsx | Kind::Xlsb | Kind::Xls | Kind::Ods);
    let what = if options.pages.is_some() && kind != Kind::Pdf {
        "`pages` are those of a PDF"
    } else if options.sheet.is_some() && !is_workbook {
        "a `sheet` is one of a spreadsheet"
    } else if matches!(options.format, ReadFormat::Json | ReadFormat::Table) && !is_workbook {
        "of its kind there is only text; expected the format `auto` or `text`"
    } else {
        return Ok(());
    };
    Err(error(path, &Fault::Choice(what.to_owned())))
}

fn error(path: &str, fault: &Fault) -> FileError {
    let kind = match fault {
        Fault::Encrypted => FileErrorKind::Encrypted,
        Fault::TooMuch { .. } => FileErrorKind::TooLarge,
        Fault::Choice(_) => FileErrorKind::NoSuchPart,
        Fault::NotBuilt { .. } | Fault::NoWorker | Fault::Worker(_) => FileErrorKind::Unavailable,
        Fault::Malformed(_) | Fault::Stopped(_) => FileErrorKind::Malformed,
    };
    let error = FileError::new(kind, fault.message(&shown(path)));
    match fault.hint() {
        Some(hint) => error.with_hint(hint),
        None => error,
    }
}
