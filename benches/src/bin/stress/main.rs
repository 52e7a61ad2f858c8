//! The stress test's workload with very many calls: how many calls a second,
//! what the process takes at the start, half way and at the end, and how often
//! each behaviour has ended in each way.
//!
//! ```text
//! cargo run --release --no-default-features --bin stress [CALLS [SEED]]
//! ```

#[path = "../../../../tests/stress/workload/mod.rs"]
mod workload;

use std::process::ExitCode;

use workload::{Findings, Stress};

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|argument| {
        argument
            .parse()
            .unwrap_or_else(|_| panic!("`{argument}` is not a number"))
    });
    let stress = Stress {
        calls: numbers.next().unwrap_or(1_000_000),
        at_a_time: 1000,
        seed: numbers.next().map_or(1, |seed| seed as u64),
        isolation: true,
    };
    let findings = stress.run();
    print(&findings);
    for wrong in &findings.wrong {
        eprintln!("{wrong}");
    }
    if findings.wrong.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn print(findings: &Findings) {
    let seconds = findings.elapsed.as_secs_f64();
    println!(
        "{} calls in {seconds:.1} s: {:.0} calls per second\n",
        findings.calls,
        findings.calls as f64 / seconds
    );
    println!("| | resident, MiB | threads |");
    println!("|---|---:|---:|");
    for (when, taken) in ["start", "half way", "end"].iter().zip(&findings.taken) {
        println!("| {when} | {} | {} |", taken.mebibytes(), taken.threads);
    }
    println!("\n| a call that is to | has ended | times |");
    println!("|---|---|---:|");
    for ((word, ended), times) in &findings.ended {
        println!("| {word} | {ended} | {times} |");
    }
}
