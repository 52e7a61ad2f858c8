use std::process::{Command, Stdio};

use crate::program::{example, own};

#[test]
fn the_table_names_each_tool_with_description_and_parameters() {
    let answer = own(&["list", "demo"]).exits(0);
    let row = answer
        .text()
        .lines()
        .find(|line| line.starts_with("demo-search_orders"))
        .unwrap();
    assert!(row.contains("Search the orders of the shop."), "{row}");
    assert!(row.ends_with("state [limit]"), "{row}");
    assert_eq!(answer.stderr, "");
}

#[test]
fn json_is_the_array_for_a_request() {
    for arguments in [
        &["list", "demo-greet", "--json"][..],
        &["list", "demo-greet", "--dialect", "openai"],
        &["list", "demo-greet", "--dialect", "openai", "--json"],
    ] {
        let answer = own(arguments).exits(0);
        assert_eq!(
            answer.json(),
            serde_json::json!([{ "type": "function", "function": {
                "name": "demo-greet",
                "description": "Greet somebody by name.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "name": { "type": "string", "description": "Whom to greet.", "examples": ["it's Ada"] },
                        "greeting": { "type": "string", "description": "How to greet." }
                    },
                    "required": ["name"],
                    "additionalProperties": false
                }
            } }])
        );
    }
}

#[test]
fn patterns_select_and_one_that_matches_nothing_is_an_error() {
    let answer = own(&["list", "--json", "demo-greet", "demo-f*"]).exits(0);
    let names: Vec<_> = answer
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["function"]["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["demo-fail", "demo-greet"]);

    let answer = own(&["list", "demo-gret"]).exits(2);
    assert!(answer.stderr.contains("demo-greet"), "{}", answer.stderr);
    assert_eq!(answer.text(), "");
}

#[test]
fn missing_state_does_not_matter() {
    let mut list = Command::new(example("missing_state"));
    let answer = crate::program::answer(list.args(["list", "forgetful"]), b"").exits(0);
    assert_eq!(answer.text().lines().count(), 3);
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_panic() {
    use std::io::Read as _;

    let mut child = Command::new(example("own_tools"))
        .args(["list", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let status = child.wait().unwrap();
    let mut stderr = String::new();
    child.stderr.unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(stderr, "");
    assert_eq!(status.code(), Some(0));
}
