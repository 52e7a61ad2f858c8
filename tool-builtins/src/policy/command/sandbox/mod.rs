//! Confining a program by the operating system, for what the rules about its arguments miss.
//!
//! Landlock and seccomp restrict a thread and all that it starts. So a fresh thread restricts itself, starts the
//! program and ends, and the rest of this process stays as it is. That needs neither `unsafe` code nor a second
//! program that restricts itself.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod files;

use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use cap_std::fs::Dir;
use tool_core::ToolError;

use super::program::Program;
use super::settings::Sandbox;

/// What one program may do.
#[derive(Debug)]
pub(super) struct Confinement<'a> {
    pub(super) sandbox: Sandbox,
    pub(super) root: &'a Dir,
    /// The program's own file.
    pub(super) executable: &'a Path,
    pub(super) program: &'a Program,
    /// Where it keeps its temporary files.
    pub(super) temporary: Option<&'a Path>,
    /// Whether it may change files below the root.
    pub(super) writes: bool,
    /// The process group that it may not leave.
    pub(super) group: i32,
}

/// Starts a program in its confinement.
///
/// # Errors
///
/// `Denied` where the confinement is required and the system cannot give it, `Failed` where the program does not start.
pub(super) fn spawn(
    confinement: &Confinement<'_>,
    command: &mut Command,
) -> Result<Child, ToolError> {
    if confinement.sandbox == Sandbox::Off {
        return command.spawn().map_err(|error| failed(confinement, &error));
    }
    let started = std::thread::scope(|scope| {
        std::thread::Builder::new()
            .name("tool-command".to_owned())
            .spawn_scoped(scope, || {
                let restricted = restrict(confinement);
                match (restricted, confinement.sandbox) {
                    (Err(why), Sandbox::Required) => Err(unavailable(&why)),
                    _ => command.spawn().map_err(|error| failed(confinement, &error)),
                }
            })
            .map(std::thread::ScopedJoinHandle::join)
    });
    match started {
        Ok(Ok(child)) => child,
        Ok(Err(_)) => Err(unavailable("setting it up panicked")),
        Err(error) => Err(failed(confinement, &error)),
    }
}

#[cfg(target_os = "linux")]
fn restrict(confinement: &Confinement<'_>) -> Result<(), String> {
    // Each for itself: one that is missing is no reason to go without the other.
    let files = files::restrict(confinement);
    let calls = calls::restrict(confinement);
    files.and(calls)
}

#[cfg(not(target_os = "linux"))]
fn restrict(_confinement: &Confinement<'_>) -> Result<(), String> {
    Err("there is one on Linux only".to_owned())
}

fn unavailable(why: &str) -> ToolError {
    ToolError::denied(format!("the command was not run, because there is no sandbox for it: {why}")).with_hint(
        "to run commands by the rules about their arguments alone, the host sets \
         `Policy::sandbox(Sandbox::WhereAvailable)`, or `--sandbox where-available` on the command line",
    )
}

fn failed(confinement: &Confinement<'_>, error: &std::io::Error) -> ToolError {
    ToolError::new(format!(
        "`{}` could not be started: {}",
        confinement.program,
        error.kind()
    ))
}

/// What programs need of the system to start at all.
#[cfg(target_os = "linux")]
fn system_paths() -> impl Iterator<Item = PathBuf> {
    [
        "/usr/lib",
        "/usr/lib32",
        "/usr/lib64",
        "/usr/libexec",
        "/usr/share",
        "/lib",
        "/lib64",
        "/etc/ld.so.cache",
        "/etc/localtime",
        "/etc/magic",
        "/etc/mime.types",
        "/dev/urandom",
    ]
    .into_iter()
    .map(PathBuf::from)
}
