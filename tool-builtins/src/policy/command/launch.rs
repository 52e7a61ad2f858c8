//! Starting one program: its environment, its directory, its confinement.

use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use cap_std::fs::Dir;
use tempfile::TempDir;
use tool_core::ToolError;

use super::group::Group;
use super::program::{Grant, Program};
use super::sandbox::{Confinement, spawn};
use super::settings::Sandbox;
use crate::policy::Folder;

/// A program that is ready to start.
pub(crate) struct Launch {
    pub(crate) program: Arc<Program>,
    pub(crate) executable: PathBuf,
    pub(crate) arguments: Vec<String>,
    pub(crate) writes: bool,
}

/// What all programs of a line share.
pub(crate) struct Surroundings<'a> {
    pub(crate) sandbox: Sandbox,
    pub(crate) folder: &'a Folder,
    /// The current directory, relative to the root and without links.
    pub(crate) directory: &'a Path,
    pub(crate) deadline: Instant,
    pub(crate) is_cancelled: &'a dyn Fn() -> bool,
}

impl Surroundings<'_> {
    fn enter(&self) -> std::io::Result<Dir> {
        let directory = Some(self.directory).filter(|directory| !directory.as_os_str().is_empty());
        self.folder
            .directory()
            .open_dir(directory.unwrap_or(Path::new(".")))
    }

    /// The root as a path of the host.
    fn home(&self) -> &Path {
        (self.folder.spellings().last()).map_or(Path::new("/"), PathBuf::as_path)
    }

    /// A path that leads to this very directory, whatever is renamed meanwhile, where the system has such paths.
    fn host_path(&self, directory: &Dir) -> PathBuf {
        let open = PathBuf::from(format!("/proc/self/fd/{}", directory.as_raw_fd()));
        if cfg!(target_os = "linux") && open.exists() {
            open
        } else {
            self.home().join(self.directory)
        }
    }
}

/// A program that runs.
pub(super) struct Started {
    pub(super) child: Child,
    /// Removed with this, so after the program has ended.
    _temporary: Option<TempDir>,
}

/// Starts a program in the group of its pipeline.
pub(super) fn start(
    surroundings: &Surroundings<'_>,
    launch: &Launch,
    group: &Group,
    input: Stdio,
    output: Stdio,
    error: Stdio,
) -> Result<Started, ToolError> {
    let broken =
        |error: std::io::Error| ToolError::new(format!("no directory to run in: {}", error.kind()));
    let directory = surroundings.enter().map_err(broken)?;
    let temporary = if launch.program.may(Grant::Temporary) {
        Some(TempDir::with_prefix("tool-").map_err(broken)?)
    } else {
        None
    };
    let mut command = Command::new(&launch.executable);
    command
        // One file may be many programs, told apart by this name.
        .arg0(launch.program.name())
        .args(&launch.arguments)
        .current_dir(surroundings.host_path(&directory))
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("LANG", "C.UTF-8")
        .env("LC_ALL", "C.UTF-8")
        .env("HOME", surroundings.home())
        .env("TERM", "dumb")
        .process_group(group.id())
        .stdin(input)
        .stdout(output)
        .stderr(error);
    if let Some(temporary) = &temporary {
        command.env("TMPDIR", temporary.path());
    }
    let confinement = Confinement {
        sandbox: surroundings.sandbox,
        root: surroundings.folder.directory(),
        executable: &launch.executable,
        program: &launch.program,
        temporary: temporary.as_ref().map(TempDir::path),
        writes: launch.writes,
        group: group.id(),
    };
    let child = spawn(&confinement, &mut command)?;
    super::limits::apply(&child, surroundings.deadline);
    Ok(Started {
        child,
        _temporary: temporary,
    })
}
