//! Code of the host around every call: a log for the auditor, an argument that
//! is masked before it goes anywhere, and a dry run.

use serde_json::json;
use tool_core::{Before, Call, Catalogue, Executor, Hook, HookedCall, Output, ToolError};
use tool_core::{tool, tools};

/// Look up the orders of a customer.
#[tool(name = "orders-find_orders", read_only)]
fn find_orders(
    /// The customer's mail address or name.
    customer: String,
) -> Result<String, ToolError> {
    if customer == "nobody" {
        return Err(ToolError::new("there is no such customer"));
    }
    Ok(format!("2 orders of {customer}"))
}

/// Cancel an order.
#[tool(name = "orders-cancel_order", destructive)]
fn cancel_order(
    /// Its number.
    number: u32,
) {
    println!("  order {number} is cancelled");
}

/// Writes down each call, with what the other hooks have made of it.
struct Audit;

impl Hook for Audit {
    async fn after(&self, call: &HookedCall, output: Output) -> Result<Output, ToolError> {
        println!("  log: {} ok", call.arguments());
        Ok(output)
    }

    async fn on_error(&self, call: &HookedCall, error: ToolError) -> Result<Output, ToolError> {
        println!("  log: {} {}", call.arguments(), error.kind());
        Err(error)
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let executor = Executor::builder(Catalogue::new(tools![find_orders, cancel_order])?)
        .hook(Audit)
        // No mail address goes any further.
        .before(|call| {
            let customer = call.arguments()["customer"].as_str().unwrap_or_default();
            if let Some((name, _)) = customer.split_once('@') {
                let masked = json!({ "customer": name });
                call.set_arguments(masked);
            }
            Ok(Before::Go)
        })
        // A dry run: what would change something does not run.
        .before(
            |call| match call.tool().definition().annotations.read_only {
                Some(true) => Ok(Before::Go),
                _ => Ok(Before::Answer(Output::from("nothing was changed"))),
            },
        )
        .build()?;
    for (name, arguments) in [
        (
            "orders-find_orders",
            json!({ "customer": "ada@example.com" }),
        ),
        ("orders-find_orders", json!({ "customer": "nobody" })),
        ("orders-cancel_order", json!({ "number": 7 })),
        ("orders-cancel_order", json!({ "number": "seven" })),
    ] {
        println!("{name} {arguments}");
        let outcome = executor.call(Call::new("1", name, arguments)).await;
        println!("  {}", outcome.text().lines().next().unwrap_or_default());
    }
    Ok(())
}
