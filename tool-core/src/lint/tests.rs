use serde_json::{Value, json};

use super::{Lint, Severity};
use crate::catalogue::Catalogue;
use crate::definition::Definition;
use crate::tool::Tool;

fn definition(parameters: Value) -> Definition {
    let description = "Look something up in a list.";
    Definition::new("list-look_up", description, parameters)
}

/// The rules that definitions break, each with its message.
fn broken(definitions: &[Definition]) -> Vec<(&'static str, String)> {
    Lint::check(definitions)
        .into_iter()
        .map(|lint| (lint.rule, lint.message))
        .collect()
}

/// The rules that parameters with these properties break.
fn properties(properties: &Value) -> Vec<(&'static str, String)> {
    broken(&[definition(
        json!({ "type": "object", "properties": properties }),
    )])
}

#[track_caller]
fn assert_rules(found: &[(&str, String)], rules: &[&str]) {
    let names: Vec<&str> = found.iter().map(|(rule, _)| *rule).collect();
    assert_eq!(names, rules, "{found:#?}");
}

#[test]
fn a_good_definition_has_no_finding() {
    let found = properties(&json!({
        "query": { "type": "string", "description": "What to look for." },
        "order": { "description": "The order.", "oneOf": [
            { "const": "newest", "description": "Newest first." },
            { "const": "oldest", "description": "Oldest first." },
        ] },
        "tags": { "type": "array", "items": { "type": "string" }, "description": "The tags." },
        "headers": {
            "type": "object",
            "additionalProperties": { "type": "string" },
            "description": "The headers.",
        },
        "content": { "type": ["string", "object", "array"], "description": "What to write." },
    }));
    assert_rules(&found, &[]);
}

#[test]
fn names_and_descriptions_have_their_rules() {
    let named = |name: &str, description: &str| {
        broken(&[Definition::new(
            name,
            description,
            json!({ "type": "object" }),
        )])
    };
    let good = "Fetch a page of the web.";
    assert_rules(&named("web-fetch_page", good), &[]);
    assert_rules(&named("fetch_page", good), &["name-off-convention"]);
    assert_rules(&named("web.fetch", good), &["name-illegal"]);
    assert_rules(&named(&"x".repeat(65), good), &["name-illegal"]);
    assert_rules(&named("", good), &["name-illegal"]);
    assert_rules(&named("web-fetch_page", " \n"), &["description-missing"]);
    assert_rules(
        &named("web-fetch_page", "Fetch it."),
        &["description-short"],
    );
    assert_rules(
        &named("web-fetch_page", "Web: fetch page."),
        &["description-repeats-name"],
    );
    let long = "word ".repeat(206);
    assert_rules(&named("web-fetch_page", &long), &["description-long"]);
    assert_rules(
        &named("web-fetch_page", &"word ".repeat(900)),
        &["description-long", "heavy-definition"],
    );
    assert_rules(
        &named("web-fetch_page", "Fetch a page.\u{200b} Quickly."),
        &["invisible-character"],
    );
    assert_rules(
        &named(
            "web-fetch_page",
            "Fetch a page. \u{e0041}\u{e0042} Quickly.",
        ),
        &["hidden-text"],
    );
}

#[test]
fn each_parameter_says_what_it_is() {
    let found = properties(&json!({
        "anything": { "description": "Something." },
        "many": { "type": "array", "description": "Some." },
        "object": { "type": "object", "description": "An object." },
        "silent": { "type": "string" },
        "point": {
            "type": "object",
            "description": "A point.",
            "properties": { "x": { "type": "number" } },
        },
    }));
    assert_rules(
        &found,
        &[
            "untyped",
            "untyped",
            "free-form-object",
            "parameter-undescribed",
            "property-undescribed",
        ],
    );
    assert!(found[1].1.starts_with("`many[]` takes anything"));
    assert!(found[4].1.contains("`point.x`"), "{found:?}");
}

#[test]
fn hidden_characters_are_found_in_every_text_of_the_parameters() {
    let found = properties(&json!({
        "a\u{200b}": { "type": "string", "description": "One." },
        "b": { "type": "array", "description": "Two.", "items": {
            "type": "string", "description": "Three.\u{202e}",
        } },
    }));
    assert_rules(&found, &["invisible-character", "hidden-text"]);
    assert!(found[0].1.contains("\\u{200b}"), "{found:?}");
    assert!(found[1].1.contains("`b[]`"), "{found:?}");
}

#[test]
fn unions_inside_unions_are_told_once() {
    let text = json!({ "type": "string" });
    let number = json!({ "type": "number" });
    let union = json!({ "anyOf": [text, number] });
    let nested = json!({ "description": "Either.", "anyOf": [
        text,
        { "type": "array", "items": union },
        { "type": "null" },
    ] });
    let optional = json!({ "description": "Either.", "anyOf": [union, { "type": "null" }] });
    let found = properties(&json!({ "nested": nested, "optional": optional }));
    assert_rules(&found, &["nested-union"]);
    assert!(found[0].1.starts_with("`nested[]`"), "{found:?}");
}

