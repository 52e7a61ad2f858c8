//! The confined file system: directories, opened once, that no path leads out of.
//!
//! Every path is resolved by the kernel relative to the open directory, so there is no moment between a check
//! and the use in which a directory could become a link.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, FileType, Metadata, OpenOptions};
use schemars::JsonSchema;
use serde::Serialize;

#[cfg(all(feature = "command_line", unix))]
use super::path::relative;
use super::path::{PathError, PathErrorKind, shown};
use super::roots::Access;
use super::settings::{ControlFiles, Policy};

/// An open root directory of a policy.
#[derive(Debug)]
pub struct Folder {
    directory: Dir,
    spellings: Vec<PathBuf>,
    /// Changes below one root come one after another, so that none is lost between reading and writing.
    changes: Mutex<()>,
}

/// What stands in a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, wherever it leads.
    Link,
    /// A device, pipe or socket.
    Other,
}

/// What to do where a file is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing<'a> {
    /// Refuse.
    Kept,
    /// Put the new one in its place.
    Replaced,
    /// The same, but only where it still has this content.
    Unchanged(&'a [u8]),
}

/// A path below an open root, as it was given and as it is resolved.
#[derive(Debug)]
pub(super) struct Place<'a> {
    pub(super) folder: &'a Folder,
    /// As the model wrote it, for messages.
    pub(super) path: &'a str,
    pub(super) relative: PathBuf,
    pub(super) access: Access,
    pub(super) control_files: ControlFiles,
}

impl Policy {
    /// Reads a regular file below a root, at most [`Limits::file_read`](super::Limits::file_read) bytes of it.
    ///
    /// # Errors
    ///
    /// A [`PathError`] when the path leads outside the root, nothing is there, or what is there is not a regular
    /// file or is too large.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, PathError> {
        self.place(path)?.read(self.limits().file_read)
    }

    /// What a path names, links followed.
    pub(crate) fn metadata(&self, path: &str) -> Result<Metadata, PathError> {
        let place = self.place(path)?;
        let found = place.directory().metadata(&place.relative);
        found.map_err(|source| PathError::from_io(path, "reading", source))
    }

    /// Whether a path names a link, wherever it leads.
    pub(crate) fn is_link(&self, path: &str) -> Result<bool, PathError> {
        let place = self.place(path)?;
        let found = place.directory().symlink_metadata(&place.relative);
        found
            .map(|metadata| metadata.is_symlink())
            .map_err(|source| PathError::from_io(path, "reading", source))
    }
}

impl Folder {
    pub(super) fn open(root: &Path) -> Result<Self, PathError> {
        let failed = |source: std::io::Error| {
            // The full path is the host's business, not the model's.
            let message = format!("the root directory cannot be opened ({})", source.kind());
            PathError::new(PathErrorKind::Failed, message)
                .with_hint("check `Policy::root`, or `--root DIR` on the command line")
        };
        let directory = Dir::open_ambient_dir(root, ambient_authority()).map_err(failed)?;
        let spellings = [std::path::absolute(root), root.canonicalize()]
            .into_iter()
            .flatten()
            .collect();
        Ok(Self {
            directory,
            spellings,
            changes: Mutex::default(),
        })
    }

    /// The directory itself.
    pub(super) fn directory(&self) -> &Dir {
        &self.directory
    }

    /// The path without links, as far as it exists.
    pub(super) fn real(&self, path: &Path) -> PathBuf {
        let existing = path
            .ancestors()
            .filter(|ancestor| !ancestor.as_os_str().is_empty());
        for ancestor in existing {
            if let Ok(real) = self.directory.canonicalize(ancestor) {
                return real.join(path.strip_prefix(ancestor).unwrap_or(path));
            }
        }
        path.to_owned()
    }

    /// The spellings of the root as an absolute path.
    pub(super) fn spellings(&self) -> &[PathBuf] {
        &self.spellings
    }

    /// Waits until nobody else changes anything below this root. It guards no data, so a panic leaves it usable.
    pub(super) fn turn(&self) -> MutexGuard<'_, ()> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(all(feature = "command_line", unix))]
impl Folder {
    /// How much of `path` names the root, `/` included, where it is written from the root of the host.
    pub(crate) fn root_prefix(&self, path: &str) -> Option<usize> {
        self.spellings.iter().find_map(|root| {
            let root = root.to_str()?;
            path.strip_prefix(root)?
                .starts_with('/')
                .then_some(root.len() + 1)
        })
    }

