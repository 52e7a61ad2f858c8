//! How many calls an executor runs at a time, and when the last is done.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::{Notify, Semaphore, SemaphorePermit};

use super::inside::is_inside;

/// The places of an executor, and the calls that it has taken on.
pub(super) struct Places {
    free: Semaphore,
    closed: AtomicBool,
    calls: AtomicUsize,
    idle: Notify,
}

impl Places {
    pub(super) fn new(places: usize) -> Self {
        Self {
            free: Semaphore::new(places.min(Semaphore::MAX_PERMITS)),
            closed: AtomicBool::new(false),
            calls: AtomicUsize::new(0),
            idle: Notify::new(),
        }
    }

    /// Takes on a call, which may still have to wait. `None` when no more are
    /// taken on.
    pub(super) fn enter(&self) -> Option<Entered<'_>> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let entered = Entered(self);
        (!self.closed.load(Ordering::SeqCst)).then_some(entered)
    }

    /// A place to run at, where one is free.
    pub(super) fn try_place(&self) -> Option<SemaphorePermit<'_>> {
        self.free.try_acquire().ok()
    }

    /// Waits for a place to run at. A call that a running tool makes needs
    /// none: the outer one, which waits for it, has one.
    pub(super) async fn place(&self) -> Option<SemaphorePermit<'_>> {
        if is_inside() {
            return None;
        }
        self.free.acquire().await.ok()
    }

    /// Takes on no more calls.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
    }

    /// How many calls are not yet answered.
    pub(super) fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    /// Waits until all calls are answered.
    pub(super) async fn idle(&self) {
        loop {
            let idle = self.idle.notified();
            if self.calls() == 0 {
                return;
            }
            idle.await;
        }
    }
}

/// A call that is not yet answered.
pub(super) struct Entered<'a>(&'a Places);

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        let places = self.0;
        if places.calls.fetch_sub(1, Ordering::SeqCst) == 1 && places.closed.load(Ordering::SeqCst)
        {
            places.idle.notify_waiters();
        }
    }
}
