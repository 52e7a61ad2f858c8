//! A password that the model sends, and a key that the program holds: the
//! tool uses both, and nothing that leaves shows them.

use serde_json::json;
use tool_core::{ApprovalRequest, Call, Catalogue, Decision, Executor, Secret, ToolError};
use tool_core::{tool, tools};

/// What the program holds.
struct Shop {
    key: Secret<String>,
}

/// Log a customer in.
#[tool(name = "shop-log_in", approval)]
async fn log_in(
    /// The customer's user name.
    user: String,
    /// The customer's password.
    password: Secret<String>,
    #[tool(state)] shop: &Shop,
) -> Result<String, ToolError> {
    // A careless tool: it puts into its messages what it should keep.
    let request = format!("{user}:{}@{}", password.expose(), shop.key.expose());
    match user.as_str() {
        "ada" => Ok(format!("sent {request}, Authorization: Bearer abc.DEF-123")),
        _ => Err(ToolError::new(format!("refused {request}"))),
    }
}

async fn ask(request: ApprovalRequest) -> Decision {
    println!("  asked: {}", request.arguments);
    Decision::Allow
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let shop = Shop {
        key: Secret::new("the key of the shop".to_owned()),
    };
    let executor = Executor::builder(Catalogue::new(tools![log_in])?)
        .state(shop)
        .approval(ask)
        .build()?;
    for arguments in [
        json!({ "user": "ada", "password": "correct horse" }),
        json!({ "user": "bob", "password": "battery staple" }),
        json!({ "user": "eve", "password": ["battery staple"] }),
    ] {
        let call = Call::new("1", "shop-log_in", arguments);
        println!("{}", call.arguments.to_text());
        let outcome = executor.call(call).await;
        let text = outcome.text();
        println!("  {}", text.lines().next().unwrap_or_default());
    }
    Ok(())
}
