use std::process::Command;

use serde_json::json;

use crate::program::{answer, example, own, own_with_input};

const GREET: &str = r#"{"name":"Ada"}"#;

#[test]
fn text_comes_as_it_is() {
    let answer = own(&["call", "demo-greet", GREET]).exits(0);
    assert_eq!(answer.text(), "Hello, Ada!");
    assert_eq!(answer.stderr, "");
    let answer = own(&["call", "demo-paint"]).exits(0);
    assert_eq!(answer.text(), "\x1b[2J\x1b]0;owned\x07red\u{9b}31m\n\tend");
}

#[test]
fn arguments_come_from_a_file_or_from_stdin() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a b.json");
    std::fs::write(&file, format!("\u{feff}{GREET}\n")).unwrap();
    let at_file = format!("@{}", file.display());
    assert_eq!(
        own(&["call", "demo-greet", &at_file]).exits(0).text(),
        "Hello, Ada!"
    );
    assert_eq!(
        own_with_input(&["call", "demo-greet", "-"], GREET.as_bytes())
            .exits(0)
            .text(),
        "Hello, Ada!"
    );
}

#[test]
fn what_cannot_be_read_is_wrong_usage() {
    let directory = tempfile::tempdir().unwrap();
    let answer = own(&["call", "demo-greet", "@/no/such/file"]).exits(2);
    assert!(
        answer.stderr.contains("cannot open `/no/such/file`"),
        "{}",
        answer.stderr
    );

    let file = directory.path().join("latin1.json");
    std::fs::write(&file, b"{\"name\":\"Ren\xe9\"}").unwrap();
    let answer = own(&["call", "demo-greet", &format!("@{}", file.display())]).exits(2);
    assert!(
        answer.stderr.contains("not UTF-8: the byte at offset 12"),
        "{}",
        answer.stderr
    );
    let answer = own_with_input(&["call", "demo-greet", "-"], b"\xff\xfe{\0}\0").exits(2);
    assert!(
        answer.stderr.contains("stdin is not UTF-8"),
        "{}",
        answer.stderr
    );

    let answer =
        own_with_input(&["call", "demo-greet", "-"], &vec![b' '; 17 * 1024 * 1024]).exits(2);
    assert!(
        answer.stderr.contains("more than 16 MiB"),
        "{}",
        answer.stderr
    );
}

#[cfg(unix)]
#[test]
fn a_file_without_end_is_not_read_to_its_end() {
    let answer = own(&["call", "demo-greet", "@/dev/zero"]).exits(2);
    assert!(
        answer.stderr.contains("more than 16 MiB"),
        "{}",
        answer.stderr
    );
}

#[test]
fn arguments_of_several_megabytes_are_taken() {
    let name = "x".repeat(5 * 1024 * 1024);
    let arguments = json!({ "name": name }).to_string();
    let answer = own_with_input(&["call", "demo-greet", "-"], arguments.as_bytes()).exits(0);
    assert!(answer.text().starts_with("Hello, xxx"));
}

#[test]
fn wrong_arguments_fail_with_every_problem() {
    let answer = own(&[
        "call",
        "demo-search_orders",
        r#"{"state":"lost","limit":500}"#,
    ])
    .exits(1);
    assert_eq!(answer.text(), "");
    assert!(
        answer.stderr.starts_with("Error: Invalid arguments"),
        "{}",
        answer.stderr
    );
    assert!(
        answer.stderr.contains(r#""open", "shipped""#),
        "{}",
        answer.stderr
    );
    assert!(answer.stderr.contains("500"), "{}", answer.stderr);

    let answer = own(&["call", "demo-greet", r#"{"name":"Ada""#]).exits(1);
    assert!(
        answer.stderr.starts_with("Error: Invalid arguments"),
        "{}",
        answer.stderr
    );
}

#[test]
fn json_is_the_whole_outcome() {
    let outcome = own(&[
        "call",
        "demo-search_orders",
        r#"{"state":"shipped"}"#,
        "--json",
    ])
    .exits(0)
    .json();
    assert!(outcome["elapsed_seconds"].as_f64().unwrap() >= 0.0);
    let mut rest = outcome.clone();
    rest.as_object_mut().unwrap().remove("elapsed_seconds");
    assert_eq!(
        rest,
        json!({
            "call_id": "call_1",
            "tool": "demo-search_orders",
            "ok": true,
            "result": [{ "number": 2, "state": "shipped" }],
            "error": null,
            "files": [],
            "may_still_run": false,
            "interrupts": false
        })
    );

    let outcome = own(&[
        "call",
        "demo-search_orders",
        r#"{"state":"lost"}"#,
        "--json",
    ])
    .exits(1)
    .json();
    assert_eq!(outcome["ok"], false);
    assert_eq!(outcome["result"], json!(null));
    assert_eq!(outcome["error"]["kind"], "invalid_arguments");
    assert_eq!(outcome["error"]["problems"][0]["path"], "state");

    let outcome = own(&["call", "demo-fail", r#"{"message":"no luck"}"#, "--json"])
        .exits(1)
        .json();
    assert_eq!(outcome["error"]["kind"], "failed");
    assert_eq!(outcome["error"]["message"], "no luck");
    assert_eq!(outcome["error"]["hint"], "do not call it");

    // Control characters are written as escapes, so that a terminal is safe.
    let answer = own(&["call", "demo-paint", "--json"]).exits(0);
    assert!(answer.text().contains("red\\u009b31m"), "{}", answer.text());
    assert_eq!(
        answer.json()["result"],
        "\x1b[2J\x1b]0;owned\x07red\u{9b}31m\n\tend"
    );
}

#[test]
fn an_error_of_the_tool_goes_to_stderr() {
    let answer = own(&["call", "demo-fail", r#"{"message":"no luck"}"#]).exits(1);
    assert_eq!(answer.text(), "");
    assert_eq!(answer.stderr, "Error: no luck\ndo not call it\n");
}

#[test]
fn the_timeout_option_ends_a_slow_tool() {
    let answer = own(&[
        "call",
        "demo-wait",
        r#"{"seconds":600}"#,
        "--timeout",
        "0.2",
    ])
    .exits(1);
    assert!(
        answer
            .stderr
            .contains("Tool 'demo-wait' timed out after 0.2 seconds"),
        "{}",
        answer.stderr
    );
}

#[test]
fn an_unknown_tool_is_wrong_usage() {
    let answer = own(&["call", "demo-gret", GREET]).exits(2);
    assert!(
        answer.stderr.contains("Did you mean 'demo-greet'"),
        "{}",
        answer.stderr
    );
}

#[test]
fn missing_state_is_named() {
    let call = |arguments: &[&str]| {
        answer(
            Command::new(example("missing_state")).args(arguments),
            b"[]",
        )
    };
    let failed = call(&["call", "forgetful-find_customer", GREET]).exits(2);
    assert!(
        failed
            .stderr
            .contains("tool 'forgetful-find_customer' needs"),
        "{}",
        failed.stderr
    );
    assert!(failed.stderr.contains("Database"), "{}", failed.stderr);
    let failed = call(&["run"]).exits(2);
    assert!(failed.stderr.contains("Database"), "{}", failed.stderr);
    // The other tool needs none.
    assert_eq!(call(&["call", "forgetful-ping"]).exits(0).text(), "pong");
}
