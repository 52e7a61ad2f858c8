//! Listing and choosing tools.

use serde_json::json;
use tool_core::{Catalogue, CatalogueError, Definition, Severity, Tool};

fn named(name: &str) -> Tool {
    let definition = Definition::new(
        name,
        "A tool for a test of catalogues.",
        json!({"type": "object"}),
    );
    Tool::new(definition, |_, _| async { "done" }).unwrap()
}

fn catalogue() -> Catalogue {
    let names = [
        "web-fetch_page",
        "web-download_file",
        "files-read_file",
        "slack-send",
        "slack-list",
        "plain",
    ];
    Catalogue::new(names.map(named)).unwrap()
}

fn select<const N: usize>(patterns: [&str; N]) -> Result<Vec<String>, String> {
    match catalogue().select(patterns) {
        Ok(chosen) => Ok(chosen.names().map(str::to_owned).collect()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn tools_are_sorted_by_name_whatever_their_order() {
    let mut names: Vec<_> = catalogue().names().map(str::to_owned).collect();
    let given = names.clone();
    names.sort();
    assert_eq!(given, names);
    assert_eq!(catalogue().len(), 6);
}

#[test]
fn patterns_choose_by_category_name_glob_and_module() {
    assert_eq!(
        select(["web"]).unwrap(),
        ["web-download_file", "web-fetch_page"]
    );
    assert_eq!(
        select(["plain", "slack-*"]).unwrap(),
        ["plain", "slack-list", "slack-send"]
    );
    assert_eq!(select(["web:fetch_page"]).unwrap(), ["web-fetch_page"]);
    assert_eq!(
        select(["web:web-fetch_page,download_file"]).unwrap(),
        ["web-download_file", "web-fetch_page"]
    );
    assert_eq!(select(["*"]).unwrap().len(), 6);
    assert_eq!(select([]).unwrap().len(), 0);
}

#[test]
fn a_pattern_that_matches_nothing_is_an_error_that_names_the_near() {
    assert_eq!(
        select(["web", "web-fetch_pages"]).unwrap_err(),
        "no tool matches `web-fetch_pages`; near are `web-fetch_page`"
    );
    assert!(select(["web:nothing"]).is_err());
    let error = Catalogue::default().select(["web"]).unwrap_err();
    assert!(
        error.to_string().contains("use tool_builtins as _;"),
        "{error}"
    );
}

#[test]
fn without_keeps_the_rest() {
    let left = catalogue().without("slack").unwrap();
    assert_eq!(left.len(), 4);
    assert!(catalogue().without("slak").is_err());
}

#[test]
fn one_name_for_two_tools_names_both_places() {
    let Err(CatalogueError::Duplicate {
        name,
        first,
        second,
    }) = Catalogue::new([named("same"), named("same")])
    else {
        panic!("expected a duplicate");
    };
    assert_eq!(name, "same");
    assert!(
        first.contains("catalogue.rs:") && second.contains("catalogue.rs:"),
        "{first} {second}"
    );
}

#[test]
fn the_same_tool_twice_is_one() {
    let tool = named("same");
    assert_eq!(Catalogue::new([tool.clone(), tool]).unwrap().len(), 1);
}

#[test]
fn a_name_is_found_as_models_bend_it() {
    let catalogue = catalogue();
    for name in [
        "web-fetch_page",
        "web_fetch_page",
        "web.fetch-page",
        "web-fetch_page\" />",
        "web-fetch_page()",
    ] {
        assert_eq!(
            catalogue.find(name).map(Tool::name),
            Some("web-fetch_page"),
            "{name}"
        );
    }
    for name in ["web-fetch", "", "WEB-FETCH_PAGE", "web-fetch_page_2"] {
        assert!(catalogue.find(name).is_none(), "{name}");
    }
    let twins = Catalogue::new([named("a-b"), named("a_b")]).unwrap();
    assert!(twins.find("a.b").is_none(), "two tools fold to one name");
    assert_eq!(twins.find("a-b").map(Tool::name), Some("a-b"));
}

#[test]
fn a_prefix_changes_names_and_definitions() {
    let prefixed = catalogue().prefixed("my_");
    let tool = prefixed.get("my_plain").unwrap();
    assert_eq!(tool.definition().name, "my_plain");
    assert!(prefixed.get("plain").is_none());
}

#[test]
fn lint_tells_what_a_model_or_a_provider_would_not_take() {
    let definition = Definition::new(
        "bad.name",
        "short",
        json!({"type": "object", "properties": {"a": {}}, "anyOf": [{"required": ["a"]}]}),
    );
    let tool = Tool::new(definition, |_, _| async {}).unwrap();
    let lints = Catalogue::new([tool]).unwrap().lint();
    let found: Vec<_> = lints
        .iter()
        .map(|lint| (lint.rule, lint.severity == Severity::Error))
        .collect();
    assert_eq!(
        found,
        [
            ("name-illegal", true),
            ("description-short", false),
            ("root-keyword", true),
            ("parameter-undescribed", false),
            ("untyped", false),
        ],
        "{lints:#?}"
    );
}

#[test]
fn a_definition_that_cannot_work_is_refused_at_once() {
    for (name, schema, expected) in [
        (
            "",
            json!({"type": "object"}),
            "must have 1 to 128 characters",
        ),
        ("a\u{7}b", json!({"type": "object"}), "control character"),
        (
            "a",
            json!({"type": "string"}),
            "its root must be of type `object`",
        ),
        ("a", json!(5), "its root must be of type `object`"),
        (
            "a",
            json!({"type": "object", "properties": {"x": {"type": "strin"}}}),
            "not a usable JSON Schema",
        ),
        (
            "a",
            json!({"type": "object", "properties": {"x": {"pattern": "("}}}),
            "not a usable JSON Schema",
        ),
        (
            "a",
            json!({"type": "object", "properties": {"x": {"$ref": "https://example.com/x"}}}),
            "not a usable JSON Schema",
        ),
        (
            "a",
            json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/none"}}}),
            "not a usable JSON Schema",
        ),
    ] {
        let error = Tool::new(Definition::new(name, "x", schema), |_, _| async {})
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
    }
}
