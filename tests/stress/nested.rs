//! Tools that call tools which must wait for their turn.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::json;
use tool_core::{Call, Catalogue, Definition, Executor, Rate, Sequential, Tool};

/// The outer call has the only place and waits for the inner one, whose turn
/// comes after that of a call which waits for the place.
#[test]
fn a_call_that_waits_for_its_turn_holds_nobody_up_for_whom_it_waits() {
    type Change = fn(&mut Definition);

    let changes: [(&str, Change); 3] = [
        ("key", |definition| {
            definition.sequential = Sequential::Key("key".to_owned());
        }),
        ("gate", |definition| definition.concurrency = Some(1)),
        ("rate", |definition| {
            definition.rate = Some(Rate::new(1, Duration::from_millis(50)));
        }),
    ];
    for (what, change) in changes {
        let cell: Arc<OnceLock<Executor>> = Arc::default();
        let schema = json!({"type": "object", "properties": {"key": {"type": "integer"}}});
        let mut definition = Definition::new("nested-inner", "Wait for its turn.", schema);
        change(&mut definition);
        let inner = Tool::new(definition, |_, _| async { "inner" }).unwrap();
        let executor = Arc::clone(&cell);
        let outer = Tool::new(
            Definition::new("nested-outer", "Call the other.", json!({"type": "object"})),
            move |_, _| {
                let executor = executor.get().cloned();
                async move {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    let call = Call::new("3", "nested-inner", r#"{"key":1}"#);
                    let outcome = executor.unwrap().call(call).await;
                    outcome.text().into_owned()
                }
            },
        )
        .unwrap();
        let executor = Executor::builder(Catalogue::new([inner, outer]).unwrap())
            .concurrency(1)
            .timeout(Duration::from_secs(2))
            .build()
            .unwrap();
        let _ = cell.set(executor.clone());
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_time()
            .build()
            .unwrap();
        let batch = runtime.block_on(executor.run([
            Call::new("1", "nested-outer", "{}"),
            Call::new("2", "nested-inner", r#"{"key":1}"#),
        ]));
        let texts: Vec<_> = batch.iter().map(tool_core::Outcome::text).collect();
        assert_eq!(texts, ["inner", "inner"], "{what}");
    }
}
