//! Recorded exchanges with OpenAI-compatible providers, where the data is there.

use std::path::Path;

use serde_json::Value;
use tool_core::{Arguments, Catalogue, Dialect, Executor, Tool};

/// The lines of a file of recorded data; `None`, and word of it, where it is absent.
pub(crate) fn lines(path: &str) -> Option<Vec<Value>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/data")
        .join(path);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: no {}", path.display());
        return None;
    };
    Some(
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
    )
}

#[tokio::test]
async fn every_recorded_exchange_runs_and_answers_in_the_recorded_shape() {
    let Some(exchanges) = lines("recorded/openai.jsonl") else {
        return;
    };
    let mut calls_run = 0;
    for exchange in &exchanges {
        let id = &exchange["id"];
        let request = &exchange["request"];
        let definitions = Dialect::OpenAi.import(request).unwrap();
        let recorded: Vec<Value> = request["tools"].as_array().unwrap().clone();
        assert_eq!(definitions.len(), recorded.len());
        let tools = definitions.into_iter().map(|definition| {
            Tool::new(definition, |arguments, _| async move { arguments }).unwrap()
        });
        let executor = Executor::new(Catalogue::new(tools).unwrap()).unwrap();

        let calls = Dialect::OpenAi.calls(&exchange["response"]).unwrap();
        let sent = &exchange["response"]["choices"][0]["message"]["tool_calls"];
        assert_eq!(calls.len(), sent.as_array().unwrap().len(), "{id}");
        for (call, sent) in calls.iter().zip(sent.as_array().unwrap()) {
            assert_eq!(call.id, sent["id"], "{id}");
            assert_eq!(call.name, sent["function"]["name"], "{id}");
            let Arguments::Text(text) = &call.arguments else {
                panic!("{id}: arguments are text");
            };
            assert_eq!(
                text,
                sent["function"]["arguments"].as_str().unwrap(),
                "{id}"
            );
        }

        let outcomes = executor.run(calls).await;
        calls_run += outcomes.len();
        for outcome in &outcomes {
            assert!(outcome.is_ok(), "{id}: {}", outcome.text());
        }
        let messages = Dialect::OpenAi.results(&outcomes);
        let next = exchange["next_request"]["messages"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        for message in &messages {
            let Some(recorded) = next
                .iter()
                .find(|recorded| recorded["tool_call_id"] == message["tool_call_id"])
            else {
                continue;
            };
            let keys = |value: &Value| {
                let mut keys: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
                keys.sort();
                keys
            };
            assert_eq!(keys(message), keys(recorded), "{id}");
            assert_eq!(message["role"], recorded["role"]);
            assert!(message["content"].is_string());
        }
    }
    println!("{} exchanges, {calls_run} calls", exchanges.len());
}
