//! Every definition in the shared data, in every dialect: legal or a reason.

use std::collections::{BTreeMap, HashSet};
use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::{Value, json};
use tool_core::{Catalogue, Definition, Dialect};

use super::{echo, lines, name_of, parameters_of, shared, strict_of};

const MCP: [&str; 5] = ["everything", "fetch", "filesystem", "git", "time"];

/// A catalogue a line of `calls/`, a recorded request or an MCP server. Made
/// once: to check a schema takes longer than to write it in all dialects.
fn catalogues() -> Option<&'static [Catalogue]> {
    static CATALOGUES: OnceLock<Option<Vec<Catalogue>>> = OnceLock::new();
    CATALOGUES.get_or_init(read_catalogues).as_deref()
}

fn read_catalogues() -> Option<Vec<Catalogue>> {
    let mut catalogues = Vec::new();
    let mut seen = HashSet::new();
    let mut add = |definitions: Vec<Definition>| {
        catalogues.push(Catalogue::new(definitions.into_iter().map(echo)).unwrap());
    };
    for file in ["api-bank", "bfcl-accept", "bfcl-reject"] {
        for line in lines(&format!("calls/{file}.jsonl"))? {
            // The refused calls are made from the accepted ones, with the same tools.
            if !seen.insert(line["tools"].to_string()) {
                continue;
            }
            add(Dialect::OpenAi.import(&line).unwrap());
        }
    }
    for (file, dialect) in RECORDED {
        for line in lines(&format!("recorded/{file}.jsonl"))? {
            add(dialect.import(&line["request"]).unwrap());
        }
    }
    for server in MCP {
        let listed: Value =
            serde_json::from_str(&shared(&format!("mcp-tools/{server}.json"))?).unwrap();
        add(Dialect::Mcp.import(&listed).unwrap());
    }
    Some(catalogues)
}

const RECORDED: [(&str, Dialect); 5] = [
    ("openai", Dialect::OpenAi),
    ("responses", Dialect::Responses),
    ("anthropic", Dialect::Anthropic),
    ("gemini", Dialect::Gemini),
    ("bedrock", Dialect::Bedrock),
];

fn meta_schema(name: &str) -> Option<Value> {
    Some(serde_yaml_ng::from_str(&shared(&format!("dialect-schemas/{name}.yaml"))?).unwrap())
}

/// The Gemini profile with what the API documents besides: `anyOf`, and a
/// schema without a type where every value is taken.
fn gemini_profile() -> Option<Value> {
    let mut profile = meta_schema("gemini_202602")?;
    let schema = profile.pointer_mut("/$defs/geminiSchema").unwrap();
    schema["required"] = json!([]);
    schema["properties"]["anyOf"] =
        json!({ "type": "array", "minItems": 2, "items": { "$ref": "#/$defs/geminiSchema" } });
    Some(profile)
}

