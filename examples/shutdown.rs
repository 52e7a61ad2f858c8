//! The end of calls: a tool that blocks its thread for too long, a client that
//! goes, and a program that stops.

use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tool_core::{Call, Catalogue, Executor, Outcome, tool, tools};

/// Wait for a message.
#[tool(name = "queue-wait")]
async fn wait(#[tool(state)] begun: &Notify) -> String {
    begun.notify_one();
    // None ever comes. When the call ends, the function ends here.
    std::future::pending().await
}

/// Stands for a driver that knows no timeout: it blocks until it is let go.
struct Driver(Mutex<mpsc::Receiver<()>>);

/// Read a sensor through an old driver.
#[tool(name = "sensors-read_sensor", timeout = 0.3)]
fn read_sensor(#[tool(state)] driver: &Driver) -> String {
    let answers = driver.0.lock().unwrap_or_else(PoisonError::into_inner);
    format!("{:?}", answers.recv())
}

fn first_line(outcome: &Outcome) -> String {
    outcome.text().lines().next().unwrap_or_default().to_owned()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (let_go, answers) = mpsc::channel();
    let begun = Arc::new(Notify::new());
    let executor = Executor::builder(Catalogue::new(tools![wait, read_sensor])?)
        .shared_state(begun.clone())
        .state(Driver(Mutex::new(answers)))
        .build()?;
    let call = |name: &str| Call::new("1", name, "{}");

    println!("A tool blocks its thread:");
    let outcome = executor.call(call("sensors-read_sensor")).await;
    println!("  {}", outcome.text().replace('\n', "\n  "));
    println!("  left running: {}", executor.left_running());

    println!("A client goes:");
    let connection = CancellationToken::new();
    let session = executor.session().cancelled_by(connection.clone());
    let waiting = tokio::spawn(async move { session.call(call("queue-wait")).await });
    begun.notified().await;
    connection.cancel();
    println!("  {}", first_line(&waiting.await?));

    println!("The program stops:");
    let last = executor.clone();
    let waiting = tokio::spawn(async move { last.call(call("queue-wait")).await });
    begun.notified().await;
    let shutdown = executor.shutdown(Duration::from_millis(50)).await;
    println!("  {}", first_line(&waiting.await?));
    println!("  cancelled: {}", shutdown.cancelled);
    println!("  {}", first_line(&executor.call(call("queue-wait")).await));

    // The runtime waits for its threads at its own end.
    drop(let_go);
    Ok(())
}
