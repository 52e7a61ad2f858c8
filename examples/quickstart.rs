//! Declares two tools, prints what a model is told of them, runs the calls
//! that a model made, and prints the messages to send back.

use tool_core::{Dialect, Executor, ToolError, catalogue, tool};

/// Get the weather forecast for a city.
#[tool(name = "weather-get_forecast", timeout = 10, read_only)]
async fn get_forecast(
    /// The name of the city, in English.
    city: String,
    /// How many days to look ahead.
    #[tool(default = 3)]
    #[schemars(range(min = 1, max = 14))]
    days: u8,
) -> Result<String, ToolError> {
    match city.as_str() {
        "Paris" => Ok(format!("{city}: sun for {days} days")),
        _ => Err(ToolError::new(format!("no station in {city}")).with_hint("Try a larger city.")),
    }
}

/// Convert a temperature from Celsius to Fahrenheit.
#[tool(name = "weather-to_fahrenheit", read_only)]
fn to_fahrenheit(
    /// Degrees Celsius.
    celsius: f64,
) -> f64 {
    celsius * 9.0 / 5.0 + 32.0
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = Dialect::OpenAi.definitions(catalogue()).tools;
    println!(
        "What the model is told:\n{}\n",
        serde_json::to_string(&tools)?
    );

    // What the model answered, as the provider sent it.
    let response = serde_json::from_str(include_str!("quickstart.response.json"))?;
    let calls = Dialect::OpenAi.calls(&response)?;

    let executor = Executor::new(catalogue())?;
    let outcomes = executor.run(calls).await;

    println!("What goes back:");
    for message in Dialect::OpenAi.results(&outcomes) {
        println!("{message}");
    }
    Ok(())
}
