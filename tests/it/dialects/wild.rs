//! The 22 shapes for which a provider refused a request in the wild: none of
//! them leaves us, or the reason is told.

use serde_json::{Value, json};
use tool_core::{Arguments, Call, Catalogue, Definition, Dialect, Executor};

use super::{echo, name_of, notes, object, one, sent, strict_of};

/// The dialects that send a schema to a model; MCP lists what is there.
const MODELS: [Dialect; 6] = [
    Dialect::OpenAi,
    Dialect::OpenAiStrict,
    Dialect::Responses,
    Dialect::Anthropic,
    Dialect::Gemini,
    Dialect::Bedrock,
];

/// Whether any schema inside has this keyword with a value that `bad` names.
fn holds(schema: &Value, keyword: &str, bad: &dyn Fn(&Value) -> bool) -> bool {
    match schema {
        Value::Object(object) => object
            .iter()
            .any(|(key, value)| (key == keyword && bad(value)) || holds(value, keyword, bad)),
        Value::Array(list) => list.iter().any(|value| holds(value, keyword, bad)),
        _ => false,
    }
}

#[test]
fn shape_1_a_boolean_schema_becomes_an_empty_one() {
    for dialect in MODELS {
        let sent = sent(dialect, object(json!({ "payload": true })));
        assert_eq!(sent["properties"]["payload"], json!({}), "{dialect}");
    }
}

#[test]
fn shape_2_a_numeric_format_goes_where_formats_are_refused() {
    let schema = object(json!({ "id": { "type": "integer", "format": "uint64" } }));
    for dialect in [Dialect::OpenAi, Dialect::OpenAiStrict, Dialect::Gemini] {
        let sent = sent(dialect, schema.clone());
        assert!(
            sent["properties"]["id"].get("format").is_none(),
            "{dialect}"
        );
        assert!(notes(dialect, schema.clone()).contains("`format`"));
    }
}

#[test]
fn shape_3_a_tool_without_arguments_has_properties() {
    for dialect in MODELS {
        let sent = sent(dialect, json!({ "type": "object" }));
        assert_eq!(sent["properties"], json!({}), "{dialect}");
    }
}

#[test]
fn shape_4_an_array_has_items_at_any_depth() {
    let schema = object(json!({
        "rows": { "type": "array", "items": { "type": "array" } },
        "tags": { "type": ["array", "null"] },
    }));
    for dialect in MODELS {
        let sent = sent(dialect, schema.clone());
        assert_eq!(sent["properties"]["rows"]["items"]["items"], json!({}));
        assert_eq!(sent["properties"]["tags"]["items"], json!({}), "{dialect}");
    }
    let definitions = Dialect::OpenAiStrict.definitions(&one(schema));
    assert_eq!(strict_of(&definitions.tools[0]), Some(false));
}

#[test]
fn shape_5_the_root_is_one_object() {
    let schema = json!({
        "type": "object",
        "properties": { "id": { "type": "string" } },
        "required": ["id"],
        "oneOf": [
            { "properties": { "kind": { "const": "mail" }, "to": { "type": "string" } }, "required": ["kind", "to"] },
            { "properties": { "kind": { "const": "wait" } }, "required": ["kind"] },
        ],
    });
    for dialect in MODELS {
        let sent = sent(dialect, schema.clone());
        for keyword in ["oneOf", "anyOf", "allOf"] {
            assert!(sent.get(keyword).is_none(), "{dialect}");
        }
        let kind = &sent["properties"]["kind"];
        assert_eq!(kind, &json!({ "type": "string", "enum": ["mail", "wait"] }));
        assert!(sent["properties"].get("to").is_some());
        let required = sent["required"].as_array().unwrap();
        assert!(required.contains(&json!("id")) && required.contains(&json!("kind")));
        assert!(
            notes(dialect, schema.clone()).contains("alternatives"),
            "{dialect}"
        );
    }
}

#[test]
fn shape_6_a_uri_is_no_format_of_openai() {
    let schema = object(json!({ "url": { "type": "string", "format": "uri" } }));
    for dialect in [Dialect::OpenAi, Dialect::OpenAiStrict, Dialect::Responses] {
        let sent = sent(dialect, schema.clone());
        let url = &sent["properties"]["url"];
        assert!(url.get("format").is_none());
        assert_eq!(url["description"], "format: uri", "{dialect}");
    }
    let kept = sent(Dialect::Anthropic, schema);
    assert_eq!(kept["properties"]["url"]["format"], "uri");
}

