// dependencies: futures-util llm-tool schemars serde serde_json

use std::error::Error;

use futures_util::FutureExt;
use llm_tool::{ToolContext, ToolRegistry, llm_tool};
use serde::Serialize;

#[derive(Serialize)]
struct Forecast {
    city: String,
    days: u32,
}

// for each tool
/// Forecasts the weather of city NUMBER.
#[llm_tool]
async fn tool_NUMBER(
    /// The city.
    city: String,
    /// How many days.
    days: Option<u32>,
) -> Forecast {
    Forecast { city, days: days.unwrap_or(1) }
}

// end
async fn call(registry: &ToolRegistry, name: &str, arguments: &str) -> Result<String, Box<dyn Error>> {
    let output = registry.dispatch_str(name, arguments, &ToolContext::new()).await?;
    Ok(output.into_content())
}

fn main() -> Result<(), Box<dyn Error>> {
    let registry = ToolRegistry::new()
        // for each tool
        .with_tool(ToolNUMBER)
        // end
        ;
    println!("{}", serde_json::to_string(&registry.definitions())?);
    let answer = call(&registry, "tool_00", r#"{"city":"Berlin","days":3}"#).now_or_never();
    println!("{}", answer.ok_or("no tool waits")??);
    Ok(())
}
