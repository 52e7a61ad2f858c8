//! What the tools share: who is inside, who has been where.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Barrier;
use tool_core::{Executor, ToolError};

/// How many calls run at a time.
pub(crate) const PLACES: usize = 128;
/// How many calls of a gated tool run at a time.
pub(crate) const GATE: usize = 2;

/// What the tools of one executor share.
pub(crate) struct World {
    /// How many functions have begun and not ended, also those whose calls
    /// are answered.
    alive: AtomicUsize,
    /// Numbers for runs and turns.
    next: AtomicUsize,
    /// How much progress was reported, and heard.
    pub(crate) reported: AtomicUsize,
    pub(crate) heard: AtomicUsize,
    /// How many there are inside a gate or behind a key, by its name.
    inside: Mutex<HashMap<String, usize>>,
    /// How many calls of a batch have run, by the number of the batch.
    marks: Mutex<HashMap<u64, usize>>,
    /// How often a call has been tried.
    tries: Mutex<HashMap<u64, usize>>,
    /// For the tools that call tools.
    executor: Mutex<Option<Executor>>,
    /// Opens when all places are taken.
    pub(crate) meeting: Barrier,
    /// Opens when a gate is full.
    pub(crate) pair: Barrier,
}

impl World {
    /// An empty one.
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            alive: AtomicUsize::new(0),
            next: AtomicUsize::new(0),
            reported: AtomicUsize::new(0),
            heard: AtomicUsize::new(0),
            inside: Mutex::default(),
            marks: Mutex::default(),
            tries: Mutex::default(),
            executor: Mutex::default(),
            meeting: Barrier::new(PLACES),
            pair: Barrier::new(GATE),
        })
    }

    /// Counts a function until it ends, however it ends.
    pub(crate) fn live(&self) -> Alive<'_> {
        self.alive.fetch_add(1, Ordering::SeqCst);
        Alive(self)
    }

    /// What is left of calls: functions, places, counts. All zero in the end.
    pub(crate) fn left(&self) -> [usize; 3] {
        [
            self.alive.load(Ordering::SeqCst),
            lock(&self.inside).len(),
            lock(&self.tries).len(),
        ]
    }

    /// A number that nobody else gets, greater than those before.
    pub(crate) fn number(&self) -> usize {
        self.next.fetch_add(1, Ordering::SeqCst)
    }

    /// Goes where at most so many may be at a time.
    pub(crate) fn go_in(&self, name: String, most: usize) -> Result<Inside<'_>, ToolError> {
        let mut all = lock(&self.inside);
        let inside = all.entry(name.clone()).or_default();
        *inside += 1;
        let count = *inside;
        drop(all);
        let inside = Inside { world: self, name };
        if count <= most {
            Ok(inside)
        } else {
            Err(ToolError::new(format!("{count} are inside")))
        }
    }

    /// Notes that a call of a batch has run.
    pub(crate) fn mark(&self, batch: u64) {
        *lock(&self.marks).entry(batch).or_default() += 1;
    }

    /// How many calls of a batch have run.
    pub(crate) fn marked(&self, batch: u64) -> usize {
        lock(&self.marks).get(&batch).copied().unwrap_or_default()
    }

    /// Forgets a batch.
    pub(crate) fn forget(&self, batch: u64) {
        lock(&self.marks).remove(&batch);
    }

    /// Which try of a call this is, from 1. The last is forgotten.
    pub(crate) fn attempt(&self, number: u64, last: usize) -> usize {
        let mut tries = lock(&self.tries);
        let count = tries.entry(number).or_default();
        *count += 1;
        let count = *count;
        if count == last {
            tries.remove(&number);
        }
        count
    }

    /// The executor that runs the tools.
    pub(crate) fn executor(&self) -> Option<Executor> {
        lock(&self.executor).clone()
    }

    /// Tells the tools which executor runs them. `None` lets go of it.
    pub(crate) fn set_executor(&self, executor: Option<Executor>) {
        *lock(&self.executor) = executor;
    }
}

/// A function that has begun.
pub(crate) struct Alive<'a>(&'a World);

impl Drop for Alive<'_> {
    fn drop(&mut self) {
        self.0.alive.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A place where not all may be.
pub(crate) struct Inside<'a> {
    world: &'a World,
    name: String,
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        let mut all = lock(&self.world.inside);
        if let Some(inside) = all.get_mut(&self.name) {
            *inside -= 1;
            if *inside == 0 {
                all.remove(&self.name);
            }
        }
    }
}

/// A tool may panic at any time, but not under a lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
