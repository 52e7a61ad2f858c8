use std::path::Path;

use serde_json::{Value, json};

use crate::program::{Answer, own, own_with_input};

fn linted(options: &[&str], definitions: &Value) -> Answer {
    let arguments = [&["lint", "--definitions", "-"], options].concat();
    own_with_input(&arguments, definitions.to_string().as_bytes())
}

fn define(name: &str, description: &str, parameters: &Value) -> Value {
    json!({ "type": "function", "function": {
        "name": name, "description": description, "parameters": parameters,
    } })
}

fn good(name: &str) -> Value {
    define(
        name,
        "Look something up in a list.",
        &json!({ "type": "object", "properties": {} }),
    )
}

fn rules(answer: &Answer) -> Vec<String> {
    let report = answer.json();
    let findings = report["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|finding| {
            let part = |key: &str| finding[key].as_str().unwrap().to_owned();
            format!("{}: {}", part("tool"), part("rule"))
        })
        .collect()
}

#[test]
fn warnings_are_told_and_exit_with_0() {
    let answer = own(&["lint", "demo-panic", "demo-paint"]).exits(0);
    let lines: Vec<&str> = answer.text().lines().collect();
    assert_eq!(lines[0].split(": ").next(), Some("warning"));
    assert!(lines[0].starts_with("warning: demo-panic: the description"));
    assert!(
        lines[0].ends_with("[description-repeats-name]"),
        "{}",
        lines[0]
    );
    assert_eq!(lines[2], "TOKENS  TOOL");
    assert!(lines[3].ends_with("  demo-paint"), "{}", lines[3]);
    let totals = lines.last().unwrap();
    assert!(totals.starts_with("2 tools, about "), "{totals}");
    assert!(
        totals.ends_with(" tokens in every request; 0 errors, 1 warning"),
        "{totals}"
    );
    assert_eq!(answer.stderr, "");
}

#[test]
fn errors_exit_with_1_and_come_as_json() {
    let definitions = json!([
        good("list-look_up"),
        good("list.look_up"),
        good("list-look_up")
    ]);
    let answer = linted(&["--json"], &definitions).exits(1);
    assert_eq!(
        rules(&answer),
        ["list.look_up: name-illegal", "list-look_up: duplicate-name"]
    );
    let report = answer.json();
    assert_eq!(report["errors"], 2);
    assert_eq!(report["warnings"], 0);
    assert_eq!(report["findings"][0]["severity"], "error");
    let costs = report["tools"].as_array().unwrap();
    let sum: u64 = costs
        .iter()
        .map(|cost| cost["tokens"].as_u64().unwrap())
        .sum();
    assert_eq!(costs.len(), 3);
    assert_eq!(report["tokens"], sum);
}

#[test]
fn what_is_allowed_is_not_told_and_does_not_fail() {
    let definitions = json!([
        good("list.look_up"),
        define("list-find", "", &json!({ "type": "object" }))
    ]);
    linted(&["--json", "--allow", "description-missing"], &definitions).exits(1);
    let allowed = [
        "--json",
        "--allow",
        "name-illegal",
        "--allow",
        "description-missing",
    ];
    let answer = linted(&allowed, &definitions).exits(0);
    assert_eq!(rules(&answer), Vec::<String>::new());

    let answer = linted(&["--allow", "name-ilegal"], &definitions).exits(2);
    assert!(answer.stderr.contains("name-illegal"), "{answer:?}");
}

#[test]
fn patterns_choose_among_definitions_and_a_broken_schema_is_a_finding() {
    let definitions = json!({ "tools": [
        good("web-fetch_page"),
        define("list-find", "Find something in a list.", &json!({ "type": "string" })),
        define("", "Nobody can call this one.", &json!({ "type": "object" })),
    ] });
    let answer = linted(&["--json", "list"], &definitions).exits(1);
    assert_eq!(rules(&answer), ["list-find: schema-unusable"]);
    let answer = linted(&["--json"], &definitions).exits(1);
    assert_eq!(
        rules(&answer),
        ["list-find: schema-unusable", ": name-illegal"]
    );
    let answer = linted(&["nothing-*"], &definitions).exits(2);
    assert!(
        answer.stderr.contains("no tool matches `nothing-*`"),
        "{answer:?}"
    );
    own(&["lint", "demo-gret"]).exits(2);
    linted(&[], &json!(5)).exits(2);
    let answer = linted(&[], &json!([])).exits(0);
    assert_eq!(answer.stderr, "there are no definitions\n");
}

#[test]
fn what_a_definition_holds_cannot_drive_the_terminal() {
    let definitions = json!([good("a\u{1b}[2J\nb")]);
    let answer = linted(&[], &definitions).exits(1);
    assert!(!answer.text().contains('\u{1b}'), "{answer:?}");
    let answer = linted(&["--json"], &json!([good("\u{9b}")])).exits(1);
    assert!(answer.text().contains("\\u009b"), "{answer:?}");
}

#[cfg(feature = "builtins")]
#[test]
fn the_built_in_tools_have_no_finding() {
    let answer = crate::program::tool(&["lint", "--json"]).exits(0);
    assert_eq!(rules(&answer), Vec::<String>::new());
}

/// Recorded requests lie beside the repository, where there are any.
#[test]
fn recorded_definitions_can_be_linted() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = path.join("../../shared/data/recorded/openai.jsonl");
    let Ok(lines) = std::fs::read_to_string(&path) else {
        println!("skipped: there is no {}", path.display());
        return;
    };
    for line in lines.lines() {
        let exchange: Value = serde_json::from_str(line).unwrap();
        let answer = linted(&["--json"], &exchange["request"]);
        assert!(matches!(answer.code, Some(0 | 1)), "{answer:?}");
        assert!(answer.json()["tokens"].as_u64().unwrap() > 0);
    }
}
