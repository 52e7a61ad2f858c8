//! A gate against its reference: every short story, and long ones by chance.

use std::collections::{HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::task::{Context, Wake, Waker};
use std::{future::Future as _, pin::Pin};

use proptest::prelude::*;

use super::super::{Gate, Pass};
use super::reference::{Action, Driver, Reference, Woken, poll};

/// All actions on so many calls, where they can be done.
fn actions(reference: &Reference, calls: usize) -> Vec<Action> {
    let each =
        (0..calls).flat_map(|call| [Action::Poll(call), Action::Drop(call), Action::Linger(call)]);
    let mut all: Vec<Action> = each.filter(|action| reference.allows(*action)).collect();
    if reference.calls.len() < calls {
        all.push(Action::Enter);
    }
    all
}

fn play(capacity: usize, story: &[Action]) -> Driver {
    let mut driver = Driver::new(capacity);
    for action in story {
        driver.act(*action);
    }
    driver
}

#[test]
fn every_step_from_every_state_of_four_calls_is_the_reference_s() {
    const CALLS: usize = 4;
    for capacity in 1..=3 {
        let mut seen = HashSet::from([Reference::new(capacity)]);
        let mut open = VecDeque::from([Vec::new()]);
        while let Some(story) = open.pop_front() {
            let here = play(capacity, &story).reference;
            for action in actions(&here, CALLS) {
                let mut longer = story.clone();
                longer.push(action);
                let driver = play(capacity, &longer);
                let there = driver.reference.clone();
                driver.finish();
                if seen.insert(there) {
                    open.push_back(longer);
                }
            }
        }
        assert!(seen.len() > 100, "only {} states", seen.len());
    }
}

#[test]
fn every_story_of_seven_steps_is_the_reference_s() {
    fn explore(capacity: usize, story: &mut Vec<Action>, stories: &mut usize) {
        let driver = play(capacity, story);
        if story.len() == 7 {
            driver.finish();
            *stories += 1;
            return;
        }
        for action in actions(&driver.reference, 4) {
            story.push(action);
            explore(capacity, story, stories);
            story.pop();
        }
    }
    for capacity in 1..=2 {
        let mut stories = 0;
        explore(capacity, &mut Vec::new(), &mut stories);
        assert!(stories > 5_000, "only {stories} stories");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_long_story_is_the_reference_s(
        capacity in 1_usize..5,
        steps in prop::collection::vec((0_u8..8, any::<prop::sample::Index>()), 1..250),
    ) {
        let mut driver = Driver::new(capacity);
        for (kind, index) in steps {
            let calls = driver.reference.calls.len();
            if kind < 2 || calls == 0 {
                driver.act(Action::Enter);
                continue;
            }
            // Mostly those who came lately, as the others have ended.
            let call = calls - 1 - index.index(calls.min(12));
            let action = match kind {
                2..=4 => Action::Poll(call),
                5..=6 => Action::Drop(call),
                _ => Action::Linger(call),
            };
            if driver.reference.allows(action) {
                driver.act(action);
            }
        }
        driver.finish();
    }
}

fn pass(gate: &Arc<Gate>) -> Option<Pass> {
    match poll(&mut gate.enter(), &Arc::default()) {
        std::task::Poll::Ready(Ok(pass)) => Some(pass),
        _ => None,
    }
}

struct Explosive;

impl Wake for Explosive {
    fn wake(self: Arc<Self>) {
        panic!("a waker of others");
    }
}

#[test]
fn a_waker_that_panics_breaks_nothing() {
    let gate = Gate::new(2);
    let (first, second) = (pass(&gate).unwrap(), pass(&gate).unwrap());
    let explosive = Waker::from(Arc::new(Explosive));
    let mut bad = gate.enter();
    assert!(
        Pin::new(&mut bad)
            .poll(&mut Context::from_waker(&explosive))
            .is_pending()
    );
    let woken: Arc<Woken> = Arc::default();
    let mut good = gate.enter();
    assert!(poll(&mut good, &woken).is_pending());
    let markers = [first.marker(), second.marker()];
    let lingering = catch_unwind(AssertUnwindSafe(|| {
        for marker in &markers {
            marker.linger();
        }
    }));
    assert!(lingering.is_ok());
    assert_eq!(woken.times(), 1, "those behind it are woken too");
    drop((first, second));
    assert!(pass(&gate).is_some());
}

#[test]
fn a_gate_without_places_has_one() {
    let gate = Gate::new(0);
    let held = pass(&gate);
    assert!(held.is_some());
    assert!(pass(&gate).is_none());
}

#[test]
fn a_pass_may_go_to_any_thread() {
    fn goes<T: Send + 'static>(_: &T) {}
    let pass = pass(&Gate::new(1)).unwrap();
    goes(&pass);
    goes(&pass.marker());
    std::thread::spawn(move || drop(pass)).join().unwrap();
}
