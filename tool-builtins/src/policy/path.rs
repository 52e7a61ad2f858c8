//! Paths that a model writes, made relative to the root.

use std::io;
use std::path::{Component, Path, PathBuf};

use super::refusal::Refusal;

/// Why a path was refused or an operation on it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathErrorKind {
    /// The path leads outside the root.
    Outside,
    /// The path cannot name a file: empty, too long, or with a NUL.
    InvalidPath,
    /// Writing here would steer another program, go through a link, or change a file with several names.
    Protected,
    /// The root may only be read, or the policy does not allow the operation.
    NotAllowed,
    /// Nothing is there.
    NotFound,
    /// Something is there already.
    Exists,
    /// The file was changed by somebody else in the meantime.
    Changed,
    /// What is there is not a regular file, or not a directory.
    WrongKind,
    /// The file is larger than the policy reads or writes, or the directory holds too much.
    TooLarge,
    /// The operating system said no.
    Failed,
}

impl From<PathErrorKind> for tool_core::ErrorKind {
    fn from(kind: PathErrorKind) -> Self {
        match kind {
            PathErrorKind::Outside | PathErrorKind::Protected | PathErrorKind::NotAllowed => {
                Self::Denied
            }
            _ => Self::Failed,
        }
    }
}

/// A path that was refused, or an operation on it that failed. Its message names only paths below the root.
pub type PathError = Refusal<PathErrorKind>;

impl PathError {
    pub(super) fn outside(path: &str) -> Self {
        let message = format!("`{}` is outside the root directory", shown(path));
        Self::new(PathErrorKind::Outside, message).with_hint(
            "give a path relative to it, such as `notes/today.md`, or allow another root with `Policy::root` or \
             `Policy::add_root`, or `--root DIR` on the command line",
        )
    }

    pub(super) fn from_io(path: &str, doing: &str, source: io::Error) -> Self {
        if is_escape(&source) {
            return Self::outside(path).with_source(source);
        }
        let path = shown(path);
        let (kind, message) = match source.kind() {
            io::ErrorKind::NotFound => (
                PathErrorKind::NotFound,
                format!("`{path}` does not exist below the root directory"),
            ),
            io::ErrorKind::AlreadyExists => {
                (PathErrorKind::Exists, format!("`{path}` exists already"))
            }
            io::ErrorKind::NotADirectory => (
                PathErrorKind::WrongKind,
                format!("`{path}` is not a directory, or passes through something that is none"),
            ),
            io::ErrorKind::IsADirectory => {
                (PathErrorKind::WrongKind, format!("`{path}` is a directory"))
            }
            io::ErrorKind::PermissionDenied => (
                PathErrorKind::Failed,
                format!("{doing} `{path}` is not permitted by the operating system"),
            ),
            io::ErrorKind::InvalidFilename => (
                PathErrorKind::InvalidPath,
                format!("the name `{path}` is too long or not valid"),
            ),
            kind => (
                PathErrorKind::Failed,
                format!("{doing} `{path}` failed: {kind}"),
            ),
        };
        Self::new(kind, message).with_source(source)
    }
}

/// How deep a path may lead, and with that how deep any walk goes.
pub(crate) const DEEPEST: usize = 128;

/// What an absolute path may have above the root.
const ABOVE: usize = 64;

/// No kernel takes more; what is longer only costs time.
const LONGEST: usize = 4096;

/// Makes `path` relative to the root; a lexical step only, the confined file system has the last word.
///
/// `roots` are the spellings of the root: an absolute path below one of them is taken as relative to it.
pub(super) fn relative(path: &str, roots: &[PathBuf]) -> Result<PathBuf, PathError> {
    if path.trim().is_empty() {
        return Err(
            PathError::new(PathErrorKind::InvalidPath, "the path is empty".to_owned())
                .with_hint("use `.` for the root directory"),
        );
    }
    if path.contains('\0') {
        return Err(PathError::new(
            PathErrorKind::InvalidPath,
            format!("`{}` holds a NUL character", shown(path)),
        ));
    }
    let given = Path::new(path);
    if path.len() > LONGEST || given.components().count() > DEEPEST + ABOVE {
        return Err(PathError::new(
            PathErrorKind::InvalidPath,
            format!(
                "`{}` is too long: a path has at most {LONGEST} bytes and {DEEPEST} parts",
                shown(path)
            ),
        ));
    }
    let given = roots
        .iter()
        .find_map(|root| given.strip_prefix(root).ok())
        .unwrap_or(given);
    let mut depth = 0_usize;
    let mut relative = PathBuf::new();
    for component in given.components() {
        match component {
            Component::CurDir => {}
            Component::Normal(name) => {
                depth += 1;
                relative.push(name);
            }
            Component::ParentDir => {
                depth = depth
                    .checked_sub(1)
                    .ok_or_else(|| PathError::outside(path))?;
                relative.push("..");
            }
            Component::RootDir | Component::Prefix(_) => return Err(PathError::outside(path)),
        }
    }
    if relative.as_os_str().is_empty() {
        relative.push(".");
    }
    Ok(relative)
}

/// A path on one line, without what drives a terminal or hides.
pub(crate) fn plain(path: &str) -> String {
    crate::text::clean::clean(path).replace(['\n', '\t'], " ")
}

/// A path as messages show it: plain and short.
pub(crate) fn shown(path: &str) -> String {
    let clean = plain(path);
    match clean.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", clean.get(..end).unwrap_or_default()),
        None => clean,
    }
}

/// How the confined file system says that a path would leave it: `EXDEV` from the kernel, or its own error.
fn is_escape(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::CrossesDevices
        || (error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none())
}