#[test]
fn shape_7_gemini_gets_a_json_schema_so_that_a_type_may_be_a_list() {
    let schema = object(json!({ "nick": { "type": ["string", "null"] } }));
    let definitions = Dialect::Gemini.definitions(&one(schema));
    let tool = &definitions.tools[0];
    assert!(tool.get("parameters").is_none());
    assert_eq!(
        tool["parametersJsonSchema"]["properties"]["nick"]["type"],
        json!(["string", "null"])
    );
}

#[test]
fn shape_8_gemini_gets_only_the_keywords_that_it_documents() {
    let sent = sent(
        Dialect::Gemini,
        json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": {
                "count": { "type": "integer", "exclusiveMinimum": 0, "title": "Count" },
                "labels": {
                    "type": "object",
                    "propertyNames": { "pattern": "^[a-z]+$" },
                    "additionalProperties": { "type": "string" },
                },
            },
        }),
    );
    assert!(sent.get("$schema").is_none());
    assert_eq!(
        sent["properties"]["count"],
        json!({ "type": "integer", "description": "greater than 0" })
    );
    let labels = &sent["properties"]["labels"];
    assert!(labels.get("propertyNames").is_none());
    assert_eq!(
        labels["description"],
        "each key matches the pattern ^[a-z]+$"
    );
}

#[test]
fn shape_9_an_enum_of_gemini_holds_no_booleans() {
    let schema = object(json!({
        "yes": { "type": "boolean", "enum": [true] },
        "no": { "type": "object", "additionalProperties": false },
    }));
    let sent = sent(Dialect::Gemini, schema);
    assert_eq!(
        sent["properties"]["yes"],
        json!({ "type": "boolean", "description": "one of true" })
    );
    assert_eq!(sent["properties"]["no"]["additionalProperties"], false);
}

#[test]
fn shape_10_keywords_of_objects_stand_on_objects_only() {
    let schema = object(json!({ "name": {
        "type": "string", "properties": {}, "required": ["x"], "items": {},
    } }));
    for dialect in [
        Dialect::OpenAi,
        Dialect::Anthropic,
        Dialect::Gemini,
        Dialect::Bedrock,
    ] {
        let sent = sent(dialect, schema.clone());
        assert_eq!(
            sent["properties"]["name"],
            json!({ "type": "string" }),
            "{dialect}"
        );
    }
}

#[test]
fn shape_11_references_are_written_out_where_they_would_be_stripped() {
    let schema = json!({
        "type": "object",
        "properties": { "home": { "$ref": "#/$defs/Place", "description": "Where." } },
        "$defs": { "Place": { "type": "object", "properties": { "city": { "type": "string" } } } },
    });
    for dialect in [Dialect::Gemini, Dialect::OpenAiStrict] {
        let sent = sent(dialect, schema.clone());
        assert!(!holds(&sent, "$ref", &|_| true), "{dialect}");
        assert!(sent["properties"]["home"]["properties"]["city"].is_object());
        assert_eq!(sent["properties"]["home"]["description"], "Where.");
    }
    // The others take local references.
    for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
        let sent = sent(dialect, schema.clone());
        let named = sent["$defs"]["Place"].is_object();
        assert!(named || !holds(&sent, "$ref", &|_| true), "{dialect}");
    }
}

#[test]
fn shape_12_names_with_dots_spaces_and_over_64_characters_are_mapped() {
    let long = "x".repeat(90);
    for name in ["calendar.respondToEvent", "send mail", long.as_str()] {
        let tool = echo(Definition::new(name, "Do it.", json!({ "type": "object" })));
        let tools = Catalogue::new([tool]).unwrap();
        for &dialect in Dialect::ALL {
            let translator = dialect.translator(&tools);
            let sent = name_of(&translator.definitions().tools[0]).to_owned();
            assert!(
                !sent.contains(' ') && sent.len() <= 128,
                "{dialect}: {sent}"
            );
            assert_eq!(translator.tool_name(&sent), Some(name));
        }
    }
}

