//! The tools of the category, each a function and a handle for [`tools!`](tool_core::tools).
//!
//! They wait for the disk, so they are no `async` functions: the executor runs them where they hold up nobody.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value;
use tool_core::{Content as Piece, Context, File, Json, ToolError, tool};

use super::error::FileError;
use super::list::list_directory as list;
use super::read::{Content, ReadFormat, ReadOptions, read_file as read};
use super::write::write_file as write;
use crate::document::{self, Picture};
use crate::policy::{Listing, Policy, shown};
use crate::text::kind::binary_type;

/// Read a file: text as it is, JSON as JSON, a table (CSV, TSV) as JSON with `columns` and `rows`, and documents (PDF,
/// Word, PowerPoint, Excel, HTML) as Markdown.
///
/// A picture is given to look at, of an archive the list of its files. A long text or table comes in parts. Where there is more, the answer has a `next_offset`: call again with it as
/// `offset`.
///
/// # Errors
///
/// What [`super::read_file`] refuses; a refusal by the policy is of the kind
/// [`Denied`](tool_core::ErrorKind::Denied).
///
/// # Examples
///
/// ```
/// use tool_builtins::{Policy, files};
/// use tool_core::{Call, Catalogue, Executor};
///
/// #[tokio::main]
/// async fn main() -> Result<(), Box<dyn std::error::Error>> {
///     let folder = tempfile::tempdir()?;
///     std::fs::write(folder.path().join("notes.txt"), "one\ntwo\nthree\n")?;
///     let executor = Executor::builder(Catalogue::new(files::TOOLS)?)
///         .state(Policy::new().root(folder.path()))
///         .build()?;
///
///     let arguments = r#"{"path": "notes.txt", "limit": 2}"#;
///     let outcome = executor.call(Call::new("call_1", "files-read_file", arguments)).await;
///     assert_eq!(outcome.text(), "one\ntwo\n[lines 1 to 2 of 3; next_offset: 2]");
///     Ok(())
/// }
/// ```
#[tool(name = "files-read_file", read_only)]
#[expect(
    clippy::too_many_arguments,
    reason = "each is a parameter that a model may give"
)]
pub fn read_file(
    /// The path of the file, relative to the root directory.
    #[tool(example = "notes/today.md")]
    path: String,
    /// How to read the file.
    #[tool(default = ReadFormat::Auto)]
    format: ReadFormat,
    /// How many lines of a text, or rows of a table, to skip. JSON is always given whole.
    #[tool(default = 0)]
    offset: usize,
    /// How many lines or rows to give at most. 2,000 lines or 50 rows where it is left out.
    #[schemars(range(min = 1))]
    limit: Option<usize>,
    /// Which pages of a PDF to read, such as `1-3,7`. All of them where it is left out.
    #[tool(example = Some("1-3,7".to_owned()))]
    pages: Option<String>,
    /// The name of the sheet of a spreadsheet to read. The first rows of every sheet where it is left out.
    sheet: Option<String>,
    /// Whether to give the file itself, unchanged, instead of its text.
    #[tool(default = false)]
    as_file: bool,
    ctx: &Context,
) -> Result<Vec<Piece>, ToolError> {
    let policy = Policy::of(ctx);
    if as_file {
        return whole(policy, &path);
    }
    let options = ReadOptions {
        format,
        offset,
        limit,
        pages,
        sheet,
    };
    let file = read(policy, &path, &options).map_err(FileError::into_tool_error)?;
    let mut pieces = match file.content {
        Content::Json(value) => vec![Piece::json(&value)?],
        Content::Table(table) => vec![Piece::json(&table)?],
        #[cfg(feature = "office")]
        Content::Workbook(workbook) => vec![match format {
            ReadFormat::Json | ReadFormat::Table => Piece::json(&workbook)?,
            _ => workbook.to_markdown().into(),
        }],
        Content::Picture(picture) => look_at(policy, &path, file.size, &picture)?,
        Content::Text {
            text,
            lines,
            next_offset,
        } => part(text, lines, offset, next_offset),
    };
    if !file.notes.is_empty() {
        pieces.push(format!("[{}]", file.notes.join("; ")).into());
    }
    Ok(pieces)
}

/// The file itself.
fn whole(policy: &Policy, path: &str) -> Result<Vec<Piece>, ToolError> {
    let bytes = policy
        .read(path)
        .map_err(|error| FileError::from(error).into_tool_error())?;
    let mime_type = document::kind(&bytes).map_or_else(
        || binary_type(&bytes).unwrap_or("text/plain"),
        |kind| kind.mime_type(&bytes),
    );
    let said = format!("[the file, {} bytes of type {mime_type}]", bytes.len());
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    Ok(vec![
        said.into(),
        File::new(shown(name), mime_type, bytes).into(),
    ])
}

