//! The tools that a server lists.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use tool_core::{Catalogue, Dialect, Json, tool, tools};

use super::one;

#[derive(Serialize, JsonSchema)]
struct Sum {
    total: i64,
}

/// Add up.
#[tool(
    name = "math-add",
    title = "Adder",
    read_only,
    idempotent,
    meta(team = "maths")
)]
fn add(
    /// The numbers.
    numbers: Vec<i64>,
) -> Json<Sum> {
    Json(Sum {
        total: numbers.iter().sum(),
    })
}

/// Count.
#[tool(name = "math-count")]
fn count(
    /// The numbers.
    numbers: Vec<i64>,
) -> Json<Vec<usize>> {
    Json(vec![numbers.len()])
}

#[test]
fn a_native_tool_lists_its_title_hints_output_and_meta() {
    let tools = Catalogue::new(tools![add]).unwrap();
    let definitions = Dialect::Mcp.definitions(&tools);
    let tool = &definitions.tools[0];
    assert_eq!(
        super::keys(tool),
        [
            "_meta",
            "annotations",
            "description",
            "inputSchema",
            "name",
            "outputSchema",
            "title"
        ]
    );
    assert_eq!(
        tool["annotations"],
        json!({ "readOnlyHint": true, "idempotentHint": true })
    );
    assert_eq!(tool["_meta"], json!({ "team": "maths" }));
    assert_eq!(
        tool["inputSchema"],
        tools.get("math-add").unwrap().definition().parameters
    );
    assert_eq!(tool["outputSchema"]["type"], "object");
    let back = Dialect::Mcp
        .import(&json!({ "result": { "tools": definitions.tools } }))
        .unwrap();
    assert_eq!(back[0].title.as_deref(), Some("Adder"));
    assert_eq!(back[0].annotations.read_only, Some(true));
    assert_eq!(
        Dialect::Mcp.definition(&back[0]).unwrap().to_string(),
        tool.to_string()
    );
}

#[test]
fn an_output_that_is_no_object_is_not_listed_and_that_is_said() {
    let definitions = Dialect::Mcp.definitions(&Catalogue::new(tools![count]).unwrap());
    assert!(definitions.tools[0].get("outputSchema").is_none());
    assert!(definitions.notes[0].1.contains("`outputSchema`"));
}

#[test]
fn a_schema_is_listed_as_it_is_and_not_as_models_like_it() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": { "a": { "$ref": "#/$defs/A" } },
        "$defs": { "A": { "$anchor": "a", "type": "string" } },
        "allOf": [{ "anyOf": [{ "required": ["a"] }, true] }],
        "if": { "required": ["a"] }, "then": {}, "else": {},
        "additionalProperties": false,
    });
    let definitions = Dialect::Mcp.definitions(&one(schema.clone()));
    assert_eq!(
        definitions.tools[0]["inputSchema"].to_string(),
        schema.to_string()
    );
}

#[test]
fn a_renamed_import_lists_its_new_name_and_keeps_the_rest() {
    let listed = json!({ "tools": [{ "description": "E.", "name": "echo", "inputSchema": { "type": "object" },
        "execution": { "taskSupport": "forbidden" }, "_meta": { "a": 1 } }] });
    let mut imported = Dialect::Mcp.import(&listed).unwrap();
    assert_eq!(imported[0].meta["a"], 1);
    imported[0].name = "srv_echo".to_owned();
    let written = Dialect::Mcp.definition(&imported[0]).unwrap();
    assert_eq!(
        written.to_string(),
        listed["tools"][0]
            .to_string()
            .replace("\"echo\"", "\"srv_echo\"")
    );
}
