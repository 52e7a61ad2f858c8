// dependencies: futures-util rig-core serde serde_json

use std::error::Error;

use futures_util::FutureExt;
use rig_core::{
    rig_tool,
    tool::{ErasedTool, ToolContext, ToolExecutionError},
};
use serde::Serialize;
use serde_json::{Value, json};

#[derive(Serialize)]
struct Forecast {
    city: String,
    days: u32,
}

// for each tool
/// Forecasts the weather of city NUMBER.
#[rig_tool]
async fn tool_NUMBER(
    /// The city.
    city: String,
    /// How many days.
    days: Option<u32>,
) -> Result<Forecast, ToolExecutionError> {
    Ok(Forecast { city, days: days.unwrap_or(1) })
}

// end
fn tools() -> Vec<Box<dyn ErasedTool>> {
    vec![
        // for each tool
        Box::new(ToolNUMBER),
        // end
    ]
}

fn definition(tool: &dyn ErasedTool) -> Value {
    json!({
        "name": tool.name(),
        "description": tool.description(),
        "parameters": tool.parameters(),
    })
}

async fn call(tools: &[Box<dyn ErasedTool>], name: &str, arguments: &str) -> Result<String, Box<dyn Error>> {
    let tool = tools.iter().find(|tool| tool.name() == name).ok_or("no such tool")?;
    let result = tool.execute(arguments.to_owned(), &mut ToolContext::new()).await;
    Ok(result.into_result()?.render())
}

fn main() -> Result<(), Box<dyn Error>> {
    let tools = tools();
    let definitions: Vec<Value> = tools.iter().map(|tool| definition(tool.as_ref())).collect();
    println!("{}", serde_json::to_string(&definitions)?);
    let answer = call(&tools, "tool_00", r#"{"city":"Berlin","days":3}"#).now_or_never();
    println!("{}", answer.ok_or("no tool waits")??);
    Ok(())
}
