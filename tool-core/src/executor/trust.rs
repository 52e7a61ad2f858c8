//! Which async functions may run on a worker of the runtime.
//!
//! An async function that blocks its thread takes a worker from the runtime;
//! a few of them take all, and then nobody answers at the deadline. So a tool's
//! first calls are polled where they may block, beside the workers, until the
//! tool has shown that it does not. One that is caught blocking goes back
//! there, for longer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::runtime::{Handle, RuntimeFlavor};

/// How many calls a tool makes beside the workers before it is trusted.
const FIRST: u32 = 16;

/// The most that offences can make of that.
const MOST: u32 = FIRST << 10;

/// How long one poll may take that does not block. Ten times what is good
/// manners, as the machine may be busy.
const LONGEST_POLL: Duration = Duration::from_millis(20);

/// How far a tool's async function is trusted not to block its thread.
#[derive(Debug)]
pub(super) struct Trust {
    /// How many calls it must still make without blocking.
    probation: AtomicU32,
    /// How many it must make after the next offence.
    next: AtomicU32,
}

impl Trust {
    pub(super) fn new() -> Self {
        Self {
            probation: AtomicU32::new(FIRST),
            next: AtomicU32::new(FIRST * 2),
        }
    }

    /// Who watches the polls of a call, where that is needed and possible.
    pub(super) fn watch(self: &Arc<Self>) -> Option<Arc<Self>> {
        (self.probation.load(Ordering::Relaxed) > 0 && may_block()).then(|| Arc::clone(self))
    }

    /// A call whose longest poll took so long has ended.
    pub(super) fn observed(&self, longest_poll: Duration) {
        if longest_poll > LONGEST_POLL {
            self.offended();
        } else {
            let less = |calls: u32| calls.checked_sub(1);
            // At zero it stays.
            let _ = self
                .probation
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        }
    }

    /// A call has blocked its thread.
    pub(super) fn offended(&self) {
        let calls = self.next.load(Ordering::Relaxed);
        self.next
            .store(calls.saturating_mul(2).min(MOST), Ordering::Relaxed);
        self.probation.store(calls, Ordering::Relaxed);
    }
}

/// Whether this thread can leave its worker's other tasks to another one. On a
/// current-thread runtime there is no other.
fn may_block() -> bool {
    Handle::try_current().is_ok_and(|handle| handle.runtime_flavor() == RuntimeFlavor::MultiThread)
}

/// Runs what may block this thread, where possible beside the workers.
pub(super) fn beside_workers<T>(piece: impl FnOnce() -> T) -> T {
    #[cfg(not(target_family = "wasm"))]
    if may_block() {
        return tokio::task::block_in_place(piece);
    }
    piece()
}
