//! Files that are written: as a whole or not at all.

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use cap_fs_ext::MetadataExt;
use cap_std::fs::{Dir, File, Metadata, OpenOptions, Permissions};

use super::draft::Draft;
use super::files::{Existing, Place, take, too_large, wrong_kind};
use super::path::{PathError, PathErrorKind, shown};
use super::protected::protected;
use super::roots::Access;
use super::settings::{ControlFiles, Policy};

/// What a limit on writing is called.
pub(super) const WRITE_LIMIT: &str = "to write larger files use `Policy::max_file_write`";

/// A name in an open directory that may be changed.
pub(super) struct Target<'a> {
    pub(super) path: &'a str,
    pub(super) parent: Dir,
    pub(super) name: OsString,
}

/// Whether missing directories on the way are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parents {
    Created,
    Expected,
}

impl Policy {
    /// Writes a regular file below a root as a whole, parent directories included; other programs see the old
    /// content or the new, never a part.
    ///
    /// # Errors
    ///
    /// A [`PathError`] when the path leads outside the root, is a link, a directory or a file with several names, or
    /// would steer another program, when the content is larger than [`Limits::file_write`](super::Limits::file_write),
    /// and when the operating system refuses.
    pub fn write(&self, path: &str, content: &[u8]) -> Result<(), PathError> {
        self.put(path, content, Existing::Replaced)
    }

    /// The same for a file that is not there yet.
    ///
    /// # Errors
    ///
    /// Those of [`write`](Self::write), and when something is there already.
    pub fn create(&self, path: &str, content: &[u8]) -> Result<(), PathError> {
        self.put(path, content, Existing::Kept)
    }

    fn put(&self, path: &str, content: &[u8], existing: Existing<'_>) -> Result<(), PathError> {
        let limit = self.limits().file_write;
        refuse_too_long(path, content, limit)?;
        let place = self.place(path)?;
        let _turn = place.folder.turn();
        place.file_target(Parents::Created)?.put(content, existing)
    }

    /// Reads a file and writes what `change` makes of it, unless somebody else has changed it in between.
    pub(crate) fn change<T, E: From<PathError>>(
        &self,
        path: &str,
        change: impl FnOnce(&[u8]) -> Result<(Vec<u8>, T), E>,
    ) -> Result<T, E> {
        self.rewrite(path, Parents::Expected, |old| match old {
            Some(old) => change(old),
            None => Err(PathError::from_io(path, "reading", ErrorKind::NotFound.into()).into()),
        })
    }

    /// The same for a file that need not be there: then `change` is given `None`.
    pub(crate) fn change_or_create<T, E: From<PathError>>(
        &self,
        path: &str,
        change: impl FnOnce(Option<&[u8]>) -> Result<(Vec<u8>, T), E>,
    ) -> Result<T, E> {
        self.rewrite(path, Parents::Created, change)
    }

    fn rewrite<T, E: From<PathError>>(
        &self,
        path: &str,
        parents: Parents,
        change: impl FnOnce(Option<&[u8]>) -> Result<(Vec<u8>, T), E>,
    ) -> Result<T, E> {
        let limit = self.limits().file_write;
        let place = self.place(path)?;
        let _turn = place.folder.turn();
        // Before anything is read: what may not be written is refused first.
        let target = place.file_target(parents)?;
        let old = match target.metadata()? {
            Some(_) => Some(target.content(limit)?),
            None => None,
        };
        let (new, value) = change(old.as_deref())?;
        refuse_too_long(path, &new, limit)?;
        let existing = old.as_deref().map_or(Existing::Kept, Existing::Unchanged);
        target.put(&new, existing)?;
        Ok(value)
    }
}

impl<'a> Place<'a> {
    /// The place as the target of a change.
    pub(super) fn target(&self, parents: Parents) -> Result<Target<'a>, PathError> {
        let path = self.path;
        let failed = |source| PathError::from_io(path, "writing", source);
        refuse_read_only(path, self.access)?;
        let Some(name) = self.relative.file_name() else {
            let message = format!("`{}` is a directory without a name of its own", shown(path));
            return Err(PathError::new(PathErrorKind::WrongKind, message)
                .with_hint("give the name of what to change below the root directory"));
        };
        self.refuse_protected(&self.relative)?;
        let parent = self
            .relative
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        // A link on the way may lead to a protected directory inside the root, so the real name counts as well.
        self.refuse_protected(&self.folder.real(parent))?;
        if parents == Parents::Created {
            self.directory().create_dir_all(parent).map_err(failed)?;
        }
        let real = self.directory().canonicalize(parent).map_err(failed)?;
        self.refuse_protected(&real)?;
        let parent = self.directory().open_dir(&real).map_err(failed)?;
        Ok(Target {
            path,
            parent,
            name: name.to_owned(),
        })
    }

    /// The same for a file that is written.
    pub(super) fn file_target(&self, parents: Parents) -> Result<Target<'a>, PathError> {
        if self.path.ends_with('/') {
            let message = format!("`{}` is a directory, not a file", shown(self.path));
            return Err(PathError::new(PathErrorKind::WrongKind, message));
        }
        self.target(parents)
    }

    pub(super) fn refuse_protected(&self, relative: &Path) -> Result<(), PathError> {
        refuse_protected(self.path, relative, self.control_files)
    }
}

