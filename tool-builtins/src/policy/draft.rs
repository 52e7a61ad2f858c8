//! A new file that takes the place of another at one stroke.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicU64, Ordering};

use cap_std::fs::{Dir, File, OpenOptions, Permissions};

use super::transfer::rename_new;

/// A new file beside the target, which is gone again unless it takes the target's place.
///
/// Its name does not depend on the target's, which may be as long as names get.
pub(super) struct Draft<'a> {
    directory: &'a Dir,
    name: String,
    pub(super) file: File,
    is_placed: bool,
}

impl<'a> Draft<'a> {
    pub(super) fn new(directory: &'a Dir) -> io::Result<Self> {
        static DRAFTS: AtomicU64 = AtomicU64::new(0);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        loop {
            let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
            let name = format!(".draft-{}-{number}.tmp", std::process::id());
            match directory.open_with(&name, &options) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                result => {
                    return result.map(|file| Self {
                        directory,
                        name,
                        file,
                        is_placed: false,
                    });
                }
            }
        }
    }

    pub(super) fn permit(&self, permissions: Option<Permissions>) -> io::Result<()> {
        match permissions {
            Some(permissions) => self.file.set_permissions(harmless(&permissions)),
            None => Ok(()),
        }
    }

    pub(super) fn rename(mut self, name: &OsString) -> io::Result<()> {
        self.directory.rename(&self.name, self.directory, name)?;
        self.is_placed = true;
        Ok(())
    }

    pub(super) fn rename_new(mut self, name: &OsString) -> io::Result<()> {
        rename_new(self.directory, self.name.as_ref(), self.directory, name)?;
        self.is_placed = true;
        Ok(())
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if !self.is_placed {
            let _ = self.directory.remove_file(&self.name);
        }
    }
}

/// Permissions without those to run as somebody else: new content must not inherit that trust.
#[cfg(unix)]
fn harmless(permissions: &Permissions) -> Permissions {
    use cap_std::fs::PermissionsExt;
    Permissions::from_mode(permissions.mode() & 0o777)
}

#[cfg(not(unix))]
fn harmless(permissions: &Permissions) -> Permissions {
    permissions.clone()
}
