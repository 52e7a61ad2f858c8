// dependencies: futures-util schemars serde serde_json

use std::error::Error;

use futures_util::FutureExt;
use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Serialize)]
struct Forecast {
    city: String,
    days: u32,
}

// for each tool
#[derive(Deserialize, JsonSchema)]
struct ArgumentsNUMBER {
    /// The city.
    city: String,
    /// How many days.
    days: Option<u32>,
}

async fn tool_NUMBER(ArgumentsNUMBER { city, days }: ArgumentsNUMBER) -> Forecast {
    Forecast { city, days: days.unwrap_or(1) }
}

// end
fn definition<Arguments: JsonSchema>(name: &str, description: &str) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": name,
            "description": description,
            "parameters": schema_for!(Arguments),
        },
    })
}

fn definitions() -> Vec<Value> {
    vec![
        // for each tool
        definition::<ArgumentsNUMBER>("tool_NUMBER", "Forecasts the weather of city NUMBER."),
        // end
    ]
}

async fn call(name: &str, arguments: &str) -> Result<String, Box<dyn Error>> {
    Ok(match name {
        // for each tool
        "tool_NUMBER" => serde_json::to_string(&tool_NUMBER(serde_json::from_str(arguments)?).await)?,
        // end
        _ => return Err("no such tool".into()),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", serde_json::to_string(&definitions())?);
    let answer = call("tool_00", r#"{"city":"Berlin","days":3}"#).now_or_never();
    println!("{}", answer.ok_or("no tool waits")??);
    Ok(())
}
