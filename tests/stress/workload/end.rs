//! What must be left when all calls are over: nothing.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::behaviour::{Behaviour, CROWD, MEET, PAIR, TURN};
use super::memory::Taken;
use super::plan::{KEYS, Planned};
use super::subject::{Caller, Subject, Way};
use super::world::{GATE, PLACES};
use super::{Findings, alive_tasks, tools};

/// How long anything may take to come to its end.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until nothing is left of the calls, finds out whether every place can
/// be taken again, and lets go of the executor.
pub(super) async fn check(subject: Arc<Subject>, tasks: usize, findings: &mut Findings) {
    let is_over = || alive_tasks() <= tasks && subject.left().iter().all(|(_, left)| *left == 0);
    if !comes_true(is_over).await {
        let left = subject.left();
        let tasks = alive_tasks() - tasks;
        findings
            .wrong
            .push(format!("{tasks} tasks are left, and {left:?}"));
    }

    // Calls that need each other: each must have a place at the same time.
    let places = (0..PLACES).map(|number| planned(&MEET, number, 0));
    try_again(&subject, places.collect(), findings).await;
    let crowd = (0..3 * PLACES).map(|number| planned(&CROWD, number, 0));
    try_again(&subject, crowd.collect(), findings).await;
    for gate in 0..tools::count(PAIR.family) {
        let pair = (0..GATE).map(|number| {
            let mut planned = planned(&PAIR, number, gate);
            planned.call.id = format!("{number}/pair");
            planned
        });
        try_again(&subject, pair.collect(), findings).await;
    }
    let keys = (0..KEYS).map(|key| {
        let tool = tools::name(TURN.family, 0);
        Planned::new(&TURN, key as u64, tool, key, None)
    });
    try_again(&subject, keys.collect(), findings).await;

    let succeeded = findings.ended.get(&("succeed once", "ok")).copied();
    if succeeded.unwrap_or_default() > 2 * tools::count("exhausted") {
        let wrong = format!("what is allowed once a day was done {succeeded:?} times");
        findings.wrong.push(wrong);
    }

    let world = Arc::clone(&subject.world);
    world.set_executor(None);
    drop(subject);
    if !comes_true(|| Arc::strong_count(&world) == 1).await {
        let count = Arc::strong_count(&world);
        findings
            .wrong
            .push(format!("the executor is gone, and {count} hold its world"));
    }
}

/// Whether the threads of blocking work go when it is over. `before` is how
/// many threads there were at the start.
pub(super) async fn check_threads(before: Option<u64>, findings: &mut Findings) {
    /// The one that keeps the deadlines, and some that are about to end.
    const MORE: u64 = 3;
    let Some(before) = before else {
        return;
    };
    let threads = || Taken::now().map_or(0, |taken| taken.threads);
    if !comes_true(|| threads() <= before + MORE).await {
        let now = threads();
        findings
            .wrong
            .push(format!("{before} threads have become {now}"));
    }
}

fn planned(behaviour: &'static Behaviour, number: usize, tool: usize) -> Planned {
    let tool = tools::name(behaviour.family, tool);
    Planned::new(behaviour, number as u64, tool, 0, None)
}

async fn try_again(subject: &Subject, calls: Vec<Planned>, findings: &mut Findings) {
    let caller = Caller::Executor(subject.executor.clone());
    let made = calls.iter().map(|planned| planned.call.clone()).collect();
    let outcomes = tokio::time::timeout(PATIENCE, caller.outcomes(Way::Run, made)).await;
    let outcomes = match outcomes {
        Ok(Ok(outcomes)) => outcomes,
        Ok(Err(wrong)) => return findings.wrong.push(wrong),
        Err(_) => {
            let word = calls.first().map(|planned| planned.behaviour.word);
            let wrong = format!("not all places are free: {word:?} takes for ever");
            return findings.wrong.push(wrong);
        }
    };
    for (planned, outcome) in calls.iter().zip(&outcomes) {
        if let Err(wrong) = planned.check(outcome) {
            findings.wrong.push(wrong);
        }
    }
}

async fn comes_true(mut condition: impl FnMut() -> bool) -> bool {
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        if condition() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    condition()
}