/// What the header says of a picture, and the picture for a model that sees.
fn look_at(
    policy: &Policy,
    path: &str,
    size: usize,
    picture: &Picture,
) -> Result<Vec<Piece>, ToolError> {
    let turned = match picture.orientation {
        Some(turn) if turn > 1 => format!(", to be turned (EXIF orientation {turn})"),
        _ => String::new(),
    };
    let said = format!(
        "[a picture, {}, {} × {} pixels, {size} bytes{turned}]",
        picture.mime_type, picture.width, picture.height
    );
    let mut pieces = vec![said.into()];
    pieces.extend(whole(policy, path)?.into_iter().skip(1));
    Ok(pieces)
}

/// The text, and in a piece of its own what must be said of it.
fn part(text: String, lines: usize, offset: usize, next_offset: Option<usize>) -> Vec<Piece> {
    let note = match next_offset {
        _ if lines == 0 => "[the file is empty]".to_owned(),
        _ if offset >= lines => format!("[nothing at offset {offset}: the file has {lines} lines]"),
        Some(next) => format!(
            "[lines {} to {next} of {lines}; next_offset: {next}]",
            offset + 1
        ),
        None => return vec![text.into()],
    };
    if text.is_empty() {
        vec![note.into()]
    } else {
        vec![text.into(), note.into()]
    }
}

/// Write a file as a whole, replacing what was there. Directories on the way are created.
///
/// Gives the path and the size in bytes.
///
/// # Errors
///
/// What [`super::write_file`] refuses; a refusal by the policy is of the kind
/// [`Denied`](tool_core::ErrorKind::Denied).
///
/// # Examples
///
/// ```
/// use tool_builtins::{Policy, files};
/// use tool_core::{Call, Catalogue, Executor};
///
/// #[tokio::main]
/// async fn main() -> Result<(), Box<dyn std::error::Error>> {
///     let folder = tempfile::tempdir()?;
///     let executor = Executor::builder(Catalogue::new(files::TOOLS)?)
///         .state(Policy::new().root(folder.path()))
///         .build()?;
///
///     let arguments = r#"{"path": "team.csv", "content": [{"name": "Ada", "year": 1815}]}"#;
///     let outcome = executor.call(Call::new("call_1", "files-write_file", arguments)).await;
///     assert_eq!(outcome.text(), r#"{"path":"team.csv","bytes":19}"#);
///     assert_eq!(std::fs::read_to_string(folder.path().join("team.csv"))?, "name,year\nAda,1815\n");
///     Ok(())
/// }
/// ```
#[tool(name = "files-write_file", destructive, idempotent)]
pub fn write_file(
    /// The path of the file, relative to the root directory.
    #[tool(example = "notes/today.md")]
    path: String,
    /// What to write. A string is written as it is, anything else as JSON; to a name that ends in `.csv` or `.tsv` an
    /// array of objects or of arrays is written as a table.
    #[schemars(with = "AnyJson")]
    content: Value,
    ctx: &Context,
) -> Result<Json<Wrote>, ToolError> {
    let written = write(Policy::of(ctx), &path, &content).map_err(FileError::into_tool_error)?;
    Ok(Json(Wrote {
        path,
        bytes: written.bytes,
    }))
}

/// Any value, with its types spelled out: some providers refuse a property without a type.
struct AnyJson;

impl JsonSchema for AnyJson {
    fn schema_name() -> Cow<'static, str> {
        "AnyJson".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["string", "object", "array", "number", "boolean", "null"],
            "items": {}
        })
    }
}

/// What `files-write_file` says of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Wrote {
    /// The path as it was given.
    pub path: String,
    /// The size of the file now.
    pub bytes: usize,
}

/// List what is in a directory: the name and kind of each entry, and the size of files in bytes.
///
/// Gives the first 1,000 entries in the order of their names; `total` counts all.
///
/// # Errors
///
/// What [`super::list_directory`] refuses; a refusal by the policy is of the kind
/// [`Denied`](tool_core::ErrorKind::Denied).
///
/// # Examples
///
/// ```
/// use tool_builtins::{Policy, files};
/// use tool_core::{Call, Catalogue, Executor};
///
/// #[tokio::main]
/// async fn main() -> Result<(), Box<dyn std::error::Error>> {
///     let folder = tempfile::tempdir()?;
///     std::fs::write(folder.path().join("notes.txt"), "remember the milk")?;
///     let executor = Executor::builder(Catalogue::new(files::TOOLS)?)
///         .state(Policy::new().root(folder.path()))
///         .build()?;
///
///     let outcome = executor.call(Call::new("call_1", "files-list_directory", "{}")).await;
///     assert_eq!(
///         outcome.text(),
///         r#"{"entries":[{"name":"notes.txt","kind":"file","size":17}],"total":1}"#,
///     );
///     Ok(())
/// }
/// ```
#[tool(name = "files-list_directory", read_only)]
pub fn list_directory(
    /// The path of the directory, relative to the root directory; `.` is that directory itself.
    #[tool(default = ".")]
    path: String,
    ctx: &Context,
) -> Result<Json<Listing>, ToolError> {
    let listing = list(Policy::of(ctx), &path).map_err(FileError::into_tool_error)?;
    Ok(Json(listing))
}
