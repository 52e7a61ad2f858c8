//! A call waits for a person: it is put into a file, and goes on in another
//! process, exactly as it was recorded, and once.

use std::fs;

use serde_json::{Value, json};
use tool_core::{ApprovalKey, Call, Decision, Dialect, Executor, ExecutorError, Pending};
use tool_core::{Catalogue, tool, tools};

/// Send money to somebody.
#[tool(name = "bank-send_money", approval, destructive)]
async fn send_money(
    /// Who gets it.
    to: String,
    /// How many euros.
    euros: u32,
) -> String {
    format!("sent {euros} euros to {to}")
}

/// What each process starts with. Both have the key from the same secret store.
fn executor() -> Result<Executor, ExecutorError> {
    let tools = Catalogue::new(tools![send_money]).map_err(ExecutorError::Catalogue)?;
    Executor::builder(tools)
        .approval_key(ApprovalKey::new([7; 32]))
        .approval(|_| async { Decision::Later })
        .build()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("pending.json");

    // The first process: nobody is there to decide, so the turn ends.
    let call = Call::new("call_1", "bank-send_money", r#"{"to":"Ada","euros":50}"#);
    let batch = executor()?.run([call]).await;
    println!("{}", batch[0].text());
    if batch.is_interrupted() {
        let waiting: Vec<&Pending> = batch.pending().collect();
        fs::write(&file, serde_json::to_vec_pretty(&waiting)?)?;
    }

    // Another process, hours later.
    let executor = executor()?;
    let mut stored: Value = serde_json::from_slice(&fs::read(&file)?)?;
    let [pending]: [Pending; 1] = serde_json::from_value(stored.clone())?;
    println!("\nstored: {} {}", pending.tool, pending.arguments);

    stored[0]["arguments"] = json!({ "to": "Eve", "euros": 5000 });
    let [forged]: [Pending; 1] = serde_json::from_value(stored)?;
    if let Err(error) = executor.resume(&forged, Decision::Allow).await {
        println!("forged: {error}");
    }

    let outcome = executor.resume(&pending, Decision::Allow).await?;
    println!("allowed: {}", Dialect::OpenAi.results([&outcome])[0]);

    if let Err(error) = executor.resume(&pending, Decision::Allow).await {
        println!("again: {error}");
    }
    Ok(())
}
