//! Very many calls of tools that behave in every way, good and bad, on
//! executors with everything switched on; and what is left afterwards.
//!
//! The stress test runs it, and the benchmark of the same name does with more
//! calls, to measure.

mod behaviour;
mod end;
mod memory;
mod plan;
mod random;
mod story;
mod subject;
mod tools;
mod world;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use tokio::task::JoinSet;

pub(crate) use memory::Taken;
use plan::Plan;
use random::Random;
use subject::Subject;

/// How much stress there is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stress {
    /// How many calls are made.
    pub(crate) calls: usize,
    /// How many of them at a time.
    pub(crate) at_a_time: usize,
    /// Where the numbers of chance begin.
    pub(crate) seed: u64,
    /// Whether calls are isolated. Without it none blocks its thread.
    pub(crate) isolation: bool,
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// How many calls were made, and how long it took.
    pub(crate) calls: usize,
    pub(crate) elapsed: Duration,
    /// How often each behaviour has ended in each way.
    pub(crate) ended: BTreeMap<(&'static str, &'static str), usize>,
    /// What the process took of the machine at the start, half way, at the end.
    pub(crate) taken: Vec<Taken>,
    /// What is wrong.
    pub(crate) wrong: Vec<String>,
}

/// More than these are not told.
const TOLD: usize = 20;

impl Stress {
    /// Makes the calls, on a runtime of its own.
    pub(crate) fn run(self) -> Findings {
        be_silent_about_the_workload();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_keep_alive(Duration::from_millis(100))
            .enable_time()
            .build()
            .expect("threads can be made");
        runtime.block_on(self.all_calls())
    }

    async fn all_calls(self) -> Findings {
        let mut findings = Findings::default();
        let tasks = alive_tasks();
        let subjects = [false, true].map(|hooks| Subject::new(self.isolation, hooks));
        findings.taken.extend(Taken::now());
        let mut random = Random::new(self.seed);
        let mut next = 1;
        let places = Arc::new(Semaphore::new(self.at_a_time));
        let mut running = JoinSet::new();
        let started = Instant::now();
        while findings.calls < self.calls && findings.wrong.len() < TOLD {
            let subject = &subjects[random.below(subjects.len())];
            let plan = Plan::draw(&mut random, subject, &mut next);
            let count = plan.calls.len();
            let wanted = u32::try_from(count).expect("a batch is small");
            let place = Arc::clone(&places).acquire_many_owned(wanted).await;
            let subject = Arc::clone(subject);
            running.spawn(async move {
                let told = plan.tell(subject).await;
                drop(place);
                told
            });
            let half = self.calls / 2;
            if findings.calls < half && findings.calls + count >= half {
                findings.taken.extend(Taken::now());
            }
            findings.calls += count;
            while let Some(told) = running.try_join_next() {
                findings.add(told);
            }
        }
        while let Some(told) = running.join_next().await {
            findings.add(told);
        }
        findings.elapsed = started.elapsed();
        let threads = findings.taken.first().map(|taken| taken.threads);
        for subject in subjects {
            end::check(subject, tasks, &mut findings).await;
        }
        end::check_threads(threads, &mut findings).await;
        findings.taken.extend(Taken::now());
        findings
    }
}

impl Findings {
    fn add(&mut self, told: Result<Result<story::Told, String>, tokio::task::JoinError>) {
        match told {
            Ok(Ok(told)) => {
                for what in told {
                    *self.ended.entry(what).or_default() += 1;
                }
            }
            Ok(Err(wrong)) => self.wrong.push(wrong),
            Err(error) => self.wrong.push(format!("a caller has failed: {error}")),
        }
    }
}

/// How many tasks of the runtime have not ended.
fn alive_tasks() -> usize {
    tokio::runtime::Handle::current()
        .metrics()
        .num_alive_tasks()
}

/// Keeps the panics that are part of the workload off the terminal.
fn be_silent_about_the_workload() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let words = panic.payload().downcast_ref::<&str>();
            if !words.is_some_and(|words| words.starts_with("stress: ")) {
                before(panic);
            }
        }));
    });
}
