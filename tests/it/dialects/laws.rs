//! What holds for every schema, every value and every text.

use std::cell::Cell;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tool_core::{Arguments, Catalogue, Definition, Dialect, Executor};

use super::drawn::{Choices, any_json, object, schema, value};
use super::{echo, name_of, one, parameters_of, shared, strict_of};

/// The value as a model bound to the strict schema writes it: every key, and
/// `null` for what it leaves out.
fn forced(schema: &Value, value: &Value) -> Value {
    if let Some(branches) = schema.get("oneOf").and_then(Value::as_array) {
        let branch = branches
            .iter()
            .find(|branch| branch["properties"]["kind"]["const"] == value["kind"]);
        return branch.map_or_else(|| value.clone(), |branch| forced(branch, value));
    }
    match value {
        Value::Array(items) => items
            .iter()
            .map(|item| forced(&schema["items"], item))
            .collect(),
        Value::Object(members) => {
            let mut all = Map::new();
            for (key, property) in schema["properties"].as_object().into_iter().flatten() {
                let member = members.get(key);
                all.insert(
                    key.clone(),
                    member.map_or(Value::Null, |member| forced(property, member)),
                );
            }
            all.into()
        }
        other => other.clone(),
    }
}

fn response(dialect: Dialect, name: &str, arguments: &Value) -> Value {
    match dialect {
        Dialect::Anthropic => {
            json!([{ "type": "tool_use", "id": "1", "name": name, "input": arguments }])
        }
        Dialect::Gemini => json!([{ "functionCall": { "name": name, "args": arguments } }]),
        Dialect::Bedrock => {
            json!([{ "toolUse": { "toolUseId": "1", "name": name, "input": arguments } }])
        }
        Dialect::Responses => {
            json!([{ "type": "function_call", "call_id": "1", "name": name, "arguments": arguments.to_string() }])
        }
        Dialect::Mcp => json!([{ "name": name, "arguments": arguments }]),
        _ => {
            json!([{ "id": "1", "function": { "name": name, "arguments": arguments.to_string() } }])
        }
    }
}

fn parsed(arguments: &Arguments) -> Value {
    match arguments {
        Arguments::Text(text) => serde_json::from_str(text).unwrap(),
        Arguments::Value(value) => value.clone(),
        _ => unreachable!(),
    }
}

fn profile(name: &str) -> Option<jsonschema::Validator> {
    let profile: Value =
        serde_yaml_ng::from_str(&shared(&format!("dialect-schemas/{name}.yaml"))?).unwrap();
    Some(jsonschema::validator_for(&profile).unwrap())
}

#[test]
fn what_is_sent_strict_is_valid_and_what_is_not_has_a_reason() {
    let Some(profile) = profile("openai_202602") else {
        return;
    };
    proptest!(ProptestConfig::with_cases(400), |(schema in object(schema()))| {
        let definitions = Dialect::OpenAiStrict.definitions(&one(schema.clone()));
        let tool = &definitions.tools[0];
        match strict_of(tool) {
            Some(true) => prop_assert!(profile.is_valid(parameters_of(tool)), "{}", tool),
            _ => prop_assert!(definitions.notes.iter().any(|(_, note)| note.contains("without `strict`"))),
        }
    });
}

#[test]
fn a_model_that_is_bound_to_what_was_sent_can_say_every_value() {
    proptest!(ProptestConfig::with_cases(300), |(schema in object(schema()), seed in any::<u64>())| {
        let value = value(&schema, &mut Choices(seed));
        for dialect in [Dialect::OpenAi, Dialect::OpenAiStrict, Dialect::Responses] {
            let definitions = dialect.definitions(&one(schema.clone()));
            let tool = &definitions.tools[0];
            let said = if strict_of(tool) == Some(true) { forced(&schema, &value) } else { value.clone() };
            let validator = jsonschema::validator_for(parameters_of(tool)).unwrap();
            prop_assert!(validator.is_valid(&said), "{dialect}: {said} is not valid under {tool}");
        }
    });
}

#[test]
fn the_way_back_from_strict_gives_what_was_meant_and_the_executor_takes_it() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let strict = Cell::new(0);
    proptest!(ProptestConfig::with_cases(300), |(schema in object(schema()), seed in any::<u64>())| {
        let value = value(&schema, &mut Choices(seed));
        let tools = one(schema.clone());
        let translator = Dialect::OpenAiStrict.translator(&tools);
        let is_strict = strict_of(&translator.definitions().tools[0]) == Some(true);
        strict.set(strict.get() + usize::from(is_strict));
        let said = if is_strict { forced(&schema, &value) } else { value.clone() };
        let calls = translator.calls(&response(Dialect::OpenAiStrict, "t", &said)).unwrap();
        prop_assert_eq!(parsed(&calls[0].arguments), value.clone(), "{}", schema);
        let outcomes = runtime.block_on(Executor::new(tools).unwrap().run(calls));
        prop_assert!(outcomes[0].is_ok(), "{}: {}", value, outcomes[0].text());
    });
    println!("{} of 300 strict", strict.get());
    assert!(strict.get() > 20);
}

