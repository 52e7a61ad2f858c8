use serde_json::{Value, json};

use crate::program::{Answer, own, own_with_input};

fn call(id: &str, name: &str, arguments: &Value) -> Value {
    let function = json!({ "name": name, "arguments": arguments.to_string() });
    json!({ "id": id, "type": "function", "function": function })
}

fn run(response: &Value, more: &[&str]) -> Answer {
    own_with_input(&[&["run"], more].concat(), response.to_string().as_bytes())
}

#[test]
fn a_response_becomes_messages_in_the_order_of_its_calls() {
    let calls = json!([
        call("a", "demo-wait", &json!({ "seconds": 0.3 })),
        call("b", "demo-greet", &json!({ "name": "Ada" })),
    ]);
    let message = json!({ "role": "assistant", "tool_calls": calls });
    let response = json!({ "choices": [{ "message": message }] });
    for shape in [&response, &message, &calls] {
        let answer = run(shape, &[]).exits(0);
        assert_eq!(
            answer.json(),
            json!([
                { "role": "tool", "tool_call_id": "a", "content": "rested" },
                { "role": "tool", "tool_call_id": "b", "content": "Hello, Ada!" },
            ])
        );
        assert_eq!(answer.stderr, "");
    }
}

#[test]
fn calls_run_side_by_side() {
    let calls: Vec<Value> = (0..8)
        .map(|index| call(&index.to_string(), "demo-wait", &json!({ "seconds": 1 })))
        .collect();
    let started = std::time::Instant::now();
    run(&json!(calls), &["--json", "--dialect", "openai"]).exits(0);
    assert!(started.elapsed().as_secs_f64() < 4.0);
}

#[test]
fn a_call_that_fails_is_answered_and_told() {
    let calls = json!([
        call("a", "demo-greet", &json!({ "name": "Ada" })),
        call("b", "demo-greeet", &json!({})),
        call("c", "demo-fail", &json!({ "message": "no luck" })),
    ]);
    let answer = run(&calls, &[]).exits(1);
    let messages = answer.json();
    assert_eq!(messages[0]["content"], "Hello, Ada!");
    assert!(
        messages[1]["content"]
            .as_str()
            .unwrap()
            .starts_with("Error: There is no tool")
    );
    assert_eq!(messages[2]["content"], "Error: no luck\ndo not call it");
    assert!(
        answer.stderr.contains("c failed: no luck"),
        "{}",
        answer.stderr
    );
}

#[test]
fn an_interrupted_batch_is_told() {
    let calls = json!([
        call(
            "a",
            "demo-ask_customer",
            &json!({ "question": "Which one?" })
        ),
        call("b", "demo-greet", &json!({ "name": "Ada" })),
    ]);
    let answer = run(&calls, &[]).exits(0);
    assert_eq!(answer.json().as_array().unwrap().len(), 2);
    assert!(
        answer.stderr.contains("hand over to a person"),
        "{}",
        answer.stderr
    );
}

#[test]
fn files_go_to_the_directory() {
    let directory = tempfile::tempdir().unwrap();
    let calls = json!([call(
        "a",
        "demo-make_files",
        &json!({ "names": ["../a.txt"] })
    )]);
    let answer = run(&calls, &["--out", directory.path().to_str().unwrap()]).exits(0);
    assert!(directory.path().join("a.txt").exists());
    let content = answer.json()[0]["content"].as_str().unwrap().to_owned();
    assert!(content.starts_with("1 made\n[file "), "{content}");
}

#[test]
fn a_response_without_calls_gives_no_messages() {
    let response = json!({ "choices": [{ "message": { "role": "assistant", "content": "Hi" } }] });
    let answer = run(&response, &[]).exits(0);
    assert_eq!(answer.json(), json!([]));
    assert!(answer.stderr.contains("no calls"), "{}", answer.stderr);
}

#[test]
fn what_is_no_response_is_wrong_usage() {
    let answer = own_with_input(&["run"], b"{").exits(2);
    assert!(
        answer.stderr.contains("stdin is not JSON"),
        "{}",
        answer.stderr
    );
    let answer = run(&json!(5), &[]).exits(2);
    assert!(
        answer.stderr.contains("expected a response"),
        "{}",
        answer.stderr
    );
    let answer = run(&json!({ "error": { "message": "no quota" } }), &[]).exits(2);
    assert!(answer.stderr.contains("no quota"), "{}", answer.stderr);
    let answer = own(&["run", "/no/such/file"]).exits(2);
    assert!(answer.stderr.contains("cannot open"), "{}", answer.stderr);
    let answer = own_with_input(&["run"], "[".repeat(100_000).as_bytes()).exits(2);
    assert!(answer.stderr.contains("not JSON"), "{}", answer.stderr);
}

#[test]
fn definitions_stand_in_for_the_tools() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("request.json");
    let path = file.to_str().unwrap();
    let tool = json!({ "type": "function", "function": {
        "name": "get_weather",
        "parameters": { "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"] }
    } });
    let calls = json!([
        call("a", "get_weather", &json!({ "city": "Paris" })),
        call("b", "get_weather", &json!({ "city": 5 })),
        call("c", "demo-greet", &json!({ "name": "Ada" })),
    ]);
    for shape in [json!({ "tools": [tool] }), json!([tool]), tool] {
        std::fs::write(&file, shape.to_string()).unwrap();
        let messages = run(&calls, &["--definitions", path]).exits(1).json();
        assert_eq!(messages[0]["content"], r#"{"city":"Paris"}"#);
        assert!(messages[1]["content"].as_str().unwrap().contains("`city`"));
        assert!(
            messages[2]["content"]
                .as_str()
                .unwrap()
                .contains("no tool 'demo-greet'")
        );
    }

    let broken = json!([
        { "function": { "name": "get_weather" } },
        { "function": { "name": "broken", "parameters": { "type": "object", "properties": 5 } } },
    ]);
    std::fs::write(&file, broken.to_string()).unwrap();
    let calls = json!([call("a", "get_weather", &json!({}))]);
    let answer = run(&calls, &["--definitions", path]).exits(0);
    assert!(
        answer.stderr.contains("left out") && answer.stderr.contains("broken"),
        "{}",
        answer.stderr
    );

    std::fs::write(&file, "5").unwrap();
    let answer = run(&calls, &["--definitions", path]).exits(2);
    assert!(answer.stderr.contains("request.json"), "{}", answer.stderr);
}
