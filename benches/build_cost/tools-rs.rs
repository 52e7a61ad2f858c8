// dependencies: futures-util inventory serde serde_json tools-rs tools_core tools_macros

use std::error::Error;

use futures_util::FutureExt;
use serde::Serialize;
use tools_rs::{FunctionCall, ToolCollection, tool};

#[derive(Serialize)]
struct Forecast {
    city: String,
    days: u32,
}

// for each tool
/// Forecasts the weather of city NUMBER.
#[tool]
async fn tool_NUMBER(city: String, days: Option<u32>) -> Forecast {
    Forecast { city, days: days.unwrap_or(1) }
}

// end
async fn call(tools: &ToolCollection, name: &str, arguments: &str) -> Result<String, Box<dyn Error>> {
    let call = FunctionCall { id: None, name: name.to_owned(), arguments: serde_json::from_str(arguments)? };
    Ok(serde_json::to_string(&tools.call(call).await?.result)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let tools = ToolCollection::collect_tools()?;
    println!("{}", tools.json()?);
    let answer = call(&tools, "tool_00", r#"{"city":"Berlin","days":3}"#).now_or_never();
    println!("{}", answer.ok_or("no tool waits")??);
    Ok(())
}
