//! Definitions for OpenAI's Responses.

use serde_json::json;
use tool_core::Dialect;

use super::{object, one};

#[test]
fn a_tool_is_flat_and_says_whether_it_is_strict() {
    let schema = json!({
        "type": "object",
        "properties": { "city": { "type": "string" }, "days": { "type": "integer" } },
        "required": ["city"],
    });
    let definitions = Dialect::Responses.definitions(&one(schema));
    assert_eq!(
        definitions.tools[0],
        json!({
            "type": "function",
            "name": "t",
            "description": "Do it.",
            "parameters": {
                "type": "object",
                "properties": { "city": { "type": "string" }, "days": { "type": ["integer", "null"] } },
                "required": ["city", "days"],
                "additionalProperties": false,
            },
            "strict": true,
        })
    );
    let free = object(json!({ "data": { "type": "object" } }));
    let plain = Dialect::Responses.definitions(&one(free.clone()));
    assert_eq!(plain.tools[0]["strict"], false);
    assert_eq!(plain.tools[0]["parameters"], free);
}

#[test]
fn the_providers_own_tools_are_passed_over() {
    let request = json!({ "tools": [
        { "type": "web_search" },
        { "type": "function", "name": "a", "parameters": null, "strict": null },
    ] });
    let imported = Dialect::Responses.import(&request).unwrap();
    assert_eq!(imported.len(), 1);
    assert_eq!(imported[0].parameters, object(json!({})));
    assert!(Dialect::Responses.import(&json!([5])).is_err());
}
