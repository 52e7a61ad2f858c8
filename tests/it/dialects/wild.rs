//! The 22 shapes for which a provider refused a request in the wild: none of
//! them leaves us, or the reason is told. Those of schemas are here, those of
//! names, keys, whole requests and calls in `wild_requests`.

use serde_json::{Value, json};
use tool_core::{Definition, Dialect};

use super::{notes, object, one, sent, strict_of};

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