#[test]
fn references_are_followed_once_and_loops_end() {
    let mut definitions = json!({ "node": {
        "type": "object",
        "description": "A node.",
        "properties": {
            "next": { "$ref": "#/$defs/node" },
            "free": { "type": "object", "description": "Free." },
        },
    } });
    // Each level refers twice to the next: 2^50 paths.
    for level in 0..50 {
        let next = json!({ "$ref": format!("#/$defs/level{}", level + 1) });
        definitions[format!("level{level}")] = json!({ "anyOf": [next, next] });
    }
    definitions["level50"] = json!({ "type": "string" });
    let parameters = json!({
        "type": "object",
        "properties": {
            "first": { "$ref": "#/$defs/node" },
            "second": { "$ref": "#/$defs/node" },
            "deep": { "$ref": "#/$defs/level0", "description": "Deep." },
            "loop": { "$ref": "#/properties/loop", "description": "For ever." },
        },
        "$defs": definitions,
    });
    let found = broken(&[definition(parameters)]);
    let free = found.iter().filter(|(rule, _)| *rule == "free-form-object");
    assert_eq!(free.count(), 1, "{found:#?}");
}

#[test]
fn roots_are_one_object_with_names() {
    let rules = |parameters: Value| broken(&[definition(parameters)]);
    assert_rules(&rules(json!({ "type": "string" })), &["schema-unusable"]);
    assert_rules(
        &rules(json!({ "type": "object", "properties": { "a": { "type": 5 } } })),
        &["schema-unusable", "parameter-undescribed"],
    );
    assert_rules(
        &rules(json!({ "type": "object", "oneOf": [{ "required": ["a"] }] })),
        &["root-keyword"],
    );
    assert_rules(
        &rules(json!({ "type": "object", "additionalProperties": true })),
        &["free-form-object"],
    );
    let many: serde_json::Map<String, Value> = (0..13)
        .map(|number| {
            let property = json!({ "type": "string", "description": "One of many." });
            (format!("p{number}"), property)
        })
        .collect();
    assert_rules(&properties(&many.into()), &["many-parameters"]);
}

#[test]
fn two_definitions_of_one_name_are_an_error() {
    let one = definition(json!({ "type": "object" }));
    assert_rules(&broken(&[one.clone(), one]), &["duplicate-name"]);
}

#[test]
fn the_rules_are_distinct_and_in_kebab_case() {
    let mut names: Vec<&str> = Lint::RULES.iter().map(|rule| rule.name).collect();
    for name in &names {
        let legal = |character: char| character.is_ascii_lowercase() || character == '-';
        assert!(name.chars().all(legal), "{name}");
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Lint::RULES.len());
}

#[test]
fn a_finding_is_shown_and_written_with_its_rule() {
    let lint = &Lint::check([&Definition::new("a-b", "", json!({ "type": "object" }))])[0];
    assert_eq!(lint.severity, Severity::Warning);
    assert!(
        lint.to_string()
            .starts_with("warning: a-b: no description;")
    );
    assert!(lint.to_string().ends_with("[description-missing]"));
    let written = serde_json::to_value(lint).unwrap();
    assert_eq!(written["rule"], "description-missing");
    assert_eq!(written["severity"], "warning");
}

#[test]
fn a_catalogue_costs_what_its_tools_cost() {
    let first = definition(json!({ "type": "object" }));
    let mut second = first.clone();
    second.name.push_str("_all");
    let sum = first.estimated_tokens() + second.estimated_tokens();
    let tool = |definition| Tool::new(definition, |_, _| async {}).unwrap();
    let catalogue = Catalogue::new([tool(first), tool(second)]).unwrap();
    assert_eq!(catalogue.estimated_tokens(), sum);
}

#[test]
fn what_a_dialect_leaves_out_or_refuses_is_told_of_it_alone() {
    let found = properties(&json!({ "byName": {
        "type": "object",
        "description": "The values by name.",
        "patternProperties": { "^x": { "type": "string" } },
        "additionalProperties": false,
    } }));
    assert_rules(&found, &["dropped-by-gemini"]);
    assert!(found[0].1.starts_with("gemini: `patternProperties` of"));

    // One that all can say in other words or under another name.
    let found = properties(&json!({ "when it is": {
        "type": "string", "format": "uri", "description": "Where.", "default": "x:y",
    } }));
    assert_rules(&found, &[]);

    let mut deep = json!({ "type": "string" });
    for _ in 0..250 {
        deep = json!({ "type": "array", "items": deep, "description": "A list." });
    }
    let found = properties(&json!({ "deep": deep }));
    let mut rules = found.iter().map(|(rule, _)| *rule);
    assert_eq!(rules.next(), Some("heavy-definition"), "{found:#?}");
    assert_eq!(rules.next(), Some("refused-by-openai"), "{found:#?}");
    assert!(
        rules.all(|rule| rule.starts_with("refused-by-")),
        "{found:#?}"
    );
}
