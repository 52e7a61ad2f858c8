// dependencies: schemars serde serde_json tokio tool-core

use std::error::Error;

use schemars::JsonSchema;
use serde::Serialize;
use tool_core::{Call, Dialect, Executor, Json, catalogue};

#[derive(Serialize, JsonSchema)]
struct Forecast {
    city: String,
    days: u32,
}

// for each tool
/// Forecasts the weather of city NUMBER.
#[tool_core::tool]
async fn tool_NUMBER(
    /// The city.
    city: String,
    /// How many days.
    days: Option<u32>,
) -> Json<Forecast> {
    Json(Forecast { city, days: days.unwrap_or(1) })
}

// end
fn main() -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let definitions = Dialect::OpenAi.definitions(catalogue());
    println!("{}", serde_json::to_string(&definitions.tools)?);
    let executor = Executor::new(catalogue())?;
    let call = Call::new("call_1", "tool_00", r#"{"city":"Berlin","days":3}"#);
    println!("{}", runtime.block_on(executor.call(call)).text());
    Ok(())
}