#[tokio::test]
async fn shape_13_property_keys_that_are_refused_are_mapped_both_ways() {
    let schema = object(json!({
        "$filter": { "type": "string" },
        "tags[]": { "type": "array", "items": object(json!({ "a b": { "type": "integer" } })) },
    }));
    let tools = one(schema.clone());
    for dialect in [Dialect::Anthropic, Dialect::Gemini, Dialect::Bedrock] {
        let translator = dialect.translator(&tools);
        let sent = sent(dialect, schema.clone());
        let keys: Vec<&String> = sent["properties"].as_object().unwrap().keys().collect();
        let legal = |key: &&String| {
            key.chars()
                .all(|character| character.is_ascii_alphanumeric() || character == '_')
        };
        assert!(keys.iter().all(legal), "{dialect}: {keys:?}");
        assert!(notes(dialect, schema.clone()).contains("is sent as"));
        let inner = sent["properties"][keys[1]]["items"]["properties"]
            .as_object()
            .unwrap();
        let inner_key = inner.keys().next().unwrap();
        let arguments = json!({ keys[0]: "open", keys[1]: [{ inner_key: 1 }] });
        let response = match dialect {
            Dialect::Anthropic => {
                json!([{ "type": "tool_use", "id": "1", "name": "t", "input": arguments }])
            }
            Dialect::Gemini => json!([{ "functionCall": { "name": "t", "args": arguments } }]),
            _ => json!([{ "toolUse": { "toolUseId": "1", "name": "t", "input": arguments } }]),
        };
        let calls = translator.calls(&response).unwrap();
        assert_eq!(
            calls[0].arguments,
            Arguments::Value(json!({ "$filter": "open", "tags[]": [{ "a b": 1 }] }))
        );
        let executor = Executor::new(tools.clone()).unwrap();
        assert!(executor.run(calls).await[0].is_ok());
    }
}

#[test]
fn shape_14_tuples_are_written_one_way() {
    let mut old = object(json!({ "at": {
        "type": "array",
        "items": [{ "type": "number" }, { "type": "number" }],
        "additionalItems": false,
    } }));
    old["$schema"] = "http://json-schema.org/draft-07/schema#".into();
    let new = object(json!({ "at": {
        "type": "array",
        "prefixItems": [{ "type": "number" }, { "type": "number" }],
        "items": false,
    } }));
    for dialect in MODELS {
        for schema in [&old, &new] {
            let sent = sent(dialect, schema.clone());
            assert!(
                !holds(&sent, "items", &|items| !items.is_object()),
                "{dialect}"
            );
            assert_eq!(sent["properties"]["at"]["maxItems"], 2, "{dialect}: {sent}");
        }
    }
    let strict = sent(Dialect::OpenAiStrict, new);
    assert_eq!(
        strict["properties"]["at"]["items"],
        json!({ "type": "number" })
    );
}

#[test]
fn shape_15_a_free_form_object_is_never_closed() {
    let schema = object(json!({ "data": {
        "type": "object", "propertyNames": { "type": "string" },
    } }));
    for dialect in MODELS {
        let definitions = dialect.definitions(&one(schema.clone()));
        let sent = super::parameters_of(&definitions.tools[0]);
        let data = &sent["properties"]["data"];
        assert_ne!(data["additionalProperties"], false, "{dialect}");
        assert_ne!(strict_of(&definitions.tools[0]), Some(true), "{dialect}");
    }
}

#[test]
fn shape_16_what_servers_for_local_models_choke_on_is_not_added() {
    let schema = object(json!({ "text": { "type": "string", "maxLength": 5000 } }));
    // It is the author's word, and goes out as it is; strict mode says it in words.
    let kept = sent(Dialect::OpenAi, schema.clone());
    assert_eq!(kept["properties"]["text"]["maxLength"], 5000);
    for dialect in [Dialect::OpenAiStrict, Dialect::Gemini] {
        let sent = sent(dialect, schema.clone());
        assert!(!holds(&sent, "maxLength", &|_| true), "{dialect}");
        assert_eq!(
            sent["properties"]["text"]["description"],
            "at most 5000 characters"
        );
    }
}

#[test]
fn shape_17_properties_are_never_a_list() {
    let schema = json!({ "type": "object", "properties": [] });
    let definition = Definition::new("t", "Do it.", schema);
    for dialect in MODELS {
        let tool = dialect.definition(&definition).unwrap();
        assert_eq!(
            super::parameters_of(&tool)["properties"],
            json!({}),
            "{dialect}"
        );
    }
}