/// The value under the keys that were sent.
fn renamed(schema: &Value, sent: &Value, value: &Value) -> Value {
    match value {
        Value::Array(items) => items
            .iter()
            .map(|item| renamed(&schema["items"], &sent["items"], item))
            .collect(),
        Value::Object(members) => {
            if let Some(branches) = schema.get("oneOf").and_then(Value::as_array) {
                let union = sent.get("anyOf").or_else(|| sent.get("oneOf"));
                for (branch, sent) in branches.iter().zip(union.unwrap().as_array().unwrap()) {
                    if branch["properties"]["kind"]["const"] == value["kind"] {
                        return renamed(branch, sent, value);
                    }
                }
            }
            let empty = Map::new();
            let own = schema["properties"].as_object().unwrap_or(&empty);
            let given = sent["properties"].as_object().unwrap_or(&empty);
            members
                .iter()
                .map(
                    |(key, value)| match own.keys().position(|known| known == key) {
                        Some(place) => {
                            let (sent_key, sent) = given.iter().nth(place).unwrap();
                            (sent_key.clone(), renamed(&own[key], sent, value))
                        }
                        None => (key.clone(), value.clone()),
                    },
                )
                .collect()
        }
        other => other.clone(),
    }
}

/// Whether two branches of a union are still two after writing.
fn is_plain(schema: &Value) -> bool {
    !schema.to_string().contains("oneOf")
}

#[test]
fn keys_that_were_renamed_come_back_and_what_is_sent_takes_every_value() {
    proptest!(ProptestConfig::with_cases(300), |(schema in object(schema()), seed in any::<u64>())| {
        let value = value(&schema, &mut Choices(seed));
        let tools = one(schema.clone());
        for dialect in [Dialect::Anthropic, Dialect::Gemini, Dialect::Bedrock] {
            // Gemini merges branches that it writes alike.
            if dialect == Dialect::Gemini && !is_plain(&schema) {
                continue;
            }
            let translator = dialect.translator(&tools);
            let sent = parameters_of(&translator.definitions().tools[0]);
            let said = renamed(&schema, sent, &value);
            let validator = jsonschema::validator_for(sent).unwrap();
            prop_assert!(validator.is_valid(&said), "{dialect}: {said} is not valid under {sent}");
            let calls = translator.calls(&response(dialect, "t", &said)).unwrap();
            prop_assert_eq!(parsed(&calls[0].arguments), value.clone(), "{}: {} under {}", dialect, said, sent);
        }
    });
}

#[test]
fn names_are_legal_distinct_and_reversible() {
    proptest!(|(names in prop::collection::btree_set("[a-zA-Z0-9_.:/ é-]{1,90}", 1..12))| {
        let tools = names.iter().filter(|name| name.len() <= 128).map(|name| {
            echo(Definition::new(name.as_str(), "Do it.", json!({ "type": "object" })))
        });
        let tools = Catalogue::new(tools).unwrap();
        for &dialect in Dialect::ALL {
            let translator = dialect.translator(&tools);
            let mut sent: Vec<&str> = translator.definitions().tools.iter().map(name_of).collect();
            for (tool, sent) in tools.iter().zip(&sent) {
                prop_assert_eq!(translator.tool_name(sent), Some(tool.name()));
                let calls = translator.calls(&response(dialect, sent, &json!({}))).unwrap();
                prop_assert_eq!(calls[0].name.as_str(), tool.name());
            }
            let count = sent.len();
            sent.sort_unstable();
            sent.dedup();
            prop_assert_eq!(sent.len(), count);
        }
    });
}

#[test]
fn nothing_that_comes_makes_a_dialect_panic() {
    proptest!(ProptestConfig::with_cases(1_000), |(junk in any_json(), more in any_json())| {
        for &dialect in Dialect::ALL {
            let mut definition = Definition::new("t", "", junk.clone());
            for strict in [None, Some(true), Some(false)] {
                definition.strict = strict;
                let _ = dialect.definition(&definition);
            }
            for definition in dialect.import(&junk).unwrap_or_default() {
                let _ = dialect.definition(&definition);
            }
            let _ = dialect.calls(&junk);
            let _ = dialect.history(&junk);
            let mut assembler = dialect.assembler();
            let _ = assembler.push(&junk);
            let _ = assembler.push(&more);
            let _ = assembler.finish();
        }
    });
}
