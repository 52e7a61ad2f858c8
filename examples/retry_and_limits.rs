//! Trying again: by the host without the model, by the model with something
//! changed. And the limits of a run that goes astray.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::json;
use tool_core::{Call, Catalogue, Executor, Outcome, Retry, ToolError, UsageLimits, tool, tools};

/// Find free rooms.
#[tool(name = "rooms-find_rooms", read_only, retries = 2)]
async fn find_rooms(
    /// The first night, such as 12.
    from: u8,
    /// The last night.
    to: u8,
    #[tool(state)] runs: &AtomicU32,
) -> Result<String, ToolError> {
    if from > to {
        return Err(ToolError::retry("`from` is after `to`: swap them"));
    }
    match runs.fetch_add(1, Ordering::Relaxed) {
        0 | 1 => Err(ToolError::new("the service is busy").retryable()),
        _ => Ok(format!("room 7 is free from {from} to {to}")),
    }
}

/// Book a room.
#[tool(name = "rooms-book_room", rate = "2/1h")]
async fn book_room() -> &'static str {
    "booked"
}

fn find(from: u8, to: u8) -> Call {
    Call::new("1", "rooms-find_rooms", json!({ "from": from, "to": to }))
}

fn book() -> Call {
    Call::new("2", "rooms-book_room", "{}")
}

fn show(outcome: &Outcome) {
    println!("  {}", outcome.text().replace('\n', "\n  "));
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let executor = Executor::builder(Catalogue::new(tools![find_rooms, book_room])?)
        .state(AtomicU32::new(0))
        .hook(Retry::new().times(3).first_wait(Duration::from_millis(5)))
        .build()?;

    println!("A service that is busy twice:");
    show(&executor.call(find(12, 14)).await);

    println!("A model that does not listen:");
    let session = executor.session();
    for _ in 0..3 {
        show(&session.call(find(14, 12)).await);
    }

    println!("A run that may make five calls, two of them searches:");
    let limits = UsageLimits::new().calls(5).calls_of("rooms-find_rooms", 2);
    let session = executor.session().limits(limits);
    for call in [find(1, 2), find(2, 3), find(3, 4)] {
        show(&session.call(call).await);
    }

    println!("A tool that may be called twice an hour:");
    for outcome in &session.run([book(), book(), book()]).await {
        // Below it the model is told when to try again, which depends on the clock.
        println!("  {}", outcome.text().lines().next().unwrap_or_default());
    }
    println!("{} calls were made", session.calls_made());
    Ok(())
}
