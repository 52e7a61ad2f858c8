//! Which directories the file tools work in, and which of them a path means.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::files::{Folder, Place};
use super::path::{PathError, relative};
use super::settings::Policy;

/// What may be done below a root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Access {
    /// Files are read, listed and found.
    ReadOnly,
    /// They are also written, moved and deleted.
    #[default]
    ReadWrite,
}

/// Whether a directory may be deleted with all that is in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecursiveDelete {
    /// Only files and empty directories are deleted.
    #[default]
    Refused,
    /// Whole directories too, where a call asks for it.
    Allowed,
}

/// What a policy says of files alone.
#[derive(Clone, Debug, Default)]
pub(super) struct FileSettings {
    pub(super) access: Access,
    pub(super) recursive_delete: RecursiveDelete,
    roots: Vec<Root>,
}

#[derive(Clone, Debug)]
struct Root {
    name: String,
    directory: PathBuf,
    access: Access,
    /// Clones of a policy share it, and with it the order of their changes.
    folder: Arc<OnceLock<Folder>>,
}

impl Policy {
    /// Sets what may be done below [`root`](Self::root). Default: [`Access::ReadWrite`].
    pub fn root_access(mut self, access: Access) -> Self {
        self.files.access = access;
        self.changed()
    }

    /// Adds a further root, whose files are named `name:/path/of/the/file`.
    ///
    /// The name is of letters, digits, `-` and `_`; under any other nothing is found. Of two roots of one name the
    /// first counts. The directory is opened at the first use.
    ///
    /// # Examples
    ///
    /// ```
    /// use tool_builtins::Policy;
    /// use tool_builtins::policy::Access;
    ///
    /// let manuals = tempfile::tempdir()?;
    /// std::fs::write(manuals.path().join("intro.md"), "Welcome")?;
    /// let policy = Policy::new().add_root("manuals", manuals.path(), Access::ReadOnly);
    /// assert_eq!(policy.read("manuals:/intro.md")?, b"Welcome");
    /// assert!(policy.write("manuals:/intro.md", b"changed").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_root(
        mut self,
        name: impl Into<String>,
        directory: impl Into<PathBuf>,
        access: Access,
    ) -> Self {
        self.files.roots.push(Root {
            name: name.into(),
            directory: directory.into(),
            access,
            folder: Arc::default(),
        });
        self.changed()
    }

    /// Sets whether a directory may be deleted with all that is in it. Default: [`RecursiveDelete::Refused`].
    pub fn recursive_delete(mut self, recursive_delete: RecursiveDelete) -> Self {
        self.files.recursive_delete = recursive_delete;
        self.changed()
    }

    /// The further roots: their names, and what may be done below them.
    pub fn added_roots(&self) -> impl Iterator<Item = (&str, Access)> {
        self.files
            .roots
            .iter()
            .map(|root| (root.name.as_str(), root.access))
    }

    /// The root directory, opened at the first call.
    ///
    /// # Errors
    ///
    /// A [`PathError`] when the root does not exist or cannot be opened.
    pub fn folder(&self) -> Result<&Folder, PathError> {
        opened(
            &self.shared().folder,
            self.root_directory().unwrap_or(Path::new(".")),
        )
    }

    /// What a path that a model wrote means.
    pub(super) fn place<'a>(&'a self, path: &'a str) -> Result<Place<'a>, PathError> {
        let (folder, access, rest) = match self.named(path) {
            Some((root, rest)) => (opened(&root.folder, &root.directory)?, root.access, rest),
            None => (self.folder()?, self.files.access, path),
        };
        Ok(Place {
            relative: relative(rest, folder.spellings()).map_err(|error| match error.kind() {
                // The rest alone would be told without the root's name.
                super::path::PathErrorKind::Outside => PathError::outside(path),
                _ => error,
            })?,
            folder,
            path,
            access,
            control_files: self.control_file_access(),
        })
    }

    /// The further root in `path`, and the path below it.
    fn named<'a>(&'a self, path: &'a str) -> Option<(&'a Root, &'a str)> {
        let (name, rest) = path.split_once(':')?;
        let is_name =
            |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
        if name.is_empty() || !name.chars().all(is_name) {
            return None;
        }
        let root = self.files.roots.iter().find(|root| root.name == name)?;
        let rest = rest.trim_start_matches('/');
        Some((root, if rest.is_empty() { "." } else { rest }))
    }
}

fn opened<'a>(cell: &'a OnceLock<Folder>, directory: &Path) -> Result<&'a Folder, PathError> {
    if let Some(folder) = cell.get() {
        return Ok(folder);
    }
    let folder = Folder::open(directory)?;
    Ok(cell.get_or_init(|| folder))
}
