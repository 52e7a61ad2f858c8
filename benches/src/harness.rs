//! Takes samples of several rows in turn and prints them as one table.
//!
//! On a shared machine the speed of a core changes by a third from one minute
//! to the next. A ratio therefore means something only if both rows were
//! measured in the same run, a few milliseconds apart: each round takes one
//! short sample of every row.

use std::{
    future::Future,
    hint::black_box,
    time::{Duration, Instant},
};

use futures_util::future::BoxFuture;
use tokio::runtime::Runtime;

/// Long enough to hide the clock, short enough that many samples escape the
/// scheduler of a busy machine.
const SAMPLE: Duration = Duration::from_millis(4);

/// Rounds when the command line names no other number.
const ROUNDS: usize = 60;

/// Where a row is called from, which decides what handing over to another
/// task costs: the thread that blocks on the runtime must be woken up, a
/// worker of the runtime takes its own next task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// The main thread, as in the body of `#[tokio::main]`.
    Main,
    /// A task on a worker thread, as in the handler of a server.
    Task,
}

/// One line of the table: something to call again and again.
pub struct Row {
    name: &'static str,
    caller: Caller,
    compared_with: Option<&'static str>,
    aim: Option<f64>,
    sample: Box<dyn Fn(u32) -> BoxFuture<'static, Duration>>,
    answers_rightly: Box<dyn Fn() -> BoxFuture<'static, bool>>,
}

impl Row {
    /// A row that measures `call`. `is_right` sees one answer before anything
    /// is measured, so that a row cannot win by failing early.
    pub fn new<Call, Pending, Answer>(
        name: &'static str,
        is_right: fn(&Answer) -> bool,
        call: Call,
    ) -> Self
    where
        Call: Fn() -> Pending + Copy + Send + Sync + 'static,
        Pending: Future<Output = Answer> + Send,
        Answer: Send + 'static,
    {
        Self {
            name,
            caller: Caller::Main,
            compared_with: None,
            aim: None,
            // The loop is inside the box: boxing each call would add to every row.
            sample: Box::new(move |calls| {
                Box::pin(async move {
                    let start = Instant::now();
                    for _ in 0..calls {
                        black_box(call().await);
                    }
                    start.elapsed()
                })
            }),
            answers_rightly: Box::new(move || Box::pin(async move { is_right(&call().await) })),
        }
    }

    /// Calls the row from there instead of from the main thread.
    #[must_use]
    pub fn called_from(mut self, caller: Caller) -> Self {
        self.caller = caller;
        self
    }

    /// Prints the ratio to the row of that name.
    #[must_use]
    pub fn compared_with(mut self, name: &'static str) -> Self {
        self.compared_with = Some(name);
        self
    }

    /// Prints whether the ratio of the medians is at most `ratio`.
    #[must_use]
    pub fn aim(mut self, ratio: f64) -> Self {
        self.aim = Some(ratio);
        self
    }

    fn take_sample(&self, runtime: &Runtime, calls: u32) -> Duration {
        self.run(runtime, (self.sample)(calls))
    }

    fn run<T: Send + 'static>(&self, runtime: &Runtime, work: BoxFuture<'static, T>) -> T {
        match self.caller {
            Caller::Main => runtime.block_on(work),
            Caller::Task => runtime
                .block_on(runtime.spawn(work))
                .unwrap_or_else(|error| panic!("`{}` panicked: {error}", self.name)),
        }
    }

    /// How many calls fill a sample. Finding out warms the row up.
    fn calls_per_sample(&self, runtime: &Runtime) -> u32 {
        let mut calls = 1_u32;
        loop {
            let elapsed = self.take_sample(runtime, calls);
            if elapsed >= SAMPLE / 4 {
                let wanted = u128::from(calls) * SAMPLE.as_nanos() / elapsed.as_nanos();
                return u32::try_from(wanted).unwrap_or(u32::MAX).max(1);
            }
            calls = calls.saturating_mul(2);
        }
    }
}

/// Measures the rows and prints the table. The number of rounds is the first
/// argument of the command line.
///
/// # Panics
///
/// If a row answers wrongly, or is compared with a row that is not there.
pub fn measure_and_print(runtime: &Runtime, rows: &[Row]) {
    let rounds = std::env::args()
        .nth(1)
        .map_or(ROUNDS, |argument| match argument.parse() {
            Ok(rounds) if rounds > 0 => rounds,
            _ => panic!("`{argument}` is not a number of rounds"),
        });
    let measured = measure(runtime, rows, rounds);
    println!(
        "{rounds} rounds, in each one sample of about {} ms a row; ns per call\n",
        SAMPLE.as_millis()
    );
    println!("| path | minimum | median | compared with | by minimum | by median | aim |");
    println!("|---|---:|---:|---|---:|---:|---|");
    for (row, own) in rows.iter().zip(&measured) {
        let comparison = row.compared_with.map_or_else(
            || "| | | ".to_owned(),
            |name| {
                let other = rows
                    .iter()
                    .position(|row| row.name == name)
                    .unwrap_or_else(|| panic!("`{}` is compared with no row `{name}`", row.name));
                comparison(row, own, name, &measured[other])
            },
        );
        println!(
            "| {} | {:.0} | {:.0} | {comparison}|",
            row.name, own.minimum, own.median
        );
    }
}

/// What the samples of one row come to, in nanoseconds per call.
struct Measured {
    minimum: f64,
    median: f64,
}

fn measure(runtime: &Runtime, rows: &[Row], rounds: usize) -> Vec<Measured> {
    for row in rows {
        assert!(
            row.run(runtime, (row.answers_rightly)()),
            "`{}` answers wrongly",
            row.name
        );
    }
    let calls: Vec<u32> = rows
        .iter()
        .map(|row| row.calls_per_sample(runtime))
        .collect();
    let mut samples = vec![Vec::with_capacity(rounds); rows.len()];
    for round in 0..rounds {
        for offset in 0..rows.len() {
            // Each round starts elsewhere, so that no row always follows the
            // same neighbour's caches or falls on the same tick.
            let index = (round + offset) % rows.len();
            let elapsed = rows[index].take_sample(runtime, calls[index]);
            samples[index].push(elapsed.as_secs_f64() * 1e9 / f64::from(calls[index]));
        }
    }
    samples.into_iter().map(summarise).collect()
}

fn summarise(mut samples: Vec<f64>) -> Measured {
    samples.sort_by(f64::total_cmp);
    Measured {
        minimum: samples[0],
        median: samples[samples.len() / 2],
    }
}

fn comparison(row: &Row, own: &Measured, name: &str, other: &Measured) -> String {
    let by_median = own.median / other.median;
    let aim = row.aim.map_or_else(String::new, |aim| {
        let verdict = if by_median <= aim { "met" } else { "missed" };
        format!("≤ {aim} {verdict} ")
    });
    format!(
        "{name} | {:.2} | {by_median:.2} | {aim}",
        own.minimum / other.minimum
    )
}