    /// The names in a directory, at most so many; none where it cannot be read.
    pub(crate) fn names(&self, directory: &Path, most: usize) -> Vec<String> {
        let directory = relative(&directory.to_string_lossy(), &self.spellings)
            .ok()
            .and_then(|directory| self.directory.read_dir(directory).ok());
        (directory.into_iter().flatten().flatten())
            .filter_map(|entry| entry.file_name().into_string().ok())
            .take(most)
            .collect()
    }

    /// Whether something has this name, be it a link that leads nowhere.
    pub(crate) fn is_there(&self, path: &Path) -> bool {
        relative(&path.to_string_lossy(), &self.spellings)
            .is_ok_and(|path| self.directory.symlink_metadata(path).is_ok())
    }
}

impl<'a> Place<'a> {
    pub(super) fn directory(&self) -> &'a Dir {
        self.folder.directory()
    }

    pub(super) fn read(&self, limit: usize) -> Result<Vec<u8>, PathError> {
        let (mut file, metadata) = self.open()?;
        let hint = "to read larger files use `Policy::max_file_read`";
        let failed = |source| PathError::from_io(self.path, "reading", source);
        take(&mut file, &metadata, limit)
            .map_err(failed)?
            .ok_or_else(|| too_large(self.path, metadata.len(), limit, hint))
    }

    /// Opens a regular file to read.
    pub(super) fn open(&self) -> Result<(File, Metadata), PathError> {
        let failed = |source| PathError::from_io(self.path, "reading", source);
        match self.directory().open_with(&self.relative, &reading()) {
            Ok(file) => {
                let metadata = file.metadata().map_err(failed)?;
                if metadata.is_file() {
                    Ok((file, metadata))
                } else {
                    Err(wrong_kind(self.path, &metadata))
                }
            }
            Err(source) => {
                // A socket cannot be opened at all, which says less than what it is.
                let found = self.directory().metadata(&self.relative);
                let found = found.map_err(|_| failed(source))?;
                Err(wrong_kind(self.path, &found))
            }
        }
    }

    /// Opens a directory to walk.
    pub(super) fn open_directory(&self) -> Result<Dir, PathError> {
        let opened = self.directory().open_dir(&self.relative);
        opened.map_err(|source| PathError::from_io(self.path, "listing", source))
    }
}

/// Reads a regular file of a directory, no link; `None` when it is something else, too large, or cannot be read.
pub(crate) fn read_entry(directory: &Dir, name: &Path, limit: usize) -> Option<Vec<u8>> {
    let mut options = reading();
    options.follow(FollowSymlinks::No);
    let mut file = directory.open_with(name, &options).ok()?;
    let metadata = file.metadata().ok()?;
    if !metadata.is_file() {
        return None;
    }
    take(&mut file, &metadata, limit).ok().flatten()
}

/// Without blocking: opening a pipe would wait for a writer for ever.
fn reading() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true);
    options
}

/// The content, or `None` when it is larger than `limit`: a file may grow while it is read, and some report no size.
pub(super) fn take(
    file: &mut File,
    metadata: &Metadata,
    limit: usize,
) -> std::io::Result<Option<Vec<u8>>> {
    if metadata.len() > limit as u64 {
        return Ok(None);
    }
    let mut content = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    Read::by_ref(file)
        .take(limit as u64 + 1)
        .read_to_end(&mut content)?;
    Ok((content.len() <= limit).then_some(content))
}

/// What stands there.
pub(super) fn kind(file_type: FileType) -> EntryKind {
    if file_type.is_file() {
        EntryKind::File
    } else if file_type.is_dir() {
        EntryKind::Directory
    } else if file_type.is_symlink() {
        EntryKind::Link
    } else {
        EntryKind::Other
    }
}

pub(super) fn wrong_kind(path: &str, metadata: &Metadata) -> PathError {
    let what = match kind(metadata.file_type()) {
        EntryKind::Directory => "a directory",
        EntryKind::Link => "a symbolic link",
        EntryKind::File => "a file that cannot be opened",
        EntryKind::Other => "a device, pipe or socket",
    };
    PathError::new(
        PathErrorKind::WrongKind,
        format!("`{}` is {what}: expected a regular file", shown(path)),
    )
}

pub(super) fn too_large(path: &str, size: u64, limit: usize, hint: &str) -> PathError {
    let message = if size > limit as u64 {
        format!(
            "`{}` has {size} bytes, more than the limit of {limit}",
            shown(path)
        )
    } else {
        format!("`{}` has more than the limit of {limit} bytes", shown(path))
    };
    PathError::new(PathErrorKind::TooLarge, message).with_hint(hint)
}
