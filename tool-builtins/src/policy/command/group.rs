//! The process group of a pipeline, with a leader of our own.
//!
//! The leader is started first and waits for nothing. The sandbox lets no process leave the group, so ending the group
//! ends all of them, whatever they have started meanwhile. The leader is collected last: until then its number, which
//! is the group's too, cannot come to mean others.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};

/// Ends all its processes when it is dropped.
#[derive(Debug)]
pub(super) struct Group {
    leader: Child,
    id: Pid,
}

impl Group {
    /// # Errors
    ///
    /// Where no process can be started.
    pub(super) fn start() -> io::Result<Self> {
        // It ends by itself when this process does, as then nobody holds the other end of its input.
        let mut leader = Command::new("/bin/cat")
            .env_clear()
            .current_dir("/")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        match i32::try_from(leader.id()).ok().and_then(Pid::from_raw) {
            Some(id) => Ok(Self { leader, id }),
            None => {
                let _ = leader.kill();
                let _ = leader.wait();
                Err(io::ErrorKind::Other.into())
            }
        }
    }

    pub(super) fn id(&self) -> i32 {
        self.id.as_raw_nonzero().get()
    }

    /// Asks all to end.
    pub(super) fn terminate(&self) {
        let _ = kill_process_group(self.id, Signal::TERM);
    }

    /// Ends all.
    pub(super) fn kill(&self) {
        let _ = kill_process_group(self.id, Signal::KILL);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
        let _ = self.leader.wait();
    }
}
