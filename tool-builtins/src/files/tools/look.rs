//! The tools that list, find and search.

use tool_core::{Content as Piece, Context, Json, ToolError, tool};

use crate::files::error::FileError;
use crate::files::find::{FindKind, FindOptions, FindOrder, Found, find_until};
use crate::files::info::{Checksum, FileInfo, file_info as info};
use crate::files::list::{ListOptions, Listing, Order, list_until};
use crate::files::search::{Matches, SearchOptions, search_until};
use crate::outside::Outside;
use crate::policy::Policy;

/// List what is in a directory: the name and kind of each entry, and the size of files in bytes.
///
/// Names that start with a dot are left out unless `hidden` is set. `total` counts all entries.
///
/// # Errors
///
/// What [`list_directory`](crate::files::list_directory) refuses; a refusal by the policy is of the kind
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
#[tool(
    name = "files-list_directory",
    timeout = 30,
    read_only,
    open_world = false
)]
pub fn list_directory(
    /// The path of the directory, relative to the root directory; `.` is that directory itself.
    #[tool(default = ".")]
    path: String,
    /// How many levels to list; 1 is the directory alone.
    #[tool(default = 1)]
    #[schemars(range(min = 1, max = 128))]
    depth: usize,
    /// Whether to list names that start with a dot.
    #[tool(default = false)]
    hidden: bool,
    /// The order: by name, the largest first, or the one changed last first.
    #[tool(default = Order::Name)]
    order: Order,
    /// How many entries to give at most.
    #[tool(default = 1000)]
    #[schemars(range(min = 1, max = 10_000))]
    limit: usize,
    ctx: &Context,
) -> Result<Json<Listing>, ToolError> {
    let options = ListOptions {
        depth,
        hidden,
        order,
        limit,
    };
    let listing = list_until(Policy::of(ctx), &path, &options, &|| ctx.is_cancelled());
    listing.map(Json).map_err(FileError::into_tool_error)
}

/// Find files by a glob of their names, such as `*.rs` at any depth, or of their paths, such as `src/**/*.rs`.
///
/// Hidden files and those that a `.gitignore` names are left out unless asked for. To find text in files use
/// `files-search_files`.
///
/// # Errors
///
/// What [`find_files`](crate::files::find_files) refuses; a refusal by the policy is of the kind
/// [`Denied`](tool_core::ErrorKind::Denied).
#[tool(name = "files-find_files", timeout = 30, read_only, open_world = false)]
#[expect(clippy::too_many_arguments, reason = "each is one that a model fills")]
pub fn find_files(
    /// The glob: `*` is any part of a name, `**` any directories, `?` one character, `{a,b}` either.
    #[tool(example = "*.csv")]
    #[schemars(length(min = 1, max = 500))]
    pattern: String,
    /// The directory to look in, relative to the root directory.
    #[tool(default = ".")]
    path: String,
    /// What to find.
    #[tool(default = FindKind::File)]
    kind: FindKind,
    /// The order: by path, or the one changed last first.
    #[tool(default = FindOrder::Path)]
    order: FindOrder,
    /// Whether to look at names that start with a dot.
    #[tool(default = false)]
    hidden: bool,
    /// Whether to look at what a `.gitignore` leaves out.
    #[tool(default = false)]
    ignored: bool,
    /// How many paths to give at most.
    #[tool(default = 100)]
    #[schemars(range(min = 1, max = 10_000))]
    limit: usize,
    ctx: &Context,
) -> Result<Json<Found>, ToolError> {
    let options = FindOptions {
        pattern,
        path,
        kind,
        order,
        hidden,
        ignored,
        limit,
    };
    let found = find_until(Policy::of(ctx), &options, &|| ctx.is_cancelled());
    found.map(Json).map_err(FileError::into_tool_error)
}

/// Search the lines of text files for a regular expression. Gives each file and its lines with their numbers.
///
/// Hidden files and those that a `.gitignore` names are left out unless asked for.
///
/// # Errors
///
/// What [`search_files`](crate::files::search_files) refuses; a refusal by the policy is of the kind
/// [`Denied`](tool_core::ErrorKind::Denied).
#[tool(
    name = "files-search_files",
    timeout = 30,
    read_only,
    open_world = false
)]
#[expect(clippy::too_many_arguments, reason = "each is one that a model fills")]
pub fn search_files(
    /// The regular expression, matched against each line. Put `\` before `.`, `(`, `[` and the like to mean themselves.
    #[tool(example = "fn \\w+_file\\(")]
    #[schemars(length(min = 1, max = 1000))]
    pattern: String,
    /// The directory or the one file to search, relative to the root directory.
    #[tool(default = ".")]
    path: String,
    /// Only files that match this glob, such as `*.rs` or `src/**/*.rs`.
    #[schemars(length(min = 1, max = 500))]
    glob: Option<String>,
    /// Whether upper and lower case are the same.
    #[tool(default = false)]
    ignore_case: bool,
    /// How many lines before and after each match to give.
    #[tool(default = 0)]
    #[schemars(range(max = 10))]
    context: usize,
    /// Whether to look at names that start with a dot.
    #[tool(default = false)]
    hidden: bool,
    /// Whether to look at what a `.gitignore` leaves out.
    #[tool(default = false)]
    ignored: bool,
    /// How many matching lines to give at most.
    #[tool(default = 100)]
    #[schemars(range(min = 1, max = 1000))]
    limit: usize,
    ctx: &Context,
) -> Result<Outside<Vec<Piece>>, ToolError> {
    let options = SearchOptions {
        pattern,
        path,
        glob,
        ignore_case,
        context,
        hidden,
        ignored,
        limit,
    };
    let matches = search_until(Policy::of(ctx), &options, &|| ctx.is_cancelled())
        .map_err(FileError::into_tool_error)?;
    Ok(Outside(told(&matches)))
}

/// The lines, and in a piece of its own what must be said of them.
fn told(matches: &Matches) -> Vec<Piece> {
    let mut note = format!(
        "[{} in {}, of {} searched",
        count(matches.lines, "line"),
        count(matches.files, "file"),
        matches.searched
    );
    if matches.skipped > 0 {
        note.push_str(&format!(
            "; {} passed over: not text, too large or not readable",
            matches.skipped
        ));
    }
    if matches.incomplete {
        note.push_str("; there may be more: narrow `pattern`, `path` or `glob`, or raise `limit`");
    }
    note.push(']');
    let note = Piece::Note(note);
    if matches.text.is_empty() {
        vec![Piece::from("No line matches."), note]
    } else {
        vec![matches.text.trim_end().to_owned().into(), note]
    }
}

fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// Tell what is known of a file or a directory: kind, size, times, media type, encoding and lines.
///
/// # Errors
///
/// What [`file_info`](crate::files::file_info) refuses; a refusal by the policy is of the kind
/// [`Denied`](tool_core::ErrorKind::Denied).
#[tool(name = "files-file_info", timeout = 30, read_only, open_world = false)]
pub fn file_info(
    /// The path of the file, relative to the root directory.
    #[tool(example = "notes/today.md")]
    path: String,
    /// Whether to give the SHA-256 checksum of the content.
    #[tool(default = false)]
    sha256: bool,
    ctx: &Context,
) -> Result<Json<FileInfo>, ToolError> {
    let checksum = if sha256 {
        Checksum::Sha256
    } else {
        Checksum::None
    };
    let told = info(Policy::of(ctx), &path, checksum);
    told.map(Json).map_err(FileError::into_tool_error)
}
