//! Bedrock's definitions.

use serde_json::json;
use tool_core::{Definition, Dialect};

#[test]
fn an_empty_description_is_left_out() {
    let mut definition = Definition::new("t", "", json!({ "type": "object", "properties": {} }));
    let tool = Dialect::Bedrock.definition(&definition).unwrap();
    assert_eq!(
        tool,
        json!({ "toolSpec": {
            "name": "t",
            "inputSchema": { "json": { "type": "object", "properties": {}, "additionalProperties": false } },
            "strict": true,
        } })
    );
    definition.description = "Do it.".to_owned();
    let tool = Dialect::Bedrock.definition(&definition).unwrap();
    assert_eq!(tool["toolSpec"]["description"], "Do it.");
}

#[test]
fn tools_are_read_from_a_request_past_its_cache_points() {
    let request = json!({ "toolConfig": { "tools": [
        { "toolSpec": { "name": "a", "inputSchema": { "json": { "type": "object" } } } },
        { "cachePoint": { "type": "default" } },
    ] } });
    let imported = Dialect::Bedrock.import(&request).unwrap();
    assert_eq!(imported.len(), 1);
    assert_eq!(imported[0].name, "a");
}
