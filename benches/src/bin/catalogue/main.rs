//! What a large catalogue costs: making one of 10,000 tools, finding one of
//! them, and listing all of them as a provider wants them.
//!
//! ```text
//! cargo run --release --no-default-features --bin catalogue [ROUNDS]
//! ```

mod hand;
mod ours;

use tokio::runtime::Runtime;
use tool_benches::harness;

/// How many tools the catalogue holds.
pub(crate) const TOOLS: usize = 10_000;

/// The name of the tool of that number.
pub(crate) fn name(number: usize) -> String {
    format!("weather-forecast_city_{number:05}")
}

/// The parameters of every tool, as JSON Schema.
pub(crate) fn parameters() -> serde_json::Value {
    serde_json::json!({
        "type": "object",
        "properties": {
            "city": { "type": "string", "description": "The city." },
            "days": { "type": "integer", "description": "How many days.", "minimum": 0 },
        },
        "required": ["city"],
        "additionalProperties": false,
    })
}

fn main() -> std::io::Result<()> {
    let runtime = Runtime::new()?;
    let mut rows = hand::rows();
    rows.extend(ours::rows());
    harness::measure_and_print(&runtime, &rows);
    Ok(())
}
