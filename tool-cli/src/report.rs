//! The outcome of a call as JSON.

use std::path::PathBuf;

use serde::Serialize;

use tool_core::{File, JsonText, Outcome, Output, ToolError};

use crate::failure::Failure;
use crate::out_directory::OutDirectory;
use crate::streams::Streams;

/// A file that a tool gave back, and where it is now.
#[derive(Debug, Serialize)]
pub(crate) struct SavedFile {
    name: String,
    mime_type: String,
    bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// Where the file was written, or null.
    path: Option<PathBuf>,
}

/// Writes the files of an outcome to the directory, where there is one, and
/// says on stderr what became of each.
pub(crate) fn save_files(
    outcome: &Outcome,
    out: Option<&OutDirectory>,
    streams: Streams,
) -> Result<Vec<SavedFile>, Failure> {
    outcome
        .files()
        .map(|file| save(file, out, streams))
        .collect()
}

fn save(file: &File, out: Option<&OutDirectory>, streams: Streams) -> Result<SavedFile, Failure> {
    let path = out.map(|out| out.write(file)).transpose()?;
    let size = file.content.len();
    let unit = if size == 1 { "byte" } else { "bytes" };
    match &path {
        Some(path) => streams.note(&format!(
            "wrote `{}` ({}, {size} {unit})",
            path.display(),
            file.mime_type
        )),
        None => streams.note(&format!(
            "the file `{}` ({}, {size} {unit}) is not kept; `--out DIR` writes it",
            file.filename, file.mime_type
        )),
    }
    Ok(SavedFile {
        name: file.filename.clone(),
        mime_type: file.mime_type.clone(),
        bytes: size,
        description: file.description.clone(),
        path,
    })
}

/// What `--json` prints of a call.
#[derive(Debug, Serialize)]
pub(crate) struct OutcomeReport<'a> {
    call_id: &'a str,
    tool: &'a str,
    ok: bool,
    /// Text, or the JSON value that the tool gave; null where the call failed.
    result: Option<ResultReport<'a>>,
    error: Option<ErrorReport<'a>>,
    files: Vec<SavedFile>,
    elapsed_seconds: f64,
    may_still_run: bool,
    /// Whether an agent would have to stop here and hand over to a person.
    interrupts: bool,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum ResultReport<'a> {
    Json(&'a JsonText),
    Text(std::borrow::Cow<'a, str>),
}

#[derive(Debug, Serialize)]
struct ErrorReport<'a> {
    kind: &'static str,
    message: &'a str,
    hint: Option<&'a str>,
    retryable: bool,
    problems: Vec<ProblemReport<'a>>,
}

#[derive(Debug, Serialize)]
struct ProblemReport<'a> {
    path: &'a str,
    message: &'a str,
}

impl<'a> OutcomeReport<'a> {
    pub(crate) fn new(outcome: &'a Outcome, files: Vec<SavedFile>, interrupts: bool) -> Self {
        Self {
            call_id: &outcome.call_id,
            tool: &outcome.tool,
            ok: outcome.is_ok(),
            result: outcome.result.as_ref().ok().map(ResultReport::new),
            error: outcome.result.as_ref().err().map(ErrorReport::new),
            files,
            elapsed_seconds: outcome.elapsed.as_secs_f64(),
            may_still_run: outcome.may_still_run,
            interrupts,
        }
    }
}

impl<'a> ResultReport<'a> {
    fn new(output: &'a Output) -> Self {
        match output.json() {
            Some(json) => Self::Json(json),
            None => Self::Text(output.text()),
        }
    }
}

impl<'a> ErrorReport<'a> {
    fn new(error: &'a ToolError) -> Self {
        Self {
            kind: error.kind().as_str(),
            message: error.message(),
            hint: error.hint(),
            retryable: error.is_retryable(),
            problems: error
                .problems()
                .iter()
                .map(|problem| ProblemReport {
                    path: &problem.path,
                    message: &problem.message,
                })
                .collect(),
        }
    }
}
