//! The paths among the arguments of a command: each has to stay below the root.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::OpenOptions;
use tool_core::ToolError;

use super::arguments::{Checked, Use};
use super::program::Program;
use crate::policy::changes::{refuse_protected, refuse_read_only, refuse_unwritable};
use crate::policy::files::Folder;
use crate::policy::path::{PathError, relative};
use crate::policy::roots::Access;
use crate::policy::{ControlFiles, PathErrorKind, Policy, shown};

/// How many entries of a directory are looked through before it is copied.
const MOST_ENTRIES: usize = 20_000;

/// Where a command stands: the root, and a directory relative to it.
pub(crate) struct Place<'a> {
    pub(crate) policy: &'a Policy,
    pub(crate) folder: &'a Folder,
    pub(crate) directory: &'a Path,
}

impl Place<'_> {
    /// Refuses a path that is outside by how it is written, before anything runs.
    pub(crate) fn check_written(&self, path: &str) -> Result<(), ToolError> {
        self.relative(path)
            .map(drop)
            .map_err(PathError::into_tool_error)
    }

    /// The same for a file that is written.
    pub(crate) fn check_output(&self, path: &str) -> Result<(), ToolError> {
        self.check_written(path)?;
        refuse_read_only(path, self.policy.files.access).map_err(PathError::into_tool_error)
    }

    /// Refuses a program that changes files where the root may only be read.
    pub(crate) fn check_writes(&self, program: &Program) -> Result<(), ToolError> {
        if self.policy.files.access != Access::ReadOnly {
            return Ok(());
        }
        let message = format!("`{program}` changes files, and the root may only be read");
        Err(ToolError::denied(message)
            .with_hint("to allow changes use `Policy::root_access(Access::ReadWrite)`"))
    }

    /// Checks every path of a command, as the files are now.
    pub(crate) fn check_paths(&self, checked: &Checked) -> Result<(), ToolError> {
        for (path, what) in &checked.paths {
            self.check(path, *what)
                .map_err(PathError::into_tool_error)?;
        }
        // What is put into a directory gets its old name there.
        let written = || (checked.paths.iter()).filter(|(_, what)| *what == Use::Write);
        let sources = || (checked.paths.iter()).filter(|(_, what)| *what != Use::Write);
        for (target, _) in written() {
            for (source, what) in sources() {
                let name = Path::new(source).file_name();
                let inner = Path::new(target).join(name.unwrap_or_default());
                if let Some(inner) = inner.to_str().filter(|_| self.is_directory(target)) {
                    self.check(inner, Use::Remove)
                        .map_err(PathError::into_tool_error)?;
                }
                if checked.recursive && *what == Use::Read {
                    self.check_tree(source)
                        .map_err(PathError::into_tool_error)?;
                }
            }
        }
        Ok(())
    }

    fn relative(&self, path: &str) -> Result<PathBuf, PathError> {
        if path.is_empty() || path.contains('\0') {
            return relative(path, &[]);
        }
        let joined = self.directory.join(path);
        let spellings = self.folder.spellings();
        joined.to_str().map_or_else(
            || Err(PathError::outside(path)),
            // The message names the path as it was given.
            |joined| relative(joined, spellings).map_err(|_| PathError::outside(path)),
        )
    }

    fn check(&self, path: &str, what: Use) -> Result<(), PathError> {
        let relative = self.relative(path)?;
        let root = self.folder.directory();
        let failed = |source| PathError::from_io(path, "opening", source);
        let found = match what {
            Use::Read => root.metadata(&relative),
            // The link itself is removed, not what it leads to.
            Use::Write | Use::Remove => root.symlink_metadata(&relative),
        };
        let found = match found {
            Ok(found) => Some(found),
            Err(error) if is_absent(&error) => None,
            Err(error) => return Err(failed(error)),
        };
        if what == Use::Read {
            return match found {
                Some(found) if !found.is_file() && !found.is_dir() => Err(special(path)),
                _ => Ok(()),
            };
        }
        refuse_read_only(path, self.policy.files.access)?;
        let control_files = self.policy.control_file_access();
        refuse_protected(path, &relative, control_files)?;
        let parent = relative
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        refuse_protected(
            path,
            &self.folder.real(parent.unwrap_or(Path::new("."))),
            control_files,
        )?;
        match (what, found) {
            (Use::Write, Some(found)) if !found.is_dir() => {
                // A link to a directory is one to put things into.
                if !self.is_directory(path) {
                    refuse_unwritable(path, &found)?;
                }
                Ok(())
            }
            (Use::Remove, _)
                if self.folder.real(&relative) == Path::new(".") || relative == Path::new(".") =>
            {
                let message = format!("`{}` is the root directory", shown(path));
                Err(PathError::new(PathErrorKind::Protected, message)
                    .with_hint("remove or move what is in it"))
            }
            _ => Ok(()),
        }
    }

    fn is_directory(&self, path: &str) -> bool {
        self.relative(path)
            .is_ok_and(|relative| self.folder.directory().is_dir(relative))
    }

    /// A copy of a directory must not bring in what steers other programs.
    fn check_tree(&self, path: &str) -> Result<(), PathError> {
        if self.policy.control_file_access() == ControlFiles::Allowed {
            return Ok(());
        }
        let root = self.folder.directory();
        let mut left = MOST_ENTRIES;
        let mut waiting = vec![self.relative(path)?];
        while let Some(directory) = waiting.pop() {
            // Not a directory, or not readable: the program will say so.
            let Ok(entries) = root.read_dir(&directory) else {
                continue;
            };
            for entry in entries.flatten() {
                let inner = directory.join(entry.file_name());
                refuse_protected(path, Path::new(&entry.file_name()), ControlFiles::Refused)?;
                left = left.checked_sub(1).ok_or_else(|| {
                    let message =
                        format!("`{}` holds more than {MOST_ENTRIES} entries", shown(path));
                    PathError::new(PathErrorKind::TooLarge, message)
                        .with_hint("copy its directories one by one")
                })?;
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    waiting.push(inner);
                }
            }
        }
        Ok(())
    }

    /// Opens a file for `<`.
    pub(crate) fn open_input(&self, path: &str) -> Result<File, ToolError> {
        self.check(path, Use::Read)
            .map_err(PathError::into_tool_error)?;
        let relative = self.relative(path).map_err(PathError::into_tool_error)?;
        let failed = |source| PathError::from_io(path, "opening", source).into_tool_error();
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true);
        let file = (self.folder.directory())
            .open_with(&relative, &options)
            .map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(special(path).into_tool_error());
        }
        Ok(file.into_std())
    }

    /// Opens a file for `>` or, to append, for `>>`.
    pub(crate) fn open_output(&self, path: &str, append: bool) -> Result<File, ToolError> {
        self.check(path, Use::Write)
            .map_err(PathError::into_tool_error)?;
        let relative = self.relative(path).map_err(PathError::into_tool_error)?;
        let failed = |source| PathError::from_io(path, "opening", source).into_tool_error();
        let mut options = OpenOptions::new();
        options
            .create(true)
            .append(append)
            .nonblock(true)
            .follow(FollowSymlinks::No);
        if !append {
            options.write(true);
        }
        let file = (self.folder.directory())
            .open_with(&relative, &options)
            .map_err(failed)?;
        // Looked at again once it is open, and only then emptied.
        let metadata = file.metadata().map_err(failed)?;
        refuse_unwritable(path, &metadata).map_err(PathError::into_tool_error)?;
        if !append {
            file.set_len(0).map_err(failed)?;
        }
        Ok(file.into_std())
    }

    /// The directory after `cd`, relative to the root and without links; the inner error is what a shell would say.
    pub(crate) fn change(&self, path: &str) -> Result<Result<PathBuf, String>, ToolError> {
        let relative = self.relative(path).map_err(PathError::into_tool_error)?;
        let root = self.folder.directory();
        match root.canonicalize(&relative) {
            Ok(real) if root.is_dir(&real) => Ok(Ok(real)),
            Ok(_) => Ok(Err(format!("cd: {}: not a directory", shown(path)))),
            Err(error) if is_absent(&error) => {
                Ok(Err(format!("cd: {}: no such directory", shown(path))))
            }
            Err(error) => Err(PathError::from_io(path, "opening", error).into_tool_error()),
        }
    }
}

fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn special(path: &str) -> PathError {
    let message = format!("`{}` is a device, pipe or socket", shown(path));
    PathError::new(PathErrorKind::WrongKind, message).with_hint("give a file or a directory")
}
