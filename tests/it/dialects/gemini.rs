//! Gemini's definitions.

use serde_json::json;
use tool_core::{Catalogue, Definition, Dialect};

use super::{echo, notes, object, one, sent};

#[test]
fn all_declarations_of_a_request_stand_in_one_tool() {
    let tools = ["a", "b"].map(|name| echo(Definition::new(name, "Do it.", object(json!({})))));
    let definitions = Dialect::Gemini.definitions(&Catalogue::new(tools).unwrap());
    assert_eq!(definitions.tools.len(), 2);
    let request = definitions.to_request();
    assert_eq!(request.as_array().unwrap().len(), 1);
    assert_eq!(request[0]["functionDeclarations"][1]["name"], "b");
    let none = Dialect::Gemini.definitions(&[]);
    assert_eq!(none.to_request(), json!([]));
}

#[test]
fn a_recursive_schema_is_written_a_few_levels_deep_and_says_so() {
    let schema = json!({
        "type": "object",
        "properties": { "tree": { "$ref": "#/$defs/Node" } },
        "$defs": { "Node": {
            "type": "object",
            "properties": { "name": { "type": "string" }, "children": { "type": "array", "items": { "$ref": "#/$defs/Node" } } },
        } },
    });
    let sent = sent(Dialect::Gemini, schema.clone());
    let text = sent.to_string();
    assert!(!text.contains("$ref") && !text.contains("$defs"));
    assert_eq!(text.matches("children").count(), 3);
    assert!(notes(Dialect::Gemini, schema).contains("3 levels deep"));
}

#[test]
fn a_schema_that_grows_without_end_is_left_out_with_the_reason() {
    let mut definitions = serde_json::Map::new();
    for level in 0..30 {
        let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
        definitions.insert(
            format!("d{level}"),
            json!({ "type": "object", "properties": { "l": next, "r": next } }),
        );
    }
    definitions.insert("d30".to_owned(), json!({ "type": "string" }));
    let schema = json!({ "type": "object", "properties": { "x": { "$ref": "#/$defs/d0" } }, "$defs": definitions });
    let written = Dialect::Gemini.definitions(&one(schema.clone()));
    assert!(written.tools.is_empty());
    assert_eq!(written.left_out[0].0, "t");
    assert!(
        written.left_out[0].1.contains("parts"),
        "{:?}",
        written.left_out
    );
    // OpenAI keeps the references, and strict mode gives up with a reason.
    let strict = Dialect::OpenAiStrict.definitions(&one(schema));
    assert!(
        strict.notes[0].1.contains("without `strict`"),
        "{:?}",
        strict.notes
    );
}

#[test]
fn constants_unions_and_defaults_are_said_with_what_gemini_has() {
    let sent = sent(
        Dialect::Gemini,
        object(json!({
            "kind": { "const": "a" },
            "limit": { "type": "integer", "default": 20, "description": "How many." },
            "at": { "oneOf": [{ "type": "string", "format": "date-time" }, { "type": "integer" }, { "type": "null" }] },
            "mail": { "type": "string", "format": "email" },
        })),
    );
    assert_eq!(
        sent["properties"],
        json!({
            "kind": { "enum": ["a"], "type": "string" },
            "limit": { "type": "integer", "description": "How many. (default: 20)" },
            "at": { "anyOf": [{ "type": ["string", "null"], "format": "date-time" }, { "type": "integer" }] },
            "mail": { "type": "string", "description": "format: email" },
        })
    );
}

#[test]
fn the_older_schema_is_read_and_goes_back_as_it_came() {
    let function = json!({ "name": "a", "description": "A.", "parameters": {
        "type": "OBJECT",
        "properties": { "tags": { "type": "ARRAY", "items": { "type": "STRING", "nullable": true } } },
    } });
    let imported = Dialect::Gemini
        .import(&json!({ "tools": [{ "function_declarations": [function] }] }))
        .unwrap();
    assert_eq!(
        imported[0].parameters,
        object(json!({ "tags": { "type": "array", "items": { "type": ["string", "null"] } } }))
    );
    assert_eq!(Dialect::Gemini.definition(&imported[0]).unwrap(), function);
}
