use std::process::Command;

use serde_json::{Value, json};

use crate::program::{answer, example, own, own_with_input};

#[test]
fn the_page_says_all_about_a_tool() {
    let answer = own(&["show", "demo-search_orders"]).exits(0);
    for part in [
        "demo-search_orders: Search orders\n",
        "Search the orders of the shop.\n\nNewest first.\n",
        "state (required): one of \"open\", \"shipped\"\n      Only orders in this state.\n",
        "limit (optional): integer from 1 to 100\n      How many orders to return.\n      Default: 20\n",
        "Timeout: 5 s\n",
        "Says of itself: read only\n",
        "Result: JSON, array, each object { number: integer",
    ] {
        assert!(
            answer.text().contains(part),
            "{part:?} is not in\n{}",
            answer.text()
        );
    }
    let answer = own(&["show", "demo-delete_order"]).exits(0);
    assert!(answer.text().contains("approval"), "{}", answer.text());
    let answer = own(&["show", "demo-ask_customer"]).exits(0);
    assert!(answer.text().contains("Ends the turn"), "{}", answer.text());
    let answer = own(&["show", "demo-paint"]).exits(0);
    assert!(answer.text().contains("no parameters"), "{}", answer.text());
}

#[test]
fn the_page_says_how_a_tool_is_run() {
    let answer = own(&["show", "demo-reserve_article"]).exits(0);
    let limits = "Runs one after the other for equal `article`.\n\
                  At a time: 4 calls\n\
                  Rate: 10 calls in 60 s\n\
                  Results are cut to 2000 bytes.\n\
                  May ask the model to try again 1 time in a row.\n";
    assert!(answer.text().contains(limits), "{}", answer.text());
    let answer = own(&["show", "demo-count_stock"]).exits(0);
    let limits = "Runs alone: after the calls before it in a batch, before those after it.\n\
                  At a time: 1 call\n\
                  May not ask the model to try again.\n";
    assert!(answer.text().contains(limits), "{}", answer.text());
    let answer = own(&["show", "demo-greet"]).exits(0);
    for word in ["Runs", "At a time", "Rate", "Results are", "try again"] {
        assert!(!answer.text().contains(word), "{}", answer.text());
    }
}

#[test]
fn json_says_how_a_tool_is_run() {
    let running = |name: &str| {
        let shown = own(&["show", name, "--json"]).exits(0).json();
        [
            "sequential",
            "concurrency",
            "rate",
            "max_output_bytes",
            "retries",
        ]
        .map(|key| shown.get(key).cloned().expect("each key is there"))
    };
    let rate = json!({ "calls": 10, "period_seconds": 60.0 });
    assert_eq!(
        running("demo-reserve_article"),
        [
            json!({ "key": "article" }),
            json!(4),
            rate,
            json!(2000),
            json!(1)
        ]
    );
    assert_eq!(
        running("demo-count_stock"),
        [json!(true), json!(1), Value::Null, Value::Null, json!(0)]
    );
    assert_eq!(
        running("demo-greet"),
        [
            json!(false),
            Value::Null,
            Value::Null,
            Value::Null,
            Value::Null
        ]
    );
}

#[cfg(unix)]
#[test]
fn the_example_runs_in_a_shell() {
    for (name, expected) in [
        ("demo-greet", "Hello, it's Ada!"),
        (
            "demo-search_orders",
            r#"[{"number":3,"state":"open"},{"number":1,"state":"open"}]"#,
        ),
        ("demo-make_files", "1 made"),
    ] {
        let page = own(&["show", name]).exits(0);
        let line = page.text().lines().last().unwrap().trim();
        let ran = answer(Command::new("sh").arg("-c").arg(line), b"").exits(0);
        assert_eq!(ran.text(), expected, "{line}");
    }
}

#[test]
fn json_is_a_definition_that_can_be_read_back() {
    let shown = own(&["show", "demo-search_orders", "--json"]).exits(0);
    let value = shown.json();
    assert_eq!(value["function"]["name"], "demo-search_orders");
    assert_eq!(value["timeout_seconds"], 5.0);
    assert_eq!(value["annotations"], json!({ "read_only": true }));
    assert_eq!(value["example_arguments"], json!({ "state": "open" }));

    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("definition.json");
    std::fs::write(&file, &shown.stdout).unwrap();
    let call = br#"[{"id":"1","function":{"name":"demo-search_orders","arguments":"{\"state\":\"open\"}"}}]"#;
    let ran = own_with_input(&["run", "--definitions", file.to_str().unwrap()], call).exits(0);
    assert_eq!(ran.json()[0]["content"], r#"{"state":"open"}"#);
}

#[test]
fn a_name_that_is_unknown_gets_the_nearest() {
    let answer = own(&["show", "demo-greeet"]).exits(2);
    assert!(
        answer.stderr.contains("there is no tool 'demo-greeet'"),
        "{}",
        answer.stderr
    );
    assert!(
        answer.stderr.contains("Did you mean 'demo-greet'"),
        "{}",
        answer.stderr
    );
}

#[test]
fn missing_state_does_not_matter() {
    let mut show = Command::new(example("missing_state"));
    let answer = answer(show.args(["show", "forgetful-find_customer"]), b"").exits(0);
    assert!(!answer.text().contains("database"), "{}", answer.text());
}
