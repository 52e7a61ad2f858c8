//! Anthropic's definitions.

use serde_json::json;
use tool_core::{Catalogue, Definition, Dialect, tool, tools};

use super::{echo, object, one, sent, strict_of};

/// Find a customer.
#[tool(name = "crm-find")]
fn find(
    /// The name.
    name: String,
    /// Whether to look among former ones too.
    former: Option<bool>,
) -> String {
    format!("{name} {former:?}")
}

#[test]
fn a_tool_that_loses_nothing_is_strict_with_its_own_schema() {
    let tools = Catalogue::new(tools![find]).unwrap();
    let definitions = Dialect::Anthropic.definitions(&tools);
    assert_eq!(
        definitions.to_request(),
        json!([{
            "name": "crm-find",
            "description": "Find a customer.",
            "input_schema": {
                "type": "object",
                "properties": {
                    "name": { "type": "string", "description": "The name." },
                    "former": { "type": "boolean", "description": "Whether to look among former ones too." },
                },
                "required": ["name"],
                "additionalProperties": false,
            },
            "strict": true,
        }])
    );
    assert!(definitions.notes.is_empty());
}

#[test]
fn a_bound_keeps_a_tool_plain_and_its_schema_whole() {
    let schema = object(json!({ "n": { "type": "integer", "minimum": 1 } }));
    let definitions = Dialect::Anthropic.definitions(&one(schema.clone()));
    assert_eq!(strict_of(&definitions.tools[0]), Some(false));
    assert_eq!(sent(Dialect::Anthropic, schema.clone()), schema);
    assert!(definitions.notes.is_empty());
}

#[test]
fn what_the_provider_knows_besides_is_kept_for_the_way_back() {
    let request = json!({ "tools": [
        { "name": "a", "description": "A.", "input_schema": { "type": "object", "properties": {} },
          "defer_loading": true, "cache_control": { "type": "ephemeral" } },
        { "type": "web_search_20250305", "name": "web_search" },
    ] });
    let imported = Dialect::Anthropic.import(&request).unwrap();
    assert_eq!(imported.len(), 1);
    assert_eq!(
        Dialect::Anthropic.definition(&imported[0]).unwrap(),
        request["tools"][0]
    );
    // Other dialects see nothing of it.
    let openai = Dialect::OpenAi.definition(&imported[0]).unwrap();
    assert!(!openai.to_string().contains("defer_loading"));
}

#[test]
fn a_native_tool_says_strict_always() {
    let definition = Definition::new("t", "Do it.", json!({ "type": "object" }));
    let tools = Catalogue::new([echo(definition)]).unwrap();
    for dialect in [Dialect::Anthropic, Dialect::Bedrock, Dialect::Responses] {
        assert!(strict_of(&dialect.definitions(&tools).tools[0]).is_some());
    }
}
