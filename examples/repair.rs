//! Runs calls as models really send them: what is mended, and what is refused.

use schemars::JsonSchema;
use serde::Deserialize;
use tool_core::{Call, Catalogue, Executor, tool, tools};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum State {
    Open,
    Closed,
}

/// Search the orders of a customer.
#[tool(name = "orders-search_orders", read_only)]
fn search_orders(
    /// The customer's number.
    customer: String,
    /// How many orders to return.
    #[tool(default = 20)]
    #[schemars(range(min = 1, max = 100))]
    limit: u8,
    /// Only orders in this state.
    state: Option<State>,
) -> String {
    let state = match state {
        Some(State::Open) => "open",
        Some(State::Closed) => "closed",
        None => "any state",
    };
    format!("{customer}: {limit} orders, {state}")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let executor = Executor::new(Catalogue::new(tools![search_orders])?)?;
    for arguments in [
        r#"{"customer":"A-17","limit":"5","state":"Open"}"#,
        "{'customer': 'A-17', 'state': None,}",
        r#"{"custmer":"A-17","limit":5}"#,
        r#"{"customer":"A-17","limit":500}"#,
        r#"{"customer":"A-1"#,
    ] {
        let outcome = executor
            .call(Call::new("1", "orders-search_orders", arguments))
            .await;
        println!("{arguments}\n  {}", outcome.text().replace('\n', "\n  "));
        for repair in &outcome.repairs {
            println!("  mended {repair}");
        }
    }
    Ok(())
}
