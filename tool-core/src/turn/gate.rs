//! At most so many calls at a time, first come, first served.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, PoisonError, Weak};
use std::task::{Context, Poll, Waker};

use super::keys::Home;
use super::sync::{Mutex, MutexGuard};

/// Lets at most so many calls through at a time, in the order in which they
/// came.
///
/// Work that outlives its outcome keeps its place, because it still goes on.
/// Once all places are held by such work, nobody can tell whether one will
/// ever become free, so that those who wait and those who come are sent away
/// with [`Stuck`] until one does.
pub(crate) struct Gate {
    capacity: usize,
    state: Mutex<State>,
    /// Where the gate is to be found while somebody holds or waits.
    _home: Option<Home>,
}

/// Somebody waits only while all places are held.
#[derive(Default)]
struct State {
    /// The next caller's number: a lower one came earlier.
    next: u64,
    /// Those who wait, with the waker of the last poll.
    waiting: BTreeMap<u64, Option<Waker>>,
    /// Those who hold a place.
    inside: BTreeMap<u64, Inside>,
    /// How many of those inside linger.
    lingering: usize,
}

/// How far a call is that holds a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Its entry has not been polled since the place was given to it.
    Granted,
    /// It has its pass.
    Working,
    /// Its outcome has been given, and its work goes on.
    Lingering,
}

impl Gate {
    /// A gate with so many places, at least one.
    pub(crate) fn new(capacity: usize) -> Arc<Self> {
        Arc::new(Self {
            capacity: capacity.max(1),
            state: Mutex::default(),
            _home: None,
        })
    }

    /// A gate with one place that leaves its home when nobody has it any more.
    pub(super) fn at(home: Home) -> Arc<Self> {
        Arc::new(Self {
            capacity: 1,
            state: Mutex::default(),
            _home: Some(home),
        })
    }

    /// Takes a place in the queue, now and not when the entry is polled. Runs
    /// no code of others.
    pub(crate) fn enter(self: &Arc<Self>) -> Entry {
        let mut state = self.lock();
        let number = state.next;
        state.next += 1;
        if state.inside.len() < self.capacity {
            state.inside.insert(number, Inside::Granted);
        } else if state.lingering < self.capacity {
            state.waiting.insert(number, None);
        }
        // One who is in neither map has been sent away.
        Entry {
            place: Some((Arc::clone(self), number)),
        }
    }

    /// Gives up a place, whether it is held, waited for or already gone.
    fn leave(&self, number: u64) {
        let mut state = self.lock();
        let own = state.waiting.remove(&number);
        if state.inside.remove(&number) == Some(Inside::Lingering) {
            state.lingering -= 1;
        }
        let mut granted = Vec::new();
        while state.inside.len() < self.capacity
            && let Some((number, waker)) = state.waiting.pop_first()
        {
            state.inside.insert(number, Inside::Granted);
            granted.push(waker);
        }
        drop(state);
        contain(|| drop(own));
        wake(granted);
    }

    fn linger(&self, number: u64) {
        let mut state = self.lock();
        match state.inside.get_mut(&number) {
            Some(inside) if *inside != Inside::Lingering => *inside = Inside::Lingering,
            _ => return,
        }
        state.lingering += 1;
        if state.lingering < self.capacity {
            return;
        }
        let sent_away = mem::take(&mut state.waiting);
        drop(state);
        wake(sent_away.into_values());
    }

    /// No code of others runs under the lock, so that a poisoned one guards a
    /// sound state all the same.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place in the queue of a [`Gate`]: ready when it has become a place inside.
/// Dropping it gives the place up.
#[must_use = "dropping an entry gives up the place in the queue"]
pub(crate) struct Entry {
    /// `None` once the future has ended.
    place: Option<(Arc<Gate>, u64)>,
}

impl Future for Entry {
    type Output = Result<Pass, Stuck>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some((gate, number)) = &self.place else {
            // Polled after its end, which no caller may do and none is told of.
            return Poll::Pending;
        };
        // A waker may run any code when it is cloned and dropped.
        let waker = context.waker().clone();
        let mut state = gate.lock();
        if let Some(place) = state.waiting.get_mut(number) {
            let old = place.replace(waker);
            drop(state);
            drop(old);
            return Poll::Pending;
        }
        let granted = state.inside.get_mut(number);
        let ended = match granted {
            Some(inside) => {
                *inside = Inside::Working;
                Ok(())
            }
            None => Err(Stuck),
        };
        drop(state);
        let place = self.place.take();
        Poll::Ready(ended.and_then(|()| {
            let (gate, number) = place.ok_or(Stuck)?;
            Ok(Pass { gate, number })
        }))
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        if let Some((gate, number)) = self.place.take() {
            gate.leave(number);
        }
    }
}

/// A place inside a [`Gate`]; dropping it frees the place. It belongs into the
/// work itself, so that the place is held for as long as the work goes on.
#[must_use = "dropping a pass frees the place at once"]
pub(crate) struct Pass {
    gate: Arc<Gate>,
    number: u64,
}

impl Pass {
    /// A handle for the one who gives the outcome.
    pub(crate) fn marker(&self) -> Marker {
        Marker {
            gate: Arc::downgrade(&self.gate),
            number: self.number,
        }
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        self.gate.leave(self.number);
    }
}

/// Tells a [`Gate`] of work that could not be stopped. Holds no place.
#[derive(Clone)]
pub(crate) struct Marker {
    gate: Weak<Gate>,
    number: u64,
}

impl Marker {
    /// The outcome has been given, and the work goes on. Changes nothing when
    /// the work has ended, or when this has been said before.
    pub(crate) fn linger(&self) {
        if let Some(gate) = self.gate.upgrade() {
            gate.linger(self.number);
        }
    }
}

/// All places are held by earlier work that outlived its outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stuck;

impl fmt::Display for Stuck {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the tool is still busy with an earlier call that could not be stopped")
    }
}

impl std::error::Error for Stuck {}

/// Wakes in the order in which the callers came, outside the lock.
fn wake(wakers: impl IntoIterator<Item = Option<Waker>>) {
    for waker in wakers.into_iter().flatten() {
        contain(|| waker.wake());
    }
}

/// A waker that panics must not keep the others from being woken.
fn contain(of_others: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(of_others)) {
        // What was thrown may throw again when it is dropped.
        mem::forget(panic);
    }
}
