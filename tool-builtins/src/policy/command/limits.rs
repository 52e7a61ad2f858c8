//! Limits of the operating system for one process.

use std::process::Child;
use std::time::Instant;

/// The most memory that a process may ask for, in bytes.
#[cfg(target_os = "linux")]
const MEMORY: u64 = 4 * 1024 * 1024 * 1024;
/// The largest file that a process may write, in bytes.
#[cfg(target_os = "linux")]
const FILE: u64 = 1024 * 1024 * 1024;
/// How many files a process may have open.
#[cfg(target_os = "linux")]
const OPEN_FILES: u64 = 256;

/// Sets the limits of a process that was just started. They come a moment after its start: nothing but `unsafe` code
/// could set them in between. It may have ended already, which is no error.
#[cfg(target_os = "linux")]
pub(super) fn apply(child: &Child, deadline: Instant) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};

    let Some(process) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else {
        return;
    };
    let seconds = deadline.saturating_duration_since(Instant::now()).as_secs();
    for (resource, most) in [
        (Resource::As, MEMORY),
        (Resource::Fsize, FILE),
        (Resource::Nofile, OPEN_FILES),
        (Resource::Core, 0),
        // Should this process be killed meanwhile, the program does not run on for ever.
        (Resource::Cpu, seconds + 5),
    ] {
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        let _ = prlimit(Some(process), resource, limit);
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn apply(_child: &Child, _deadline: Instant) {}
