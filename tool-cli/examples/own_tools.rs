//! A program that has the command `tool` for its own tools.
//!
//! Try `cargo run --example own_tools -- list demo`, and
//! `cargo run --example own_tools -- call demo-wait '{"seconds":3}'`.

use std::process::ExitCode;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_core::{Context, File, Json, Progress, ToolError, tool};

/// What the tools share.
struct Shop {
    orders: Vec<Order>,
}

#[derive(Clone, Serialize, JsonSchema)]
struct Order {
    number: u32,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum State {
    Open,
    Shipped,
}

/// Search the orders of the shop.
///
/// Newest first.
#[tool(
    name = "demo-search_orders",
    title = "Search orders",
    read_only,
    timeout = 5
)]
fn search_orders(
    /// Only orders in this state.
    state: State,
    /// How many orders to return.
    #[tool(default = 20)]
    #[schemars(range(min = 1, max = 100))]
    limit: u32,
    #[tool(state)] shop: &Shop,
) -> Json<Vec<Order>> {
    let found = shop
        .orders
        .iter()
        .rev()
        .filter(|order| order.state == state);
    Json(found.take(limit as usize).cloned().collect())
}

/// Greet somebody by name.
#[tool(name = "demo-greet")]
fn greet(
    /// Whom to greet.
    #[tool(example = "it's Ada")]
    name: String,
    /// How to greet.
    greeting: Option<String>,
) -> String {
    format!("{}, {name}!", greeting.as_deref().unwrap_or("Hello"))
}

/// Make files with these names.
#[tool(name = "demo-make_files")]
fn make_files(
    /// The names.
    names: Vec<String>,
) -> (String, Vec<File>) {
    let text = format!("{} made", names.len());
    let file = |name| File::new(name, "text/plain", "content").with_description("a file");
    (text, names.into_iter().map(file).collect())
}

/// Fail with a message.
#[tool(name = "demo-fail")]
fn fail(
    /// The message.
    message: String,
) -> Result<String, ToolError> {
    Err(ToolError::new(message).with_hint("do not call it"))
}

/// Wait and report progress.
#[tool(name = "demo-wait")]
async fn wait(
    /// How long to wait.
    #[schemars(range(min = 0.0, max = 3600.0))]
    seconds: f64,
    context: &Context,
) -> String {
    for tenth in 0..10_u8 {
        let message = format!("tenth {tenth} \x1b[31m");
        context.report(Progress::new(f64::from(tenth)).of(10.0).message(message));
        tokio::time::sleep(Duration::from_secs_f64(seconds / 10.0)).await;
    }
    "rested".to_owned()
}

/// Delete an order for good.
#[tool(name = "demo-delete_order", approval, destructive)]
fn delete_order(
    /// The number of the order.
    number: u32,
) -> String {
    format!("order {number} is gone")
}

/// Reserve an article for a customer.
#[tool(
    name = "demo-reserve_article",
    sequential(key = "article"),
    concurrency = 4,
    rate = "10/1m",
    max_output = 2000,
    retries = 1
)]
fn reserve_article(
    /// The number of the article.
    article: u32,
) -> String {
    format!("article {article} is reserved")
}

/// Count the stock while nobody takes from it.
#[tool(name = "demo-count_stock", sequential, concurrency = 1, retries = 0)]
fn count_stock() -> u32 {
    3
}

/// Ask the customer something.
#[tool(name = "demo-ask_customer", kind = "interrupt")]
fn ask_customer(
    /// The question.
    question: String,
) -> String {
    format!("asked: {question}")
}

/// Give back text that tries to drive the terminal.
#[tool(name = "demo-paint")]
fn paint() -> &'static str {
    "\x1b[2J\x1b]0;owned\x07red\u{9b}31m\n\tend"
}

/// Panic.
#[tool(name = "demo-panic")]
fn panic(
    /// The last words.
    words: String,
) {
    panic!("{words}")
}

fn main() -> ExitCode {
    let orders = [(1, State::Open), (2, State::Shipped), (3, State::Open)];
    let orders = orders
        .map(|(number, state)| Order { number, state })
        .to_vec();
    tool_cli::Cli::new()
        .version(env!("CARGO_PKG_VERSION"))
        .executor(|builder| builder.state(Shop { orders }))
        .run()
}