fn check(validator: &Validator, tool: &Value) {
    let parameters = parameters_of(tool);
    let errors: Vec<String> = validator
        .iter_errors(parameters)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{parameters:#}\n{errors:?}");
}

#[test]
fn what_is_sent_strict_to_openai_is_valid_and_the_rest_says_why_not() {
    let (Some(catalogues), Some(profile)) = (catalogues(), meta_schema("openai_202602")) else {
        return;
    };
    let validator = jsonschema::validator_for(&profile).unwrap();
    let (mut strict, mut plain) = (0, BTreeMap::<String, usize>::new());
    for catalogue in catalogues {
        let definitions = Dialect::OpenAiStrict.definitions(catalogue);
        assert_eq!(definitions.left_out, []);
        for (tool, own) in definitions.tools.iter().zip(catalogue) {
            // An import may say itself that it is not strict.
            let refuses = own.definition().strict == Some(false);
            match strict_of(tool) {
                Some(false) if refuses => {}
                Some(true) => {
                    check(&validator, tool);
                    strict += 1;
                }
                Some(false) => {
                    let reason = definitions
                        .notes
                        .iter()
                        .find(|(name, note)| {
                            name == own.name() && note.contains("without `strict`")
                        })
                        .unwrap_or_else(|| panic!("no reason for {}", own.name()));
                    *plain.entry(reason.1.clone()).or_default() += 1;
                }
                None => panic!("`strict` is always sent: {tool}"),
            }
        }
    }
    let count: usize = plain.values().sum();
    println!(
        "strict {strict}, plain {count}, for {} reasons",
        plain.len()
    );
    assert!(strict > 10 * count);
}

#[test]
fn what_is_sent_to_gemini_is_valid_under_its_profile() {
    let (Some(catalogues), Some(profile)) = (catalogues(), gemini_profile()) else {
        return;
    };
    let narrow = jsonschema::validator_for(&meta_schema("gemini_202602").unwrap()).unwrap();
    let validator = jsonschema::validator_for(&profile).unwrap();
    let (mut all, mut wide) = (0, BTreeMap::<bool, usize>::new());
    for catalogue in catalogues {
        let definitions = Dialect::Gemini.definitions(catalogue);
        assert_eq!(definitions.left_out, []);
        for (tool, own) in definitions.tools.iter().zip(catalogue) {
            // What Gemini itself took goes back as it came.
            if own.definition().meta.contains_key("imported/gemini") {
                continue;
            }
            check(&validator, tool);
            all += 1;
            if narrow.is_valid(parameters_of(tool)) {
                continue;
            }
            let has_union = parameters_of(tool).to_string().contains("\"anyOf\":");
            let says_untyped = definitions
                .notes
                .iter()
                .any(|(name, note)| name == own.name() && note.contains("without a type"));
            assert!(has_union || says_untyped, "{tool}");
            *wide.entry(says_untyped).or_insert(0) += 1;
        }
    }
    println!("{all} definitions; beyond the narrow profile, untyped or not: {wide:?}");
}

#[test]
fn every_definition_is_legal_in_every_dialect_and_nothing_is_left_out() {
    let Some(catalogues) = catalogues() else {
        return;
    };
    let mut written = 0;
    for &dialect in Dialect::ALL {
        for catalogue in catalogues {
            let translator = dialect.translator(catalogue);
            let definitions = translator.definitions();
            assert_eq!(definitions.left_out, [], "{dialect}");
            assert_eq!(definitions.tools.len(), catalogue.len());
            let mut names = Vec::new();
            for (tool, own) in definitions.tools.iter().zip(catalogue) {
                let name = name_of(tool);
                assert!(is_legal(dialect, name), "{dialect}: {name}");
                assert_eq!(translator.sent_name(own.name()), Some(name));
                assert_eq!(translator.tool_name(name), Some(own.name()));
                let parameters = parameters_of(tool);
                let kind = parameters["type"].as_str().unwrap();
                assert!(kind.eq_ignore_ascii_case("object"), "{dialect}: {kind}");
                assert!(dialect == Dialect::Mcp || parameters["properties"].is_object());
                for keyword in ["anyOf", "oneOf", "allOf", "not", "enum"] {
                    assert!(parameters.get(keyword).is_none(), "{dialect}: {parameters}");
                }
                names.push(name);
                written += 1;
            }
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), catalogue.len(), "{dialect}");
        }
    }
    println!("{} catalogues, {written} definitions", catalogues.len());
}

fn is_legal(dialect: Dialect, name: &str) -> bool {
    let (marks, longest) = match dialect {
        Dialect::Gemini => ("_-.:", 128),
        Dialect::Mcp => ("_-.", 128),
        Dialect::Anthropic => ("_-", 128),
        _ => ("_-", 64),
    };
    let starts = dialect != Dialect::Gemini
        || name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    starts
        && (1..=longest).contains(&name.len())
        && name
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || marks.contains(character))
}

#[test]
fn schemas_of_imported_tools_reach_openai_byte_for_byte() {
    let Some(catalogues) = catalogues() else {
        return;
    };
    let mut changed = BTreeMap::new();
    for catalogue in catalogues {
        let definitions = Dialect::OpenAi.definitions(catalogue);
        for (tool, own) in definitions.tools.iter().zip(catalogue) {
            if own.definition().strict == Some(true) {
                continue;
            }
            let before = text(&without_items(&own.definition().parameters));
            if text(&without_items(parameters_of(tool))) != before {
                let note = definitions
                    .notes
                    .iter()
                    .find(|(name, note)| name == own.name() && note.contains("`format`"));
                changed.insert(own.name().to_owned(), note.cloned());
            }
        }
    }
    // Formats that OpenAI refuses are said in words.
    for (name, note) in changed {
        assert!(note.is_some(), "{name} changed without a note");
    }
}

/// The text, in which the order of the keys counts.
fn text(value: &Value) -> String {
    value.to_string()
}

/// Without the `"items":{}` that OpenAI asks for and that says nothing.
fn without_items(schema: &Value) -> Value {
    let mut schema = schema.clone();
    fn walk(value: &mut Value) {
        match value {
            Value::Object(object) => {
                if object.get("items") == Some(&json!({})) {
                    object.shift_remove("items");
                }
                object.values_mut().for_each(walk);
            }
            Value::Array(list) => list.iter_mut().for_each(walk),
            _ => {}
        }
    }
    walk(&mut schema);
    schema
}

#[test]
fn tools_of_real_servers_are_listed_again_byte_for_byte() {
    let mut count = 0;
    for server in MCP {
        let Some(text) = shared(&format!("mcp-tools/{server}.json")) else {
            return;
        };
        let listed: Value = serde_json::from_str(&text).unwrap();
        let definitions = Dialect::Mcp.import(&listed).unwrap();
        for (definition, raw) in definitions.iter().zip(listed["tools"].as_array().unwrap()) {
            let written = Dialect::Mcp.definition(definition).unwrap();
            assert_eq!(written.to_string(), raw.to_string());
            count += 1;
        }
    }
    println!("{count} tools");
    assert!(count >= 44);
}
