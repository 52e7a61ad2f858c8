//! Strict forms, what they cost, and the way back.

use serde_json::{Value, json};
use tool_core::{Arguments, Catalogue, Definition, Dialect, Executor, tool, tools};

use super::{echo, notes, object, one, sent, strict_of};

#[test]
fn an_optional_parameter_is_required_and_takes_null() {
    let sent = sent(
        Dialect::OpenAiStrict,
        json!({
            "type": "object",
            "properties": {
                "city": { "type": "string", "description": "The city." },
                "days": { "type": "integer", "minimum": 1, "maximum": 14, "default": 3 },
                "unit": { "type": "string", "enum": ["C", "F"] },
                "where": { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
            },
            "required": ["city"],
        }),
    );
    assert_eq!(
        sent,
        json!({
            "type": "object",
            "properties": {
                "city": { "type": "string", "description": "The city." },
                "days": { "type": ["integer", "null"], "minimum": 1, "maximum": 14, "description": "default: 3" },
                "unit": { "type": ["string", "null"], "enum": ["C", "F", null] },
                "where": { "anyOf": [{ "type": ["string", "null"] }, { "type": "integer" }] },
            },
            "required": ["city", "days", "unit", "where"],
            "additionalProperties": false,
        })
    );
}

#[test]
fn a_tool_that_strict_mode_cannot_say_is_plain_and_says_why() {
    for (schema, reason) in [
        (json!({ "type": "object" }), "`x` is free-form"),
        (
            json!({ "type": "object", "additionalProperties": { "type": "string" } }),
            "`x` is a map",
        ),
        (json!({}), "`x` has no type"),
        (json!({ "type": "array" }), "the items of `x` have no type"),
        (
            json!({ "type": "array", "prefixItems": [{ "type": "string" }, { "type": "integer" }] }),
            "`x` is a tuple",
        ),
        (
            json!({ "type": "string", "not": { "const": "a" } }),
            "`x` has `not`",
        ),
        (
            json!({ "type": ["string", "null"] }),
            "may be absent or null",
        ),
    ] {
        let schema = object(json!({ "x": schema }));
        let definitions = Dialect::OpenAiStrict.definitions(&one(schema.clone()));
        assert_eq!(strict_of(&definitions.tools[0]), Some(false), "{schema}");
        let notes = notes(Dialect::OpenAiStrict, schema);
        assert!(notes.starts_with("sent without `strict`: "), "{notes}");
        assert!(notes.contains(reason), "{notes}");
    }
}

#[test]
fn limits_that_strict_mode_has_no_keyword_for_move_to_the_description() {
    let schema = object(json!({ "x": {
        "type": "string", "description": "A name.", "minLength": 1, "maxLength": 9,
        "pattern": "(?=a).*", "format": "uri", "examples": ["ab"],
    } }));
    let sent = sent(Dialect::OpenAiStrict, schema.clone());
    let x = &sent["properties"]["x"];
    let words = x["description"].as_str().unwrap();
    for said in [
        "A name. (",
        "at least 1 characters",
        "at most 9 characters",
        "format: uri",
        "matches the pattern (?=a).*",
        "for example \"ab\"",
    ] {
        assert!(words.contains(said), "{words}");
    }
    assert_eq!(super::keys(x), ["description", "type"]);
    let notes = notes(Dialect::OpenAiStrict, schema);
    for keyword in ["minLength", "maxLength", "pattern", "format"] {
        assert!(notes.contains(&format!("`{keyword}` of `x`")), "{notes}");
    }
}

#[test]
fn recursion_stays_a_reference_for_openai_and_is_refused_by_anthropic() {
    let schema = json!({
        "type": "object",
        "properties": { "tree": { "$ref": "#/definitions/Node" } },
        "required": ["tree"],
        "definitions": { "Node": {
            "type": "object",
            "properties": { "next": { "$ref": "#/definitions/Node" } },
        } },
    });
    let strict = sent(Dialect::OpenAiStrict, schema.clone());
    assert_eq!(
        strict["properties"]["tree"],
        json!({ "$ref": "#/$defs/Node" })
    );
    assert_eq!(
        strict["$defs"]["Node"]["properties"]["next"],
        json!({ "anyOf": [{ "$ref": "#/$defs/Node" }, { "type": "null" }] })
    );
    let mut definition = Definition::new("t", "Do it.", schema);
    definition.strict = Some(true);
    let definitions = Dialect::Anthropic.definitions(&Catalogue::new([echo(definition)]).unwrap());
    assert_eq!(strict_of(&definitions.tools[0]), Some(false));
    assert!(
        definitions.notes[0].1.contains("recursive"),
        "{:?}",
        definitions.notes
    );
}

/// Book a room.
#[tool]
fn book(
    /// The room.
    room: String,
    /// How many nights.
    #[tool(default = 2)]
    nights: u32,
    /// Who comes along.
    guests: Option<Vec<String>>,
) -> String {
    format!("{room} {nights} {guests:?}")
}

#[test]
fn each_dialect_says_strict_by_its_own_rule() {
    let tools = Catalogue::new(tools![book]).unwrap();
    for (dialect, strict) in [
        (Dialect::OpenAi, None),
        (Dialect::OpenAiStrict, Some(true)),
        (Dialect::Responses, Some(true)),
        // Its integers have bounds, which these cannot bind the model to.
        (Dialect::Anthropic, Some(false)),
        (Dialect::Bedrock, Some(false)),
        (Dialect::Gemini, None),
        (Dialect::Mcp, None),
    ] {
        let definitions = dialect.definitions(&tools);
        assert_eq!(strict_of(&definitions.tools[0]), strict, "{dialect}");
    }
}

#[test]
fn a_tool_can_ask_for_strict_mode_or_refuse_it() {
    let schema = object(json!({ "n": { "type": "integer", "minimum": 1 } }));
    let tool = |strict| {
        let mut definition = Definition::new("t", "Do it.", schema.clone());
        definition.strict = Some(strict);
        Catalogue::new([echo(definition)]).unwrap()
    };
    for dialect in [
        Dialect::OpenAi,
        Dialect::OpenAiStrict,
        Dialect::Responses,
        Dialect::Anthropic,
        Dialect::Bedrock,
    ] {
        let asked = dialect.definitions(&tool(true));
        assert_eq!(strict_of(&asked.tools[0]), Some(true), "{dialect}");
        let refused = dialect.definitions(&tool(false));
        assert_eq!(strict_of(&refused.tools[0]), Some(false), "{dialect}");
    }
    let asked = Dialect::Anthropic.definitions(&tool(true));
    assert_eq!(
        asked.tools[0]["input_schema"]["properties"]["n"],
        json!({ "type": "integer", "description": "at least 1" })
    );
    assert_eq!(asked.notes.len(), 1, "{:?}", asked.notes);
}

#[tokio::test]
async fn the_nulls_of_strict_mode_are_taken_back_for_native_and_imported_tools() {
    let native = Catalogue::new(tools![book]).unwrap();
    let imported = Catalogue::new([echo(Definition::new(
        "book",
        "Book a room.",
        json!({
            "type": "object",
            "properties": {
                "room": { "type": "string" },
                "nights": { "type": "integer", "default": 2 },
                "who": { "type": "array", "items": {
                    "type": "object",
                    "properties": { "name": { "type": "string" }, "age": { "type": "integer" } },
                    "required": ["name"],
                } },
                "note": { "anyOf": [{ "type": "string" }, { "type": "null" }], "default": null },
            },
            "required": ["room"],
        }),
    ))])
    .unwrap();
    let call = |arguments: Value| json!([{ "id": "1", "function": { "name": "book", "arguments": arguments.to_string() } }]);

    let translator = Dialect::OpenAiStrict.translator(&native);
    let response = call(json!({ "room": "12", "nights": null, "guests": null }));
    let calls = translator.calls(&response).unwrap();
    assert_eq!(
        calls[0].arguments,
        Arguments::Value(json!({ "room": "12" }))
    );
    let outcomes = Executor::new(native).unwrap().run(calls).await;
    assert_eq!(outcomes[0].text(), "12 2 None");

    let translator = Dialect::OpenAiStrict.translator(&imported);
    assert_eq!(strict_of(&translator.definitions().tools[0]), Some(true));
    let response = call(json!({
        "room": "12", "nights": null, "who": [{ "name": "Ada", "age": null }], "note": null,
    }));
    let calls = translator.calls(&response).unwrap();
    // Null is a word of the tool's own for the note, and stays.
    let meant = json!({ "room": "12", "who": [{ "name": "Ada" }], "note": null });
    assert_eq!(calls[0].arguments, Arguments::Value(meant.clone()));
    let outcomes = Executor::new(imported).unwrap().run(calls).await;
    assert_eq!(outcomes[0].text(), meant.to_string());
}

#[test]
fn a_null_that_was_sent_plain_is_left_to_the_executor() {
    let tools = one(object(json!({ "n": { "type": "integer" } })));
    let translator = Dialect::OpenAi.translator(&tools);
    let response = json!([{ "id": "1", "function": { "name": "t", "arguments": "{\"n\":null}" } }]);
    let calls = translator.calls(&response).unwrap();
    assert_eq!(
        calls[0].arguments,
        Arguments::Text("{\"n\":null}".to_owned())
    );
}
