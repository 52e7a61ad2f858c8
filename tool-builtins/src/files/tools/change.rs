//! The tools that write, move and delete.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value;
use tool_core::{Context, Json, ToolError, tool};

use crate::files::edit::{Occurrences, edit_file as edit};
use crate::files::error::FileError;
use crate::files::transfer::{
    Deleted, Overwrite, copy_file as copy, create_directory as create, delete_file as delete,
    move_file as rename,
};
use crate::files::write::{WriteFormat, WriteMode, WriteOptions, write_file as write};
use crate::policy::{EntryKind, Policy, RecursiveDelete, plain};

/// Write a file: a new one, or with `mode` over an existing one or at its end. Directories on the way are created.
///
/// Gives the size in bytes and the number of lines.
///
/// Replacing needs approval.
///
/// # Errors
///
/// What [`write_file`](crate::files::write_file) refuses; a refusal by the policy is of the kind
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
///     assert_eq!(outcome.text(), r#"{"path":"team.csv","bytes":19,"lines":2}"#);
///     assert_eq!(std::fs::read_to_string(folder.path().join("team.csv"))?, "name,year\nAda,1815\n");
///     Ok(())
/// }
/// ```
#[tool(
    name = "files-write_file",
    timeout = 30,
    destructive,
    open_world = false,
    approval_if = replaces,
    sequential(key = "path")
)]
pub fn write_file(
    /// The path of the file, relative to the root directory.
    #[tool(example = "notes/today.md")]
    path: String,
    /// What to write. A string is written as it is, anything else as JSON; to a name that ends in `.csv` or `.tsv` an
    /// array of objects or of arrays is written as a table.
    #[schemars(with = "AnyJson")]
    content: Value,
    /// What to do when the file exists: `create` fails, `overwrite` replaces it, `append` adds to its end.
    #[tool(default = WriteMode::Create)]
    mode: WriteMode,
    /// How to take the content: `table` writes rows whatever the name, `base64` decodes a string to bytes.
    #[tool(default = WriteFormat::Auto)]
    format: WriteFormat,
    ctx: &Context,
) -> Result<Json<Wrote>, ToolError> {
    let options = WriteOptions { mode, format };
    let written =
        write(Policy::of(ctx), &path, &content, &options).map_err(FileError::into_tool_error)?;
    Ok(Json(Wrote {
        path: plain(&path),
        bytes: written.bytes,
        lines: written.lines,
    }))
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "a condition is given references"
)]
fn replaces(_path: &str, _content: &Value, mode: &WriteMode, _format: &WriteFormat) -> bool {
    *mode == WriteMode::Overwrite
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
    /// The path as it was given, without invisible characters.
    pub path: String,
    /// The size of the file now.
    pub bytes: usize,
    /// How many lines a text has now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
}

/// Replace a text in a file by another. The old text must be in the file exactly once, unless `replace_all` is set.
///
/// Read the file first, and give the old text exactly as it stands there, with its white space. Line breaks and
/// encoding of the file stay as they are.
///
/// # Errors
///
/// What [`edit_file`](crate::files::edit_file) refuses; a refusal by the policy is of the kind
/// [`Denied`](tool_core::ErrorKind::Denied).
#[tool(
    name = "files-edit_file",
    timeout = 30,
    destructive,
    open_world = false,
    approval,
    sequential(key = "path")
)]
pub fn edit_file(
    /// The path of the file, relative to the root directory.
    #[tool(example = "notes/today.md")]
    path: String,
    /// The text to replace, with enough around it to be there only once.
    #[schemars(length(min = 1))]
    old_text: String,
    /// The text to put in its place; empty to delete the old text.
    new_text: String,
    /// Whether to replace it wherever it is.
    #[tool(default = false)]
    replace_all: bool,
    ctx: &Context,
) -> Result<Json<Changed>, ToolError> {
    let occurrences = if replace_all {
        Occurrences::All
    } else {
        Occurrences::One
    };
    let edited = edit(Policy::of(ctx), &path, &old_text, &new_text, occurrences)
        .map_err(FileError::into_tool_error)?;
    Ok(Json(Changed {
        path: plain(&path),
        replacements: edited.replacements,
        line: edited.line,
        bytes: edited.bytes,
    }))
}

/// What `files-edit_file` says of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Changed {
    /// The path as it was given, without invisible characters.
    pub path: String,
    /// How many places were replaced.
    pub replacements: usize,
    /// The number of the first line that was changed.
    pub line: usize,
    /// The size of the file now.
    pub bytes: usize,
}

