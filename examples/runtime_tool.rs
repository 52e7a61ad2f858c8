//! Makes a tool at run time, from a definition that came from elsewhere.

use serde_json::{Value, json};
use tool_core::{Call, Catalogue, Definition, Executor, Tool, ToolError};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Any JSON Schema will do, and all of it is enforced.
    let schema = json!({
        "type": "object",
        "properties": {
            "query": { "type": "string", "minLength": 2, "description": "What to look for." },
            "sort": { "enum": ["price", "name"], "description": "By what to sort." }
        },
        "required": ["query"],
        "additionalProperties": false
    });
    let definition = Definition::new("shop.search", "Search the shop.", schema);
    let search = Tool::new(definition, |arguments: Value, context| async move {
        let Some(query) = arguments["query"].as_str() else {
            return Err(ToolError::new("no query"));
        };
        Ok(
            json!({ "call": context.call_id(), "found": [format!("{query} 1"), format!("{query} 2")] }),
        )
    })?;

    let executor = Executor::new(Catalogue::new([search])?)?;
    for arguments in [
        json!({ "query": "chair", "sort": "price" }),
        json!({ "query": "x", "sort": "Price", "page": 2 }),
    ] {
        // A model that writes `_` for `.` finds the tool all the same.
        let outcome = executor
            .call(Call::new("c1", "shop_search", arguments))
            .await;
        println!("{}", outcome.text());
    }
    Ok(())
}
