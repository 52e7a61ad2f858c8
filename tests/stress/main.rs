//! Tens of thousands of calls at once, of tools that do everything a tool can
//! do wrong: each is answered rightly, and nothing is left of them.
//!
//! A binary of its own, as it counts the threads and the memory of the process.

mod nested;
mod workload;

use std::sync::Mutex;

use workload::{Findings, Stress, Taken};

/// One at a time: both measure the process.
static ALONE: Mutex<()> = Mutex::new(());

fn run(stress: Stress) {
    let _alone = ALONE.lock();
    let findings = stress.run();
    let Findings { ended, wrong, .. } = &findings;
    assert!(wrong.is_empty(), "{stress:?}\n{}", wrong.join("\n"));
    let told: usize = ended.values().sum();
    assert!(told >= stress.calls, "{told} of {} calls", findings.calls);
    let taken: Vec<u64> = findings.taken.iter().map(Taken::mebibytes).collect();
    println!("{:?}, {taken:?} MiB", findings.elapsed);
    if let [_, middle, end] = taken[..] {
        assert!(end < middle + 64, "memory grows: {taken:?} MiB");
    }
}

#[test]
fn every_call_is_answered_rightly_and_nothing_is_left() {
    run(Stress {
        calls: 50_000,
        at_a_time: 1000,
        seed: 1,
        isolation: true,
    });
}

#[test]
fn the_same_without_isolation() {
    run(Stress {
        calls: 10_000,
        at_a_time: 1000,
        seed: 2,
        isolation: false,
    });
}
