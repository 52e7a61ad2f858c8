//! How many calls an executor runs at a time, and when the last is done.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::{Notify, Semaphore};

use super::inside::is_inside;

/// The places of an executor, and the calls that it has taken on.
pub(super) struct Places {
    free: Semaphore,
    /// How many places were lent and not yet given back.
    owed: AtomicUsize,
    closed: AtomicBool,
    calls: AtomicUsize,
    idle: Notify,
}

impl Places {
    pub(super) fn new(places: usize) -> Self {
        Self {
            // With room for those that are lent.
            free: Semaphore::new(places.min(Semaphore::MAX_PERMITS / 2)),
            owed: AtomicUsize::new(0),
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
    pub(super) fn try_place(&self) -> Option<Place<'_>> {
        let permit = self.free.try_acquire().ok()?;
        permit.forget();
        Some(Place(self))
    }

    /// Waits for a place to run at. A call that a running tool makes needs
    /// none: the outer one, which waits for it, has one.
    pub(super) async fn place(&self) -> Option<Place<'_>> {
        if is_inside() {
            return None;
        }
        let permit = self.free.acquire().await.ok()?;
        permit.forget();
        Some(Place(self))
    }

    /// Lends the place of the outer call while a call that a running tool makes
    /// waits for its turn: those whose turn it is may need a place.
    pub(super) fn lend(&self) -> Option<Lent<'_>> {
        is_inside().then(|| {
            self.free.add_permits(1);
            Lent(self)
        })
    }

    fn give_back(&self) {
        self.free.add_permits(1);
        self.settle();
    }

    /// Takes free places for those that were lent. Whoever frees a place or
    /// owes one does this afterwards, so that the last of them finds both.
    fn settle(&self) {
        let one_less = |owed: usize| owed.checked_sub(1);
        while self.owed.load(Ordering::SeqCst) > 0 && self.free.available_permits() > 0 {
            let paid = self
                .owed
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less);
            if paid.is_ok() && self.free.forget_permits(1) == 0 {
                self.owed.fetch_add(1, Ordering::SeqCst);
            }
        }
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

/// A place to run at, until it is dropped.
pub(super) struct Place<'a>(&'a Places);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.give_back();
    }
}

/// A place that is lent until this is dropped. Then the next free one is taken
/// in return, without waiting for it.
pub(super) struct Lent<'a>(&'a Places);

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.0.owed.fetch_add(1, Ordering::SeqCst);
        self.0.settle();
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
