//! Where a program is, looked up where only the system's owner can put one.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tool_core::ToolError;

use super::program::Program;

/// The directories of the system. The environment's `PATH` is not asked: whoever can write to one of its directories
/// would decide what runs.
const DIRECTORIES: [&str; 2] = ["/usr/bin", "/bin"];

/// The real path of a program.
///
/// # Errors
///
/// `Failed` where it is not there, `Denied` where others than the owner could have changed it.
pub(super) fn locate(program: &Program) -> Result<PathBuf, ToolError> {
    let places: Vec<PathBuf> = match &program.path {
        Some(path) => vec![path.clone()],
        None => DIRECTORIES
            .iter()
            .map(|directory| Path::new(directory).join(&program.name))
            .collect(),
    };
    let Some(real) = places.iter().find_map(|place| place.canonicalize().ok()) else {
        return Err(ToolError::new(format!("`{program}` is not installed")));
    };
    for place in real.ancestors() {
        let is_safe = place.metadata().is_ok_and(|metadata| {
            only_its_owner_writes(&metadata) && (place != real || metadata.is_file())
        });
        if !is_safe {
            return Err(ToolError::denied(format!(
                "`{program}` is not run, because others than the system's owner could have put it where it is"
            ))
            .with_hint("the host has to take away the right of its group and of others to write there"));
        }
    }
    Ok(real)
}

fn only_its_owner_writes(metadata: &Metadata) -> bool {
    let owner = metadata.uid();
    metadata.mode() & 0o022 == 0 && (owner == 0 || owner == rustix::process::geteuid().as_raw())
}