/// Copy a file to another path. Directories on the way are created.
///
/// # Errors
///
/// What [`copy_file`](crate::files::copy_file) refuses; a refusal by the policy is of the kind
/// [`Denied`](tool_core::ErrorKind::Denied).
#[tool(
    name = "files-copy_file",
    timeout = 30,
    destructive,
    idempotent,
    open_world = false,
    approval_if = overwrites,
    sequential(key = "to")
)]
pub fn copy_file(
    /// The path of the file to copy, relative to the root directory.
    #[tool(example = "notes/today.md")]
    path: String,
    /// The path of the copy.
    #[tool(example = "archive/today.md")]
    to: String,
    /// Whether to replace a file that is there already, which needs approval.
    #[tool(default = false)]
    overwrite: bool,
    ctx: &Context,
) -> Result<Json<Copied>, ToolError> {
    let bytes = copy(Policy::of(ctx), &path, &to, overwriting(overwrite))
        .map_err(FileError::into_tool_error)?;
    Ok(Json(Copied {
        path: plain(&path),
        to: plain(&to),
        bytes,
    }))
}

/// What `files-copy_file` says of the copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Copied {
    /// The path that was copied.
    pub path: String,
    /// The path of the copy.
    pub to: String,
    /// The size of the copy.
    pub bytes: u64,
}

/// Move or rename a file or a directory. Directories on the way are created.
///
/// # Errors
///
/// What [`move_file`](crate::files::move_file) refuses; a refusal by the policy is of the kind
/// [`Denied`](tool_core::ErrorKind::Denied).
#[tool(
    name = "files-move_file",
    timeout = 30,
    destructive,
    open_world = false,
    approval_if = overwrites,
    sequential(key = "path")
)]
pub fn move_file(
    /// The path of what to move, relative to the root directory.
    #[tool(example = "notes/today.md")]
    path: String,
    /// The new path, name included.
    #[tool(example = "archive/today.md")]
    to: String,
    /// Whether to replace a file that is there already, which needs approval.
    #[tool(default = false)]
    overwrite: bool,
    ctx: &Context,
) -> Result<Json<Moved>, ToolError> {
    let kind = rename(Policy::of(ctx), &path, &to, overwriting(overwrite))
        .map_err(FileError::into_tool_error)?;
    Ok(Json(Moved {
        path: plain(&path),
        to: plain(&to),
        kind,
    }))
}

/// What `files-move_file` says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Moved {
    /// The old path.
    pub path: String,
    /// The new path.
    pub to: String,
    /// What was moved.
    pub kind: EntryKind,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "a condition is given references"
)]
fn overwrites(_path: &str, _to: &str, overwrite: &bool) -> bool {
    *overwrite
}

fn overwriting(overwrite: bool) -> Overwrite {
    if overwrite {
        Overwrite::Yes
    } else {
        Overwrite::No
    }
}

/// Delete a file, a link or an empty directory, for good.
///
/// # Errors
///
/// What [`delete_file`](crate::files::delete_file) refuses; a refusal by the policy is of the kind
/// [`Denied`](tool_core::ErrorKind::Denied).
#[tool(
    name = "files-delete_file",
    timeout = 30,
    destructive,
    open_world = false,
    approval,
    sequential(key = "path")
)]
pub fn delete_file(
    /// The path of what to delete, relative to the root directory.
    #[tool(example = "notes/old.md")]
    path: String,
    /// Whether to delete a directory with all that is in it. Often not allowed.
    #[tool(default = false)]
    recursive: bool,
    ctx: &Context,
) -> Result<Json<Deleted>, ToolError> {
    let contents = if recursive {
        RecursiveDelete::Allowed
    } else {
        RecursiveDelete::Refused
    };
    let deleted = delete(Policy::of(ctx), &path, contents).map_err(FileError::into_tool_error)?;
    Ok(Json(deleted))
}

/// Make a directory, and those on the way to it. To write a file none need be made first.
///
/// # Errors
///
/// What [`create_directory`](crate::files::create_directory) refuses; a refusal by the policy is of the kind
/// [`Denied`](tool_core::ErrorKind::Denied).
#[tool(
    name = "files-create_directory",
    timeout = 30,
    destructive = false,
    idempotent,
    open_world = false
)]
pub fn create_directory(
    /// The path of the directory, relative to the root directory.
    #[tool(example = "notes/2026")]
    path: String,
    ctx: &Context,
) -> Result<Json<Made>, ToolError> {
    let created = create(Policy::of(ctx), &path).map_err(FileError::into_tool_error)?;
    Ok(Json(Made {
        path: plain(&path),
        created,
    }))
}

/// What `files-create_directory` says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Made {
    /// The path as it was given, without invisible characters.
    pub path: String,
    /// Whether it is new; else it was there.
    pub created: bool,
}