#[test]
fn shape_18_all_of_is_merged_or_the_tool_is_not_strict() {
    let single = object(json!({ "a": { "allOf": [{ "type": "string" }], "description": "A." } }));
    let strict = Dialect::OpenAiStrict.definitions(&one(single.clone()));
    assert_eq!(strict_of(&strict.tools[0]), Some(true));
    let sent = sent(Dialect::OpenAiStrict, single);
    assert_eq!(
        sent["properties"]["a"],
        json!({ "type": ["string", "null"], "description": "A." })
    );
    let several = object(json!({ "a": { "allOf": [{ "type": "string" }, { "minLength": 1 }] } }));
    let plain = Dialect::OpenAiStrict.definitions(&one(several));
    assert_eq!(strict_of(&plain.tools[0]), Some(false));
    assert!(plain.notes[0].1.contains("`allOf`"), "{:?}", plain.notes);
}

/// So many strict tools that one request cannot hold them.
fn many(tools: usize, optional: usize, unions: usize) -> Catalogue {
    let tools = (0..tools).map(|tool| {
        let mut properties = serde_json::Map::new();
        for index in 0..optional {
            properties.insert(format!("o{index}"), json!({ "type": "string" }));
        }
        let mut required = Vec::new();
        for index in 0..unions {
            properties.insert(format!("u{index}"), json!({ "type": ["string", "null"] }));
            required.push(format!("u{index}"));
        }
        let mut definition = Definition::new(
            format!("t{tool}"),
            "Do it.",
            json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false }),
        );
        definition.strict = if tool == 0 { Some(true) } else { None };
        echo(definition)
    });
    Catalogue::new(tools).unwrap()
}

#[test]
fn shape_19_strict_tools_of_a_request_keep_to_the_limits() {
    for (tools, optional, unions) in [(30, 0, 0), (10, 4, 0), (3, 20, 0), (6, 0, 5), (40, 2, 2)] {
        let catalogue = many(tools, optional, unions);
        for dialect in [Dialect::Anthropic, Dialect::Bedrock] {
            let definitions = dialect.definitions(&catalogue);
            let strict: Vec<&Value> = definitions
                .tools
                .iter()
                .filter(|tool| strict_of(tool) == Some(true))
                .collect();
            assert!(!strict.is_empty() && strict.len() <= 20);
            assert!(strict.len() * optional <= 24 && strict.len() * unions <= 16);
            // Each that went without says so, and the one that asked is among the last.
            assert_eq!(strict.len() + definitions.notes.len(), tools);
            assert_eq!(strict_of(&definitions.tools[0]), Some(true), "{dialect}");
            assert!(
                definitions.notes[0]
                    .1
                    .contains("all strict tools of a request")
            );
        }
    }
}

#[tokio::test]
async fn shape_20_a_name_with_the_wrong_dash_is_still_found() {
    let tool = echo(Definition::new(
        "web-fetch_page",
        "Fetch it.",
        json!({ "type": "object" }),
    ));
    let tools = Catalogue::new([tool]).unwrap();
    let translator = Dialect::Gemini.translator(&tools);
    let response = json!([{ "functionCall": { "name": "web_fetch_page", "args": {} } }]);
    let calls = translator.calls(&response).unwrap();
    let outcomes = Executor::new(tools).unwrap().run(calls).await;
    assert!(outcomes[0].is_ok());
    assert_eq!(outcomes[0].tool, "web-fetch_page");
}

#[tokio::test]
async fn shape_21_a_list_sent_as_a_string_is_repaired_by_the_executor() {
    let schema = object(json!({ "tags": { "type": "array", "items": { "type": "string" } } }));
    let executor = Executor::new(one(schema)).unwrap();
    let outcome = executor
        .call(Call::new("1", "t", r#"{"tags":"[\"a\"]"}"#))
        .await;
    assert_eq!(outcome.text(), r#"{"tags":["a"]}"#);
}

#[test]
fn shape_22_an_id_that_is_no_uri_does_not_leave() {
    let definition = Definition::new(
        "t",
        "Do it.",
        json!({ "$id": "Parameters Schema", "type": "object", "properties": {} }),
    );
    for dialect in MODELS {
        let tool = dialect.definition(&definition).unwrap();
        assert!(
            super::parameters_of(&tool).get("$id").is_none(),
            "{dialect}"
        );
    }
}