impl Target<'_> {
    /// What stands there, links not followed.
    pub(super) fn metadata(&self) -> Result<Option<Metadata>, PathError> {
        match self.parent.symlink_metadata(&self.name) {
            Ok(metadata) => Ok(Some(metadata)),
            Err(source) if source.kind() == ErrorKind::NotFound => Ok(None),
            Err(source) => Err(self.failed(source)),
        }
    }

    pub(super) fn failed(&self, source: io::Error) -> PathError {
        PathError::from_io(self.path, "writing", source)
    }

    /// Reads the file that stands there, which must be one that may be replaced.
    fn content(&self, limit: usize) -> Result<Vec<u8>, PathError> {
        let mut options = OpenOptions::new();
        options.read(true);
        cap_fs_ext::OpenOptionsSyncExt::nonblock(&mut options, true);
        cap_fs_ext::OpenOptionsFollowExt::follow(&mut options, cap_fs_ext::FollowSymlinks::No);
        let found = self.metadata()?;
        if let Some(metadata) = &found {
            refuse_unwritable(self.path, metadata)?;
        }
        let failed = |source| self.failed(source);
        let mut file = self
            .parent
            .open_with(Path::new(&self.name), &options)
            .map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        refuse_unwritable(self.path, &metadata)?;
        take(&mut file, &metadata, limit)
            .map_err(failed)?
            .ok_or_else(|| too_large(self.path, metadata.len(), limit, WRITE_LIMIT))
    }

    fn put(&self, content: &[u8], existing: Existing<'_>) -> Result<(), PathError> {
        self.put_with(existing, None, |file| file.write_all(content))
    }

    /// Writes a draft, and puts it in the place of the file. A file that is replaced keeps its permissions, a new one
    /// gets `permissions`, or the usual ones.
    pub(super) fn put_with(
        &self,
        existing: Existing<'_>,
        permissions: Option<Permissions>,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<(), PathError> {
        let old = self.replaceable(existing)?;
        let failed = |source| self.failed(source);
        let permissions = old.map(|metadata| metadata.permissions()).or(permissions);
        let mut draft = Draft::new(&self.parent).map_err(failed)?;
        draft
            // First: a secret file must not be open to all while it is written.
            .permit(permissions)
            .and_then(|()| write(&mut draft.file))
            .and_then(|()| draft.file.sync_all())
            .map_err(failed)?;
        match existing {
            Existing::Kept => draft.rename_new(&self.name).map_err(failed),
            Existing::Replaced => draft.rename(&self.name).map_err(failed),
            Existing::Unchanged(expected) => {
                // Right before the change, so that what another program has written is not lost.
                let now = self.content(expected.len());
                if now.is_ok_and(|now| now == expected) {
                    return draft.rename(&self.name).map_err(failed);
                }
                let message = format!(
                    "`{}` was changed by somebody else in the meantime, and nothing was written",
                    shown(self.path)
                );
                Err(PathError::new(PathErrorKind::Changed, message)
                    .with_hint("read it again, and repeat the change where it is still wanted"))
            }
        }
    }

    /// What stands there and may be replaced.
    pub(super) fn replaceable(
        &self,
        existing: Existing<'_>,
    ) -> Result<Option<Metadata>, PathError> {
        let Some(metadata) = self.metadata()? else {
            return Ok(None);
        };
        refuse_unwritable(self.path, &metadata)?;
        if existing == Existing::Kept {
            return Err(self.failed(ErrorKind::AlreadyExists.into()));
        }
        Ok(Some(metadata))
    }
}

fn refuse_too_long(path: &str, content: &[u8], limit: usize) -> Result<(), PathError> {
    if content.len() <= limit {
        return Ok(());
    }
    let message = format!(
        "the content for `{}` has {} bytes, more than the limit of {limit}",
        shown(path),
        content.len()
    );
    Err(PathError::new(PathErrorKind::TooLarge, message).with_hint(WRITE_LIMIT))
}

/// Refuses a change below a root that may only be read.
pub(super) fn refuse_read_only(path: &str, access: Access) -> Result<(), PathError> {
    if access != Access::ReadOnly {
        return Ok(());
    }
    let message = format!("`{}` is below a root that may only be read", shown(path));
    Err(PathError::new(PathErrorKind::NotAllowed, message).with_hint(
        "to allow changes use `Access::ReadWrite` with `Policy::root_access` or `Policy::add_root`",
    ))
}

/// Refuses a change of what steers other programs.
pub(super) fn refuse_protected(
    path: &str,
    relative: &Path,
    control_files: ControlFiles,
) -> Result<(), PathError> {
    match protected(relative) {
        Some(name) if control_files == ControlFiles::Refused => {
            let message = format!(
                "`{}` may not be changed, because `{}` steers other programs",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_else_writes_in_between_is_kept_and_told() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("a.txt");
        let policy = Policy::new().root(root.path());
        for (before, meanwhile) in [
            (Some("old"), "other"),
            (Some("old"), "old and more"),
            (Some("old"), ""),
            (None, "new"),
        ] {
            let _ = std::fs::remove_file(&file);
            if let Some(before) = before {
                std::fs::write(&file, before).unwrap();
            }
            let error = policy
                .change_or_create::<_, PathError>("a.txt", |found| {
                    assert_eq!(found, before.map(str::as_bytes));
                    std::fs::write(&file, meanwhile).unwrap();
                    Ok((b"mine".to_vec(), ()))
                })
                .unwrap_err();
            let expected = match before {
                Some(_) => PathErrorKind::Changed,
                None => PathErrorKind::Exists,
            };
            assert_eq!(error.kind(), expected, "{error}");
            assert_eq!(std::fs::read_to_string(&file).unwrap(), meanwhile);
            assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn a_change_that_panics_leaves_the_root_usable() {
        let root = tempfile::tempdir().unwrap();
        let policy = Policy::new().root(root.path());
        let clone = policy.clone();
        let panicked = std::thread::spawn(move || {
            let _ = clone.change_or_create::<(), PathError>("a.txt", |_| panic!("on purpose"));
        });
        assert!(panicked.join().is_err());
        policy.write("a.txt", b"fine").unwrap();
        assert_eq!(policy.read("a.txt").unwrap(), b"fine");
    }
}
