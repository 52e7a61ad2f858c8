//! Files and directories that are copied, moved, made and deleted.

use std::ffi::OsStr;
use std::io::{self, ErrorKind, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::MutexGuard;

use cap_std::fs::Dir;

use super::changes::{Parents, Target, WRITE_LIMIT};
use super::files::{EntryKind, Existing, Folder, Place, kind, too_large, wrong_kind};
use super::path::{PathError, PathErrorKind, shown};
use super::protected::protected;
use super::roots::RecursiveDelete;
use super::settings::{ControlFiles, Policy};
use super::walk::Walk;

/// What was deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Removed {
    pub(crate) kind: EntryKind,
    /// How many files and directories, this one included.
    pub(crate) entries: usize,
}

impl Policy {
    /// Copies a regular file; gives its size.
    pub(crate) fn copy(
        &self,
        from: &str,
        to: &str,
        existing: Existing<'_>,
    ) -> Result<u64, PathError> {
        let limit = self.limits().file_write;
        let (source, place) = (self.place(from)?, self.place(to)?);
        let _turn = place.folder.turn();
        let (mut file, metadata) = source.open()?;
        if metadata.len() > limit as u64 {
            return Err(too_large(from, metadata.len(), limit, WRITE_LIMIT));
        }
        let mut copied = 0;
        let target = place.file_target(Parents::Created)?;
        let put = target.put_with(existing, Some(metadata.permissions()), |draft| {
            // It may grow while it is copied, and some report no size.
            copied = io::copy(&mut Read::by_ref(&mut file).take(limit as u64 + 1), draft)?;
            if copied > limit as u64 {
                return Err(ErrorKind::FileTooLarge.into());
            }
            Ok(())
        });
        if copied > limit as u64 {
            return Err(too_large(from, copied, limit, WRITE_LIMIT));
        }
        put.map(|()| copied)
    }

    /// Moves a file or a directory; tells which it is.
    pub(crate) fn rename(
        &self,
        from: &str,
        to: &str,
        existing: Existing<'_>,
    ) -> Result<EntryKind, PathError> {
        let (from_place, to_place) = (self.place(from)?, self.place(to)?);
        let _turns = turns(from_place.folder, to_place.folder);
        let source = from_place.target(Parents::Expected)?;
        let metadata = source.expected()?;
        let found = kind(metadata.file_type());
        match found {
            EntryKind::File => {}
            EntryKind::Directory => {
                from_place.survey(&source)?;
            }
            // A relative link means something else elsewhere.
            EntryKind::Link | EntryKind::Other => return Err(wrong_kind(from, &metadata)),
        }
        let is_inside = to_place.relative != from_place.relative
            && to_place.relative.starts_with(&from_place.relative);
        if is_inside && std::ptr::eq(from_place.folder, to_place.folder) {
            return Err(into_itself(from));
        }
        let target = if found == EntryKind::File {
            to_place.file_target(Parents::Created)?
        } else {
            to_place.target(Parents::Created)?
        };
        if let Some(there) = target.metadata()? {
            if existing == Existing::Kept || found == EntryKind::Directory || there.is_dir() {
                return Err(target.failed(ErrorKind::AlreadyExists.into()));
            }
            target.replaceable(existing)?;
        }
        let renamed = if existing == Existing::Kept || found == EntryKind::Directory {
            rename_new(&source.parent, &source.name, &target.parent, &target.name)
        } else {
            let (name, other) = (&source.name, &target.name);
            source.parent.rename(name, &target.parent, other)
        };
        renamed.map_err(|error| match error.kind() {
            ErrorKind::CrossesDevices => {
                let message = format!(
                    "`{}` and `{}` are on different file systems",
                    shown(from),
                    shown(to)
                );
                PathError::new(PathErrorKind::Failed, message)
                    .with_hint("copy the file, and delete the old one")
            }
            ErrorKind::InvalidInput => into_itself(from),
            _ => target.failed(error),
        })?;
        Ok(found)
    }

