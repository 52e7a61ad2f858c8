//! Paths that a model writes, made relative to the root.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Why a path was refused or an operation on it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathErrorKind {
    /// The path leads outside the root.
    Outside,
    /// The path cannot name a file: empty, or with a NUL.
    InvalidPath,
    /// Writing here would steer another program, go through a link, or change a file with several names.
    Protected,
    /// Nothing is there.
    NotFound,
    /// What is there is not a regular file, or not a directory.
    WrongKind,
    /// The file is larger than the policy reads.
    TooLarge,
    /// The operating system said no.
    Failed,
}

/// A path that was refused, or an operation on it that failed. Its message names only paths below the root.
#[derive(Debug)]
pub struct PathError {
    kind: PathErrorKind,
    message: String,
    hint: Option<String>,
    source: Option<io::Error>,
}

impl PathError {
    pub(crate) fn new(kind: PathErrorKind, message: String) -> Self {
        Self {
            kind,
            message,
            hint: None,
            source: None,
        }
    }

    /// Adds what to do about it.
    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(super) fn outside(path: &str) -> Self {
        let message = format!("`{}` is outside the root directory", shown(path));
        Self::new(PathErrorKind::Outside, message).with_hint(
            "give a path relative to it, such as `notes/today.md`, or allow another root with `Policy::root`, or \
             `--root DIR` on the command line",
        )
    }

    pub(super) fn from_io(path: &str, doing: &str, source: io::Error) -> Self {
        if is_escape(&source) {
            return Self {
                source: Some(source),
                ..Self::outside(path)
            };
        }
        let path = shown(path);
        let (kind, message) = match source.kind() {
            io::ErrorKind::NotFound => (
                PathErrorKind::NotFound,
                format!("`{path}` does not exist below the root directory"),
            ),
            io::ErrorKind::NotADirectory => (
                PathErrorKind::WrongKind,
                format!("`{path}` passes through something that is not a directory"),
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
        Self {
            kind,
            message,
            hint: None,
            source: Some(source),
        }
    }

    /// Why the path was refused or the operation failed.
    #[must_use]
    pub fn kind(&self) -> PathErrorKind {
        self.kind
    }

    /// The cause below, for an error that says the rest itself.
    pub(crate) fn into_source(self) -> Option<io::Error> {
        self.source
    }

    /// What happened, without the hint.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it, such as the setting that allows it.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for PathError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(formatter, ": {hint}"),
            None => Ok(()),
        }
    }
}

impl Error for PathError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source
            .as_ref()
            .map(|source| source as &(dyn Error + 'static))
    }
}

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

/// A path as messages show it: short, and without what drives a terminal.
pub(crate) fn shown(path: &str) -> String {
    let clean = crate::text::clean::clean(path).replace(['\n', '\t'], " ");
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
