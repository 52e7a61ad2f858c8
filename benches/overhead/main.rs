//! What all that an executor does now costs beside the foundation, the executor
//! before it had hooks, rules, sessions and telemetry. `overhead.py` builds it.

mod declared;
mod subscriber;

use std::sync::OnceLock;

use tool_benches::harness::{Caller, Row, measure_and_print};
use tool_benches::workload::{Failure, TOOL, arguments, is_answer};
use tool_core::{
    Decision, Executor, Hook, HookedCall, Next, Output, ResultStore, Rule, Selector, Session,
    ToolError, UsageLimits,
};

/// What a name of a row begins with, and from where it is called.
const WAYS: [(&str, bool, Caller); 3] = [
    ("isolation off", false, Caller::Main),
    ("from main", true, Caller::Main),
    ("from a task", true, Caller::Task),
];

fn main() -> std::io::Result<()> {
    let runtime = tokio::runtime::Runtime::new()?;
    println!("Nobody listens to spans and events:\n");
    let mut rows = Vec::new();
    for way in WAYS {
        rows.push(foundation_row(way));
        rows.push(plain_row(way));
        rows.push(full_row(way, "all on but a subscriber", None));
    }
    measure_and_print(&runtime, &rows);

    subscriber::install();
    println!("\nA subscriber takes every span and event:\n");
    let mut rows = Vec::new();
    for way in WAYS {
        rows.push(foundation_row(way));
        rows.push(full_row(way, "all on", Some(2.0)));
    }
    measure_and_print(&runtime, &rows);
    Ok(())
}

fn foundation_row((way, isolation, caller): (&str, bool, Caller)) -> Row {
    let executor: &'static foundation::Executor = Box::leak(Box::new(
        foundation::Executor::builder(declared::of_the_foundation())
            .isolation(isolation)
            .build()
            .expect("no tool has state"),
    ));
    Row::new(named(way, "foundation"), is_answer, move || async move {
        let call = foundation::Call::new("call_1", TOOL, arguments());
        match executor.call(call).await.result {
            Ok(output) => Ok(output.into_text()),
            Err(error) => Err(Failure::from(error.to_model())),
        }
    })
    .called_from(caller)
}

fn plain_row((way, isolation, caller): (&str, bool, Caller)) -> Row {
    let executor: &'static Executor = Box::leak(Box::new(
        Executor::builder(declared::of_today())
            .isolation(isolation)
            .build()
            .expect("no tool has state"),
    ));
    Row::new(named(way, "nothing on"), is_answer, move || async move {
        let call = tool_core::Call::new("call_1", TOOL, arguments());
        answer(executor.call(call).await)
    })
    .called_from(caller)
    .compared_with(named(way, "foundation"))
    .aim(1.05)
}

fn full_row((way, isolation, caller): (&str, bool, Caller), what: &str, aim: Option<f64>) -> Row {
    let session: &'static Session = Box::leak(Box::new(full(isolation)));
    let row = Row::new(named(way, what), is_answer, move || async move {
        let call = tool_core::Call::new("call_1", TOOL, arguments());
        answer(session.call(call).await)
    })
    .called_from(caller)
    .compared_with(named(way, "foundation"));
    match aim {
        Some(aim) => row.aim(aim),
        None => row,
    }
}

fn answer(outcome: tool_core::Outcome) -> Result<String, Failure> {
    match outcome.result {
        Ok(output) => Ok(output.into_text()),
        Err(error) => Err(error.to_model().into()),
    }
}

/// A session of an executor with everything that a host can switch on. None of
/// the rules is about the tool that is called, which so asks its `approval_if`.
fn full(isolation: bool) -> Session {
    let limits = UsageLimits::new()
        .calls(usize::MAX)
        .calls_of(TOOL, usize::MAX)
        .time(std::time::Duration::from_secs(60 * 60));
    Executor::builder(declared::that_may_ask())
        .isolation(isolation)
        .hook(Seen)
        .rule(Rule::deny(Selector::named("tool_00"), "not today"))
        .rule(Rule::ask(Selector::named("tool_01")))
        .rule(Rule::allow(Selector::named("tool_02")))
        .approval(|_| async { Decision::Deny("nobody is asked".to_owned()) })
        .keep_results(ResultStore::new())
        .secret("hunter2-hunter2")
        .build()
        .expect("no tool has state")
        .session()
        .limits(limits)
}

/// A hook that has a part in everything and changes nothing.
struct Seen;

impl Hook for Seen {
    async fn before(&self, _call: &mut HookedCall) -> Result<tool_core::Before, ToolError> {
        Ok(tool_core::Before::Go)
    }

    async fn around(&self, _call: &HookedCall, next: Next<'_>) -> Result<Output, ToolError> {
        next.run().await
    }

    async fn after(&self, _call: &HookedCall, output: Output) -> Result<Output, ToolError> {
        Ok(output)
    }

    async fn on_error(&self, _call: &HookedCall, error: ToolError) -> Result<Output, ToolError> {
        Err(error)
    }
}

/// The name of a row, once for all that name it: rows live for the whole run.
fn named(way: &str, what: &str) -> &'static str {
    static NAMES: OnceLock<std::sync::Mutex<Vec<&'static str>>> = OnceLock::new();
    let name = format!("{way}: {what}");
    let mut names = NAMES
        .get_or_init(Default::default)
        .lock()
        .expect("nothing panics while it is held");
    if let Some(known) = names.iter().find(|known| **known == name) {
        return known;
    }
    let name: &'static str = Box::leak(name.into_boxed_str());
    names.push(name);
    name
}