    /// Deletes a file, a link or a directory; one that is not empty only where the policy allows it.
    pub(crate) fn remove(
        &self,
        path: &str,
        contents: RecursiveDelete,
    ) -> Result<Removed, PathError> {
        let place = self.place(path)?;
        let _turn = place.folder.turn();
        let target = place.target(Parents::Expected)?;
        let found = kind(target.expected()?.file_type());
        let failed = |source| PathError::from_io(path, "deleting", source);
        if found != EntryKind::Directory {
            target.parent.remove_file(&target.name).map_err(failed)?;
            return Ok(Removed {
                kind: found,
                entries: 1,
            });
        }
        let inside = place.survey(&target)?;
        if !inside.is_empty() && contents == RecursiveDelete::Refused {
            let message = format!("`{}` is a directory that is not empty", shown(path));
            return Err(PathError::new(PathErrorKind::WrongKind, message)
                .with_hint("delete what is in it first, or ask for it with `recursive`"));
        }
        if !inside.is_empty() && self.files.recursive_delete == RecursiveDelete::Refused {
            let message = format!(
                "`{}` holds other files, and deleting whole directories is not allowed",
                shown(path)
            );
            return Err(
                PathError::new(PathErrorKind::NotAllowed, message).with_hint(
                    "to allow it use `Policy::recursive_delete(RecursiveDelete::Allowed)`",
                ),
            );
        }
        let directory = target.parent.open_dir(&target.name).map_err(failed)?;
        // What is deeper stands later.
        for (path, kind) in inside.iter().rev() {
            match kind {
                EntryKind::Directory => directory.remove_dir(path),
                _ => directory.remove_file(path),
            }
            .map_err(failed)?;
        }
        target.parent.remove_dir(&target.name).map_err(failed)?;
        Ok(Removed {
            kind: found,
            entries: inside.len() + 1,
        })
    }

    /// Makes a directory and those on the way to it; tells whether it is new.
    pub(crate) fn make_directory(&self, path: &str) -> Result<bool, PathError> {
        let place = self.place(path)?;
        let _turn = place.folder.turn();
        let target = place.target(Parents::Created)?;
        match target.parent.create_dir(&target.name) {
            Ok(()) => Ok(true),
            Err(source) if source.kind() == ErrorKind::AlreadyExists => {
                match target.parent.metadata(&target.name) {
                    Ok(metadata) if metadata.is_dir() => Ok(false),
                    _ => Err(target.failed(source)),
                }
            }
            Err(source) => Err(target.failed(source)),
        }
    }
}

impl Place<'_> {
    /// All that is in a directory, provided that none of it steers other programs: a directory moves and goes with its
    /// content.
    fn survey(&self, target: &Target<'_>) -> Result<Vec<(PathBuf, EntryKind)>, PathError> {
        let failed = |source| PathError::from_io(self.path, "listing", source);
        let directory = target.parent.open_dir(&target.name).map_err(failed)?;
        let mut inside = Vec::new();
        let mut steering = None;
        let walked = Walk::everything().run(&directory, None, &mut |visit| {
            if self.control_files == ControlFiles::Refused
                && let Some(name) = protected(visit.name.as_ref())
            {
                steering = Some(name);
                return ControlFlow::Break(());
            }
            inside.push((visit.path.to_owned(), visit.kind));
            ControlFlow::Continue(())
        });
        if let Some(name) = steering {
            return self.refuse_protected(name.as_ref()).map(|()| inside);
        }
        if walked.incomplete || walked.unread > 0 {
            let message = format!(
                "`{}` holds too much to look through, or directories that cannot be read",
                shown(self.path)
            );
            return Err(PathError::new(PathErrorKind::TooLarge, message)
                .with_hint("take the directories in it one by one"));
        }
        Ok(inside)
    }
}

impl Target<'_> {
    /// What stands there, which must be something.
    fn expected(&self) -> Result<cap_std::fs::Metadata, PathError> {
        self.metadata()?
            .ok_or_else(|| self.failed(ErrorKind::NotFound.into()))
    }
}

fn into_itself(path: &str) -> PathError {
    let message = format!("`{}` cannot be moved into itself", shown(path));
    PathError::new(PathErrorKind::Failed, message)
}

/// The turns of both, always in the same order: two moves in opposite directions must not wait for each other.
fn turns<'a>(
    one: &'a Folder,
    other: &'a Folder,
) -> (MutexGuard<'a, ()>, Option<MutexGuard<'a, ()>>) {
    let address = |folder: &Folder| std::ptr::from_ref(folder).addr();
    if std::ptr::eq(one, other) {
        return (one.turn(), None);
    }
    let (first, second) = if address(one) < address(other) {
        (one, other)
    } else {
        (other, one)
    };
    (first.turn(), Some(second.turn()))
}

/// Renames, unless something has the new name already.
pub(super) fn rename_new(from: &Dir, name: &OsStr, to: &Dir, new: &OsStr) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(from, name, to, new, RenameFlags::NOREPLACE) {
            // Not every file system can do this.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
            result => return result.map_err(io::Error::from),
        }
    }
    // Another program may come in between; a change of ours cannot.
    if to.symlink_metadata(new).is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    from.rename(name, to, new)
}
