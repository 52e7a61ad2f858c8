//! What runs side by side in a batch, and what does not.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::json;
use tokio::time::sleep;
use tool_core::{Call, Catalogue, Context, Executor, Progress, RunEvent, tool, tools};

type Files = Mutex<BTreeMap<String, String>>;

/// Append a word to a file.
#[tool(name = "files-append_word", sequential(key = "path"))]
async fn append_word(
    /// The file.
    path: String,
    /// The word.
    word: String,
    #[tool(state)] files: &Files,
) {
    let lock = || files.lock().unwrap_or_else(PoisonError::into_inner);
    let text = lock().get(&path).cloned().unwrap_or_default();
    // Side by side with another call for this file, one of the words were lost.
    sleep(Duration::from_millis(2)).await;
    lock().insert(path, format!("{text} {word}"));
}

/// List all files: after the calls before it, before those after it.
#[tool(name = "files-list_files", sequential)]
fn list_files(#[tool(state)] files: &Files) -> String {
    format!("{:?}", files.lock().unwrap_or_else(PoisonError::into_inner))
}

static READERS: AtomicUsize = AtomicUsize::new(0);

/// Read a site that takes two visitors at a time.
#[tool(name = "web-read_site", concurrency = 2)]
async fn read_site(context: &Context) -> bool {
    let readers = READERS.fetch_add(1, Ordering::SeqCst) + 1;
    context.report(Progress::new(1.0).of(2.0));
    sleep(Duration::from_millis(2)).await;
    READERS.fetch_sub(1, Ordering::SeqCst);
    readers <= 2
}

fn append(path: &str, word: &str) -> Call {
    let arguments = json!({ "path": path, "word": word });
    Call::new(word, "files-append_word", arguments)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = Catalogue::new(tools![append_word, list_files, read_site])?;
    let executor = Executor::builder(tools).state(Files::default()).build()?;

    let list = Call::new("list", "files-list_files", "{}");
    let [one, two, three] = [append("a", "one"), append("b", "two"), append("a", "three")];
    let calls = [one, two, three, list.clone(), append("b", "four"), list];
    for outcome in &executor.run(calls).await {
        println!("{}: {}", outcome.call_id, outcome.text());
    }

    let calls = (1..=6).map(|id| Call::new(id.to_string(), "web-read_site", "{}"));
    let mut events = executor.run_stream(calls);
    let (mut progress, mut at_most_two) = (0, 0);
    while let Some(event) = events.next().await {
        match event {
            RunEvent::Progress { .. } => progress += 1,
            RunEvent::Done { outcome, .. } if outcome.text() == "true" => at_most_two += 1,
            _ => {}
        }
    }
    println!("{progress} times progress; {at_most_two} of 6 had at most one beside them");
    Ok(())
}
