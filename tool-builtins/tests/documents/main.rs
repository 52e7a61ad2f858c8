//! Documents, as `files-read_file` gives them. They are made here, byte for byte; those of the shared data come on top.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::panic,
    reason = "a failing test may panic, and what is measured is printed; the configuration covers test functions only"
)]

#[path = "../shared_data/mod.rs"]
mod shared_data;

mod archives;
mod made;
mod mutated;
mod pdf;
mod pictures;
mod shared;
mod slides;
mod structured;
mod word;
mod workbooks;
mod workers;

use serde_json::{Value, json};
use tool_builtins::{OUTSIDE_NOTE, Policy, TOOLS, Worker};
use tool_core::{Call, Catalogue, Executor, Outcome};

/// A policy whose worker is the program of this crate.
fn policy(root: &std::path::Path) -> Policy {
    Policy::new()
        .root(root)
        .worker(Worker::program(env!("CARGO_BIN_EXE_tool-document-worker")))
}

async fn call(policy: &Policy, arguments: Value) -> Outcome {
    let executor = Executor::builder(Catalogue::new(TOOLS).unwrap())
        .state(policy.clone())
        .build()
        .unwrap();
    executor
        .call(Call::new("call_1", "files-read_file", arguments))
        .await
}

/// What a model reads of a file with this name and content.
async fn read(name: &str, content: &[u8], mut arguments: Value) -> Outcome {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join(name), content).unwrap();
    arguments["path"] = json!(name);
    call(&policy(root.path()), arguments).await
}

/// The text of a file that can be read, which is marked as content from outside.
#[track_caller]
fn text_of(outcome: &Outcome) -> String {
    let text = outcome.text();
    assert!(outcome.is_ok(), "{text}");
    let marked = text.strip_suffix(&format!("\n{OUTSIDE_NOTE}"));
    marked.expect("the text is marked").to_owned()
}

/// The message of a file that cannot be read.
#[track_caller]
fn error_of(outcome: &Outcome) -> String {
    assert!(!outcome.is_ok(), "{}", outcome.text());
    outcome.text().into_owned()
}
