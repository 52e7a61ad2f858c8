//! The confined file system: one directory, opened once, that no path leads out of.
//!
//! Every path is resolved by the kernel relative to the open directory, so there is no moment between a check
//! and the use in which a directory could become a link.

use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use cap_fs_ext::{MetadataExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, FileType, Metadata, OpenOptions};
use schemars::JsonSchema;
use serde::Serialize;

use super::path::{PathError, PathErrorKind, relative, shown};
use super::protected::protected;
use super::settings::{ControlFiles, Policy};
use crate::text::clean::clean;

/// The open root directory of a policy.
#[derive(Debug)]
pub struct Folder {
    directory: Dir,
    spellings: Vec<PathBuf>,
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

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Entry {
    /// The name, without control and invisible characters; what is not valid Unicode is U+FFFD.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
    /// The size in bytes, for regular files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
}

/// The entries of a directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Listing {
    /// The first entries in the order of their names.
    pub entries: Vec<Entry>,
    /// How many there are, the ones left out included.
    pub total: usize,
}

impl Policy {
    /// The root directory, opened at the first call.
    ///
    /// # Errors
    ///
    /// A [`PathError`] when the root does not exist or cannot be opened.
    pub fn folder(&self) -> Result<&Folder, PathError> {
        if let Some(folder) = self.shared().folder.get() {
            return Ok(folder);
        }
        let folder = Folder::open(self.root_directory().unwrap_or(Path::new(".")))?;
        Ok(self.shared().folder.get_or_init(|| folder))
    }

    /// Reads a regular file below the root, at most [`Limits::file_read`](super::Limits::file_read) bytes of it.
    ///
    /// # Errors
    ///
    /// A [`PathError`] when the path leads outside the root, nothing is there, or what is there is not a regular
    /// file or is too large.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, PathError> {
        self.folder()?.read(path, self.limits().file_read)
    }

    /// Writes a regular file below the root as a whole, parent directories included; other programs see the old
    /// content or the new, never a part.
    ///
    /// # Errors
    ///
    /// A [`PathError`] when the path leads outside the root, is a link, a directory or a file with several names, or
    /// would steer another program, and when the operating system refuses.
    pub fn write(&self, path: &str, content: &[u8]) -> Result<(), PathError> {
        self.folder()?
            .write(path, content, self.control_file_access())
    }

    /// Lists the first `most` entries of a directory below the root.
    ///
    /// # Errors
    ///
    /// A [`PathError`] when the path leads outside the root or is not a directory.
    pub fn list(&self, path: &str, most: usize) -> Result<Listing, PathError> {
        self.folder()?.list(path, most)
    }
}

#[cfg(all(feature = "command_line", unix))]
impl Folder {
    /// The directory itself.
    pub(super) fn directory(&self) -> &Dir {
        &self.directory
    }

