//! Gates and keys under a model checker that chooses which thread runs at each
//! lock. A wake-up that is lost is a deadlock there.

use std::future::{Future as _, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use serde_json::json;
use shuttle::future::block_on;
use shuttle::scheduler::PctScheduler;
use shuttle::sync::Mutex;
use shuttle::sync::atomic::{AtomicUsize, Ordering};
use shuttle::{Config, Runner, thread};

use super::modelled::{Entry, Gate, Keys, Stuck};

/// The same orders in every run; `SHUTTLE_RANDOM_SEED` chooses others.
const SEED: u64 = 1;
const RUNS: usize = 300;

/// By chance, with many and with few changes of thread.
fn check(story: fn()) {
    shuttle::check_random_with_seed(story, SEED, RUNS);
    let few = PctScheduler::new_from_seed(SEED, 3, RUNS);
    Runner::new(few, Config::default()).run(story);
}

fn together(stories: Vec<Box<dyn FnOnce() + Send>>) {
    let threads: Vec<_> = stories.into_iter().map(thread::spawn).collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

/// Works for a moment, in which no more than so many do.
fn work(inside: &AtomicUsize, most: usize) {
    assert!(inside.fetch_add(1, Ordering::SeqCst) < most);
    thread::yield_now();
    inside.fetch_sub(1, Ordering::SeqCst);
}

/// Polls once, and then waits no longer.
fn abandon(entry: Entry) {
    let mut entry = entry;
    block_on(poll_fn(|context| {
        let _ = Pin::new(&mut entry).poll(context);
        Poll::Ready(())
    }));
}

#[test]
fn never_more_than_the_places_and_all_come_in() {
    fn story(capacity: usize) {
        let gate = Gate::new(capacity);
        let inside = Arc::new(AtomicUsize::new(0));
        let mut stories: Vec<Box<dyn FnOnce() + Send>> = Vec::new();
        for _ in 0..3 {
            let (gate, inside) = (Arc::clone(&gate), Arc::clone(&inside));
            stories.push(Box::new(move || {
                let pass = block_on(gate.enter()).unwrap_or_else(|_| panic!("nothing lingers"));
                work(&inside, capacity);
                drop(pass);
            }));
        }
        let waits_no_longer = Arc::clone(&gate);
        stories.push(Box::new(move || abandon(waits_no_longer.enter())));
        together(stories);
        assert!(block_on(gate.enter()).is_ok());
    }
    check(|| story(1));
    check(|| story(2));
}

#[test]
fn first_come_is_first_served() {
    check(|| {
        let gate = Gate::new(1);
        let came = Arc::new(Mutex::new(Vec::new()));
        let served = Arc::new(Mutex::new(Vec::new()));
        let mut stories: Vec<Box<dyn FnOnce() + Send>> = Vec::new();
        for call in 0..3 {
            let (gate, came, served) = (Arc::clone(&gate), Arc::clone(&came), Arc::clone(&served));
            stories.push(Box::new(move || {
                let entry = {
                    let mut came = came.lock().unwrap();
                    came.push(call);
                    gate.enter()
                };
                let pass = block_on(entry);
                served.lock().unwrap().push(call);
                drop(pass);
            }));
        }
        together(stories);
        assert_eq!(*came.lock().unwrap(), *served.lock().unwrap());
    });
}

#[test]
fn work_that_lingers_keeps_nobody_waiting() {
    check(|| {
        let gate = Gate::new(1);
        let pass = block_on(gate.enter()).unwrap_or_else(|_| panic!("the first comes in"));
        let marker = pass.marker();
        let released = Arc::new(AtomicUsize::new(0));
        let mut stories: Vec<Box<dyn FnOnce() + Send>> = Vec::new();
        for _ in 0..2 {
            let (gate, released) = (Arc::clone(&gate), Arc::clone(&released));
            stories.push(Box::new(move || {
                // The work ends only after this: who waited for it would wait for ever.
                let ended = block_on(gate.enter());
                assert_eq!(ended.err(), Some(Stuck));
                released.fetch_add(1, Ordering::SeqCst);
            }));
        }
        stories.push(Box::new(move || marker.linger()));
        together(stories);
        assert_eq!(released.load(Ordering::SeqCst), 2);
        drop(pass);
        assert!(block_on(gate.enter()).is_ok());
    });
}

#[test]
fn lingering_while_others_come_and_work_ends_leaves_a_sound_gate() {
    check(|| {
        let gate = Gate::new(2);
        let mut stories: Vec<Box<dyn FnOnce() + Send>> = Vec::new();
        for lingers in [true, true, false] {
            let gate = Arc::clone(&gate);
            stories.push(Box::new(move || {
                if let Ok(pass) = block_on(gate.enter()) {
                    let marker = pass.marker();
                    let work = thread::spawn(move || drop(pass));
                    if lingers {
                        marker.linger();
                    }
                    work.join().unwrap();
                }
            }));
        }
        together(stories);
        let both = (block_on(gate.enter()), block_on(gate.enter()));
        assert!(both.0.is_ok() && both.1.is_ok());
    });
}

#[test]
fn equal_keys_exclude_each_other_and_leave_no_trace() {
    check(|| {
        let keys = Keys::new();
        let inside = [0, 1].map(|_| Arc::new(AtomicUsize::new(0)));
        let mut stories: Vec<Box<dyn FnOnce() + Send>> = Vec::new();
        for key in [0, 0, 1] {
            let (keys, inside) = (Arc::clone(&keys), Arc::clone(&inside[key]));
            stories.push(Box::new(move || {
                for _ in 0..2 {
                    let pass = block_on(keys.enter("path", &json!(key)));
                    work(&inside, 1);
                    drop(pass);
                }
            }));
        }
        let waits_no_longer = Arc::clone(&keys);
        stories.push(Box::new(move || {
            abandon(waits_no_longer.enter("path", &json!(0)));
        }));
        together(stories);
        assert_eq!(keys.len(), 0);
    });
}

#[test]
fn two_threads_in_every_order() {
    static RUNS: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let story = || {
        RUNS.fetch_add(1, Ordering::SeqCst);
        let gate = Gate::new(1);
        let other = Arc::clone(&gate);
        let thread = thread::spawn(move || drop(block_on(other.enter())));
        drop(block_on(gate.enter()));
        thread.join().unwrap();
    };
    shuttle::check_dfs(story, None);
    let runs = RUNS.load(Ordering::SeqCst);
    assert!(runs > 10, "only {runs} orders");
}
