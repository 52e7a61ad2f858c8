//! The floor: what a careful programmer writes without any tool crate.

use std::{collections::HashMap, panic::AssertUnwindSafe, time::Duration};

use futures_util::{FutureExt, future::BoxFuture};
use serde::Deserialize;

use crate::{
    harness::{Caller, Row},
    workload::{Failure, Forecast, NAMES, TOOL, arguments, is_answer},
};

/// The row that only looks up, parses, runs and serialises.
pub const PLAIN: &str = "hand: table of 50, boxed async fn";
/// The row that also survives a panic and a tool that never ends.
pub const GUARDED: &str = "hand: + timeout + catch_unwind";
/// The guarded row in a task of its own, called from the main thread.
pub const ISOLATED_FROM_MAIN: &str = "hand: + tokio::spawn, from main";
/// The guarded row in a task of its own, called from another task.
pub const ISOLATED_FROM_TASK: &str = "hand: + tokio::spawn, from a task";

const TIMEOUT: Duration = Duration::from_secs(30);

/// Fifty handlers by name.
type Table = HashMap<&'static str, Handler>;
type Handler = Box<dyn for<'a> Fn(&'a str) -> BoxFuture<'a, Result<String, Failure>> + Send + Sync>;

#[derive(Deserialize)]
struct Arguments {
    city: String,
    days: Option<u32>,
}

/// The rows that all others are compared with.
pub fn rows() -> Vec<Row> {
    let table: &'static Table = Box::leak(Box::new(table()));
    vec![
        Row::new(PLAIN, is_answer, move || plain(table, TOOL, arguments())),
        Row::new(GUARDED, is_answer, move || {
            guarded(table, TOOL, arguments())
        })
        .compared_with(PLAIN),
        Row::new(ISOLATED_FROM_MAIN, is_answer, move || {
            isolated(table, TOOL, arguments())
        })
        .compared_with(PLAIN),
        Row::new(ISOLATED_FROM_TASK, is_answer, move || {
            isolated(table, TOOL, arguments())
        })
        .called_from(Caller::Task)
        .compared_with(PLAIN),
    ]
}

fn table() -> Table {
    NAMES
        .into_iter()
        .map(|name| {
            let handler: Handler = Box::new(|arguments| Box::pin(forecast(arguments)));
            (name, handler)
        })
        .collect()
}

async fn forecast(arguments: &str) -> Result<String, Failure> {
    let Arguments { city, days } = serde_json::from_str(arguments)?;
    Ok(serde_json::to_string(&Forecast::new(city, days))?)
}

async fn plain(table: &Table, name: &str, arguments: &str) -> Result<String, Failure> {
    let handler = table.get(name).ok_or("no such tool")?;
    handler(arguments).await
}

async fn guarded(table: &Table, name: &str, arguments: &str) -> Result<String, Failure> {
    let call = AssertUnwindSafe(plain(table, name, arguments)).catch_unwind();
    match tokio::time::timeout(TIMEOUT, call).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_panic)) => Err("the tool panicked".into()),
        Err(elapsed) => Err(elapsed.into()),
    }
}

async fn isolated(table: &'static Table, name: &str, arguments: &str) -> Result<String, Failure> {
    // A task outlives its caller, so it owns what a request would lend it.
    let (name, arguments) = (name.to_owned(), arguments.to_owned());
    tokio::spawn(async move { guarded(table, &name, &arguments).await }).await?
}
