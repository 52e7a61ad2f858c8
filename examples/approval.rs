//! Asks somebody before money is sent, who allows, edits or denies the call.

use serde_json::json;
use tool_core::{ApprovalRequest, Call, Catalogue, Decision, Executor, tool, tools};

/// Send money to somebody.
#[tool(name = "bank-send_money", approval_if = is_worth_asking, destructive)]
async fn send_money(
    /// Who gets it.
    to: String,
    /// How many euros.
    #[schemars(range(min = 1, max = 10_000))]
    euros: u32,
) -> String {
    format!("sent {euros} euros to {to}")
}

fn is_worth_asking(_to: &str, euros: &u32) -> bool {
    *euros > 10
}

/// Stands for a dialog. It shows what will run, after validation and repair.
async fn ask(request: ApprovalRequest) -> Decision {
    println!("  asked: {} {}", request.tool.name(), request.arguments);
    match request.arguments["euros"].as_u64() {
        Some(0..=100) => Decision::Allow,
        Some(101..=1000) => {
            let mut less = request.arguments;
            less["euros"] = json!(100);
            Decision::AllowEdited(less)
        }
        _ => Decision::Deny("that is more than the till holds".to_owned()),
    }
}

async fn run(executor: &Executor, euros: u32) {
    let arguments = json!({ "to": "Ada", "euros": euros });
    println!("{arguments}");
    let outcome = executor
        .call(Call::new("1", "bank-send_money", arguments))
        .await;
    println!("  {}", outcome.text().replace('\n', "\n  "));
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = Catalogue::new(tools![send_money])?;

    let executor = Executor::builder(tools.clone()).approval(ask).build()?;
    for euros in [5, 50, 500, 5000] {
        run(&executor, euros).await;
    }

    println!("\nWithout anybody to ask:");
    let executor = Executor::new(tools)?;
    for euros in [5, 50] {
        run(&executor, euros).await;
    }
    Ok(())
}
