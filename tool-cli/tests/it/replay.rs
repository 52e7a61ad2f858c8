use std::path::Path;

use serde_json::Value;

use crate::program::own;

/// Recorded exchanges lie beside the repository, where there are any.
#[test]
fn recorded_traffic_is_replayed() {
    let recorded =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/recorded/openai.jsonl");
    let Ok(lines) = std::fs::read_to_string(&recorded) else {
        println!("skipped: there is no {}", recorded.display());
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, value: &Value| {
        let path = directory.path().join(name);
        std::fs::write(&path, value.to_string()).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let mut exchanges = 0;
    for line in lines.lines() {
        let exchange: Value = serde_json::from_str(line).unwrap();
        let request = write("request.json", &exchange["request"]);
        let response = write("response.json", &exchange["response"]);
        let answer = own(&["run", "--definitions", &request, &response]);
        assert_eq!(answer.code, Some(0), "{}: {answer:?}", exchange["id"]);

        let messages = answer.json();
        let messages = messages.as_array().unwrap();
        let calls = exchange["response"]["choices"][0]["message"]["tool_calls"]
            .as_array()
            .unwrap();
        assert_eq!(messages.len(), calls.len(), "{}", exchange["id"]);
        for (message, call) in messages.iter().zip(calls) {
            assert_eq!(message["role"], "tool");
            assert_eq!(message["tool_call_id"], call["id"], "{}", exchange["id"]);
            let echoed: Value = serde_json::from_str(message["content"].as_str().unwrap()).unwrap();
            let sent = call["function"]["arguments"].as_str().unwrap();
            let sent: Value =
                serde_json::from_str(if sent.is_empty() { "{}" } else { sent }).unwrap();
            assert_eq!(echoed, sent, "{}", exchange["id"]);
        }
        exchanges += 1;
    }
    assert!(exchanges > 0);
    println!("replayed {exchanges} exchanges");
}
