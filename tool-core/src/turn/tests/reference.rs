//! What a gate does, in the plainest words, and a driver that holds the gate
//! against it.

use std::future::Future as _;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use super::super::{Entry, Gate, Marker, Pass, Stuck};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Call {
    /// Whether it has been polled.
    Waiting(bool),
    Granted,
    Working,
    Lingering,
    SentAway,
    Ended,
}

/// Calls are named by the order in which they came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Enter,
    Poll(usize),
    /// Drops the entry, or the pass when there is one.
    Drop(usize),
    Linger(usize),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Reference {
    capacity: usize,
    pub(super) calls: Vec<Call>,
}

impl Reference {
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            capacity,
            calls: Vec::new(),
        }
    }

    /// Does it, and tells which calls are woken by it.
    pub(super) fn act(&mut self, action: Action) -> Vec<usize> {
        match action {
            Action::Enter => self.calls.push(Call::Waiting(false)),
            Action::Poll(call) => match &mut self.calls[call] {
                Call::Waiting(polled) => *polled = true,
                call @ Call::Granted => *call = Call::Working,
                call @ Call::SentAway => *call = Call::Ended,
                Call::Working | Call::Lingering | Call::Ended => {}
            },
            Action::Drop(call) => self.calls[call] = Call::Ended,
            Action::Linger(call) => {
                if self.calls[call] == Call::Working {
                    self.calls[call] = Call::Lingering;
                }
            }
        }
        let stuck = self.count(|call| call == Call::Lingering) == self.capacity;
        let mut woken = Vec::new();
        for index in 0..self.calls.len() {
            let free = self
                .count(|call| matches!(call, Call::Granted | Call::Working | Call::Lingering))
                < self.capacity;
            if let Call::Waiting(polled) = self.calls[index]
                && (free || stuck)
            {
                self.calls[index] = if free { Call::Granted } else { Call::SentAway };
                woken.extend(polled.then_some(index));
            }
        }
        woken
    }

    fn count(&self, is: impl Fn(Call) -> bool) -> usize {
        self.calls.iter().filter(|call| is(**call)).count()
    }

    /// Whether the action can be done at all, and changes something or could.
    pub(super) fn allows(&self, action: Action) -> bool {
        match action {
            Action::Enter => true,
            Action::Poll(call) => matches!(
                self.calls.get(call),
                Some(Call::Waiting(_) | Call::Granted | Call::SentAway)
            ),
            Action::Drop(call) => !matches!(self.calls.get(call), None | Some(Call::Ended)),
            Action::Linger(call) => !matches!(
                self.calls.get(call),
                None | Some(Call::Waiting(_) | Call::Granted | Call::SentAway)
            ),
        }
    }
}

/// A gate beside its reference.
pub(super) struct Driver {
    pub(super) reference: Reference,
    gate: Arc<Gate>,
    callers: Vec<Caller>,
}

struct Caller {
    entry: Option<Entry>,
    pass: Option<Pass>,
    marker: Option<Marker>,
    /// Of the last poll.
    woken: Arc<Woken>,
}

#[derive(Default)]
pub(super) struct Woken(AtomicUsize);

impl Woken {
    pub(super) fn times(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

pub(super) fn poll(entry: &mut Entry, woken: &Arc<Woken>) -> Poll<Result<Pass, Stuck>> {
    let waker = Waker::from(Arc::clone(woken));
    Pin::new(entry).poll(&mut Context::from_waker(&waker))
}

impl Driver {
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            reference: Reference::new(capacity),
            gate: Gate::new(capacity),
            callers: Vec::new(),
        }
    }

    /// Does it to both, and panics where they differ.
    pub(super) fn act(&mut self, action: Action) {
        let before: Vec<usize> = self.woken();
        let mut expected = self.reference.act(action);
        match action {
            Action::Enter => self.callers.push(Caller {
                entry: Some(self.gate.enter()),
                pass: None,
                marker: None,
                woken: Arc::default(),
            }),
            Action::Poll(call) => self.poll(call),
            Action::Drop(call) => {
                let caller = &mut self.callers[call];
                caller.entry = None;
                caller.pass = None;
            }
            Action::Linger(call) => {
                if let Some(marker) = &self.callers[call].marker {
                    marker.clone().linger();
                }
            }
        }
        if let Action::Poll(call) = action {
            // The poll has brought a waker of its own, never woken yet.
            expected.retain(|woken| *woken != call);
            assert_eq!(
                self.callers[call].woken.times(),
                0,
                "{action:?} woke itself"
            );
        }
        for (call, after) in self.woken().into_iter().enumerate() {
            if action == Action::Poll(call) {
                continue;
            }
            let woken = after - before.get(call).copied().unwrap_or(0);
            let wanted = usize::from(expected.contains(&call));
            assert_eq!(
                woken, wanted,
                "call {call} was woken so often by {action:?}"
            );
        }
    }

    fn woken(&self) -> Vec<usize> {
        self.callers
            .iter()
            .map(|caller| caller.woken.times())
            .collect()
    }

    fn poll(&mut self, call: usize) {
        let wanted = self.reference.calls[call];
        let caller = &mut self.callers[call];
        let Some(entry) = &mut caller.entry else {
            return;
        };
        caller.woken = Arc::default();
        let ended = poll(entry, &caller.woken);
        match ended {
            Poll::Pending => assert_eq!(wanted, Call::Waiting(true), "call {call} waits"),
            Poll::Ready(Ok(pass)) => {
                assert_eq!(wanted, Call::Working, "call {call} came in");
                caller.marker = Some(pass.marker());
                caller.pass = Some(pass);
                caller.entry = None;
            }
            Poll::Ready(Err(Stuck)) => {
                assert_eq!(wanted, Call::Ended, "call {call} was sent away");
                caller.entry = None;
            }
        }
    }

    /// When all work ends, every entry does, and the gate is as new.
    pub(super) fn finish(mut self) {
        for call in 0..self.callers.len() {
            // Those who came earlier have left, so that nobody is in the way.
            if self.callers[call].entry.is_some() {
                self.act(Action::Poll(call));
                assert!(self.callers[call].entry.is_none(), "call {call} never ends");
            }
            self.act(Action::Drop(call));
        }
        for _ in 0..self.reference.capacity {
            self.act(Action::Enter);
            self.act(Action::Poll(self.callers.len() - 1));
            assert!(
                self.callers
                    .last()
                    .is_some_and(|caller| caller.pass.is_some())
            );
        }
    }
}
