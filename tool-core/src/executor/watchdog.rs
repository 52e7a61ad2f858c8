//! Deadlines that hold when every thread of the runtime is blocked, and that
//! cost less than a timer of the runtime for a call that ends in time.
//!
//! One thread for the process sleeps until the earliest deadline. A call that
//! waits puts its waker in, and takes it out when it is done.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::Instant;

static WATCHDOG: LazyLock<Watchdog> = LazyLock::new(Watchdog::start);

struct Watchdog {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    alarms: BTreeMap<Key, Waker>,
    next: u64,
    /// Until when the thread sleeps; `None` while it waits for a first alarm.
    sleeps_until: Option<Instant>,
}

/// A deadline, and a number to tell equal ones apart.
type Key = (Instant, u64);

impl Watchdog {
    fn start() -> Self {
        // Where there are no threads, a blocked thread could not be left anyway.
        let _ = std::thread::Builder::new()
            .name("tool-deadlines".to_owned())
            .spawn(|| WATCHDOG.run());
        Self {
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut state = self.lock();
        loop {
            let now = Instant::now();
            let mut due = Vec::new();
            while let Some(entry) = state.alarms.first_entry()
                && entry.key().0 <= now
            {
                due.push(entry.remove());
            }
            if !due.is_empty() {
                // A waker may run any code, which may come back here.
                drop(state);
                for waker in due {
                    // One that panics must not take the deadlines of all others with it.
                    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| waker.wake())) {
                        std::mem::forget(panic);
                    }
                }
                state = self.lock();
                continue;
            }
            state.sleeps_until = state.alarms.keys().next().map(|(deadline, _)| *deadline);
            state = match state.sleeps_until {
                Some(deadline) => {
                    self.changed
                        .wait_timeout(state, deadline.saturating_duration_since(now))
                        .unwrap_or_else(PoisonError::into_inner)
                        .0
                }
                None => self
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

/// A waker that is called at a deadline unless the alarm is dropped before.
pub(super) struct Alarm {
    key: Key,
}

impl Alarm {
    /// Sets an alarm.
    pub(super) fn set(deadline: Instant, waker: &Waker) -> Self {
        let mut state = WATCHDOG.lock();
        let key = (deadline, state.next);
        state.next += 1;
        state.alarms.insert(key, waker.clone());
        // The thread is woken only where it would sleep too long: as deadlines
        // mostly come in order, that is seldom.
        if state.sleeps_until.is_none_or(|until| deadline < until) {
            state.sleeps_until = Some(deadline);
            WATCHDOG.changed.notify_one();
        }
        Self { key }
    }

    /// Changes the waker, where it is another one.
    pub(super) fn update(&mut self, waker: &Waker) {
        if let Some(old) = WATCHDOG.lock().alarms.get_mut(&self.key)
            && !old.will_wake(waker)
        {
            old.clone_from(waker);
        }
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        // The waker is dropped outside the lock: that may run any code.
        let waker = WATCHDOG.lock().alarms.remove(&self.key);
        drop(waker);
    }
}