    /// How the host names the root.
    pub(super) fn spellings(&self) -> &[PathBuf] {
        &self.spellings
    }

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

impl Folder {
    fn open(root: &Path) -> Result<Self, PathError> {
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
        })
    }

    fn read(&self, path: &str, limit: usize) -> Result<Vec<u8>, PathError> {
        let failed = |source| PathError::from_io(path, "reading", source);
        let relative = relative(path, &self.spellings)?;
        // Without this, opening a pipe waits for a writer for ever.
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true);
        let mut file = match self.directory.open_with(&relative, &options) {
            Ok(file) => file,
            Err(source) => {
                // A socket cannot be opened at all, which says less than what it is.
                let found = self
                    .directory
                    .metadata(&relative)
                    .map_err(|_| failed(source))?;
                return Err(wrong_kind(path, &found));
            }
        };
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return Err(wrong_kind(path, &metadata));
        }
        if metadata.len() > limit as u64 {
            return Err(too_large(path, metadata.len(), limit));
        }
        // The file may grow while it is read, and some report no size at all.
        let mut content = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
        Read::by_ref(&mut file)
            .take(limit as u64 + 1)
            .read_to_end(&mut content)
            .map_err(failed)?;
        if content.len() > limit {
            return Err(too_large(path, content.len() as u64, limit));
        }
        Ok(content)
    }

    fn write(
        &self,
        path: &str,
        content: &[u8],
        control_files: ControlFiles,
    ) -> Result<(), PathError> {
        let failed = |source| PathError::from_io(path, "writing", source);
        let relative = relative(path, &self.spellings)?;
        let Some(name) = relative.file_name().filter(|_| !path.ends_with('/')) else {
            return Err(PathError::new(
                PathErrorKind::WrongKind,
                format!("`{}` is a directory, not a file", shown(path)),
            ));
        };
        refuse_protected(path, &relative, control_files)?;
        let parent = relative
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        // A link on the way may lead to a protected directory inside the root, so the real name counts as well.
        refuse_protected(path, &self.real(parent), control_files)?;
        self.directory.create_dir_all(parent).map_err(failed)?;
        let real = self.directory.canonicalize(parent).map_err(failed)?;
        refuse_protected(path, &real, control_files)?;
        let parent = self.directory.open_dir(&real).map_err(failed)?;

        let permissions = match parent.symlink_metadata(name) {
            Ok(metadata) => {
                refuse_unwritable(path, &metadata)?;
                Some(metadata.permissions())
            }
            Err(source) if source.kind() == ErrorKind::NotFound => None,
            Err(source) => return Err(failed(source)),
        };
        let (mut file, draft) = create_draft(&parent).map_err(failed)?;
        let written = file
            .write_all(content)
            .and_then(|()| {
                permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions))
            })
            .and_then(|()| file.sync_all())
            .and_then(|()| parent.rename(&draft, &parent, name));
        written.map_err(|source| {
            let _ = parent.remove_file(&draft);
            failed(source)
        })
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

    fn list(&self, path: &str, most: usize) -> Result<Listing, PathError> {
        let failed = |source| PathError::from_io(path, "listing", source);
        let relative = relative(path, &self.spellings)?;
        let mut entries = Vec::new();
        for entry in self.directory.read_dir(&relative).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            entries.push((entry.file_name(), entry));
        }
        entries.sort_by(|(left, _), (right, _)| left.cmp(right));
        let total = entries.len();
        let entries = entries
            .into_iter()
            .take(most)
            .map(|(name, entry)| {
                let metadata = entry.metadata().ok();
                let kind = entry.file_type().map_or(EntryKind::Other, kind);
                Entry {
                    name: clean(&name.to_string_lossy()).replace('\n', " "),
                    kind,
                    size: metadata
                        .filter(|_| kind == EntryKind::File)
                        .map(|metadata| metadata.len()),
                }
            })
            .collect();
        Ok(Listing { entries, total })
    }
}

fn kind(file_type: FileType) -> EntryKind {
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

fn wrong_kind(path: &str, metadata: &Metadata) -> PathError {
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

fn too_large(path: &str, size: u64, limit: usize) -> PathError {
    let message = format!(
        "`{}` has {size} bytes, more than the limit of {limit}",
        shown(path)
    );
    PathError::new(PathErrorKind::TooLarge, message)
        .with_hint("to read larger files use `Policy::max_file_read`")
}

pub(super) fn refuse_protected(
    path: &str,
    relative: &Path,
    control_files: ControlFiles,
) -> Result<(), PathError> {
    match protected(relative) {
        Some(name) if control_files == ControlFiles::Refused => {
            let message = format!(
                "`{}` may not be written, because `{}` steers other programs",
                shown(path),
                shown(&name)
            );
            Err(PathError::new(PathErrorKind::Protected, message)
                .with_hint("to allow it use `Policy::control_files(ControlFiles::Allowed)`"))
        }
        _ => Ok(()),
    }
}

pub(super) fn refuse_unwritable(path: &str, metadata: &Metadata) -> Result<(), PathError> {
    let (why, hint) = if metadata.file_type().is_symlink() {
        ("is a symbolic link", "write to the file that it leads to")
    } else if !metadata.is_file() {
        return Err(wrong_kind(path, metadata));
    } else if metadata.nlink() > 1 {
        (
            "has several names (hard links), some perhaps outside the root",
            "write to a new name",
        )
    } else {
        return Ok(());
    };
    let message = format!("`{}` {why}", shown(path));
    Err(PathError::new(PathErrorKind::Protected, message).with_hint(hint))
}

/// A new file beside the target, under a name that does not depend on the target's: that may be as long as names get.
fn create_draft(parent: &Dir) -> std::io::Result<(cap_std::fs::File, String)> {
    static DRAFTS: AtomicU64 = AtomicU64::new(0);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    loop {
        let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
        let name = format!(".draft-{}-{number}.tmp", std::process::id());
        match parent.open_with(&name, &options) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            result => return result.map(|file| (file, name)),
        }
    }
}
