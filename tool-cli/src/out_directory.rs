//! The directory that a tool's files go to, and nowhere else.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tool_core::File;

use crate::failure::Failure;
use crate::file_name;

/// After so many files of one name something is wrong.
const MOST_OF_ONE_NAME: u32 = 999;

/// A directory to write a tool's files to.
#[derive(Clone, Debug)]
pub(crate) struct OutDirectory {
    path: PathBuf,
}

impl OutDirectory {
    /// The directory, made where it is missing. Before any tool runs: a result
    /// must not be lost to a mistyped path.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(path).map_err(|error| {
            Failure::usage(format!(
                "cannot make the directory `{}` of --out: {error}",
                path.display()
            ))
        })?;
        Ok(Self {
            path: path.to_owned(),
        })
    }

    /// Writes a file under a safe form of its name and gives the path. What
    /// is there already stays: the file gets a number instead.
    pub(crate) fn write(&self, file: &File) -> Result<PathBuf, Failure> {
        let name = file_name::safe(&file.filename);
        for number in 0..=MOST_OF_ONE_NAME {
            let path = match number {
                0 => self.path.join(&name),
                number => self.path.join(file_name::numbered(&name, number)),
            };
            // `create_new` also refuses a symbolic link, which could lead out.
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut written) => {
                    return match written.write_all(&file.content) {
                        Ok(()) => Ok(path),
                        Err(error) => Err(cannot_write(&path, &error)),
                    };
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(cannot_write(&path, &error)),
            }
        }
        Err(Failure::failed(format!(
            "`{}` holds {MOST_OF_ONE_NAME} files named like `{name}` already",
            self.path.display()
        )))
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::failed(format!("cannot write `{}`: {error}", path.display()))
}
