//! Much of everything, and callers that go away: nothing is left behind, and
//! nothing grows or waits without end.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::json;
use tool_core::{
    Before, Call, Catalogue, Decision, ErrorKind, Executor, Hook, HookedCall, Next, Outcome,
    Output, Progress, Rule, RunEvent, Selector, Sequential, ToolError, tool, tools,
};

use super::attacks::made;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn endless_progress_holds_up_no_outcome() {
    let endless = made(
        "attack-endless",
        |definition| definition.timeout = Some(Duration::from_millis(100)),
        |_, context| async move {
            loop {
                context.report(Progress::new(1.0));
                tokio::task::yield_now().await;
            }
            #[allow(unreachable_code, reason = "gives the future its type")]
            "never".to_owned()
        },
    );
    let executor = Executor::new(Catalogue::new([endless]).unwrap()).unwrap();
    let mut events = executor.run_stream([Call::new("1", "attack-endless", "{}")]);
    let outcome = loop {
        match events.next().await {
            Some(RunEvent::Done { outcome, .. }) => break outcome,
            Some(_) => {}
            None => panic!("no outcome"),
        }
    };
    assert_eq!(outcome.error_kind(), Some(ErrorKind::TimedOut));
}

/// A hook that waits at each step, so that there are many points to go away at.
struct Slow;

impl Hook for Slow {
    async fn before(&self, _call: &mut HookedCall) -> Result<Before, ToolError> {
        tokio::task::yield_now().await;
        Ok(Before::Go)
    }

    async fn around(&self, _call: &HookedCall, next: Next<'_>) -> Result<Output, ToolError> {
        tokio::task::yield_now().await;
        let output = next.run().await;
        tokio::task::yield_now().await;
        output
    }

    async fn after(&self, _call: &HookedCall, output: Output) -> Result<Output, ToolError> {
        tokio::task::yield_now().await;
        Ok(output)
    }
}

#[tokio::test]
async fn a_caller_that_goes_at_any_point_leaves_nothing_behind() {
    let tool = |name: &str| {
        made(
            name,
            |definition| {
                let property = json!({"key": {"type": "string"}});
                definition.parameters = json!({"type": "object", "properties": property});
                definition.sequential = Sequential::Key("key".to_owned());
                definition.concurrency = Some(1);
            },
            |_, _| async {
                for _ in 0..5 {
                    tokio::task::yield_now().await;
                }
            },
        )
    };
    for isolation in [true, false] {
        let tools = [tool("attack-one"), tool("attack-two")];
        let executor = Executor::builder(Catalogue::new(tools).unwrap())
            .concurrency(1)
            .isolation(isolation)
            .timeout(Duration::from_secs(5))
            .hook(Slow)
            .rule(Rule::ask(Selector::any()))
            .approval(|_| async {
                tokio::task::yield_now().await;
                Decision::Allow
            })
            .build()
            .unwrap();
        let calls = || {
            (0..6).map(|id| {
                let name = ["attack-one", "attack-two"][id % 2];
                Call::new(id.to_string(), name, json!({"key": (id % 3).to_string()}))
            })
        };
        for polls in 1..=50 {
            let mut batch = Box::pin(executor.run(calls()));
            let mut left = polls;
            let ended = std::future::poll_fn(|context| {
                let polled = batch.as_mut().poll(context);
                left -= 1;
                match polled {
                    std::task::Poll::Pending if left > 0 => std::task::Poll::Pending,
                    polled => std::task::Poll::Ready(polled),
                }
            });
            drop(ended.await);
            drop(batch);
            let batch = executor.run(calls()).await;
            assert!(
                batch.iter().all(Outcome::is_ok),
                "after {polls} polls: {batch:?}"
            );
            assert_eq!(executor.left_running(), 0, "after {polls} polls");
        }
        let shutdown = executor.shutdown(Duration::from_secs(5)).await;
        assert_eq!((shutdown.cancelled, shutdown.still_running), (0, 0));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_waits_for_work_whose_caller_has_gone() {
    static END: AtomicUsize = AtomicUsize::new(0);

    /// Block until told.
    #[tool(name = "attack-stuck", concurrency = 1)]
    fn stuck() {
        while END.load(Ordering::SeqCst) == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    let executor = Executor::new(Catalogue::new(tools![stuck]).unwrap()).unwrap();
    let call = || executor.call(Call::new("1", "attack-stuck", "{}"));
    let gone = tokio::time::timeout(Duration::from_millis(50), call()).await;
    assert!(gone.is_err());
    let outcome = tokio::time::timeout(Duration::from_secs(20), call())
        .await
        .unwrap();
    assert_eq!(outcome.error_kind(), Some(ErrorKind::LimitReached));
    END.store(1, Ordering::SeqCst);
    while !call().await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn arguments_that_are_wrong_many_times_are_told_of_in_few_words() {
    /// Take words.
    #[tool(name = "attack-words")]
    async fn words(
        /// Some.
        #[schemars(inner(regex(pattern = "^[a-z]+$")))]
        words: Vec<String>,
    ) -> usize {
        words.len()
    }

    let executor = Executor::new(Catalogue::new(tools![words]).unwrap()).unwrap();
    let many = 30_000;
    let keys: Vec<String> = (0..20_000).map(|key| format!("\"k{key}\":1")).collect();
    let keys = keys.join(",");
    for arguments in [
        format!("{{\"words\":[1{}]}}", ",1".repeat(many)),
        format!("{{\"words\":[\"A\"{}]}}", ",\"A\"".repeat(many)),
        format!("{{\"words\":[\"a\"],{keys}}}"),
        format!("{{\"words\":{}", "[".repeat(many)),
        format!("{{\"words\":\"{}\"}}", "x".repeat(many)),
        "[".repeat(many),
        "{\"a\":".repeat(many),
    ] {
        let outcome = executor
            .call(Call::new("1", "attack-words", arguments))
            .await;
        if let Err(error) = &outcome.result {
            assert_eq!(error.kind(), ErrorKind::InvalidArguments);
            assert!(
                error.problems().len() <= 1_000,
                "{}",
                error.problems().len()
            );
            assert!(
                error.to_model().len() < 10_000,
                "{}",
                error.to_model().len()
            );
        }
    }
    let name = "n".repeat(1_000_000);
    let outcome = executor.call(Call::new("1", name, "{}")).await;
    assert!(outcome.text().len() < 1_000, "{}", outcome.text().len());
}

#[tokio::test]
async fn a_batch_of_any_length_has_an_outcome_for_each_call() {
    /// Count.
    #[tool(name = "attack-keyed", sequential(key = "key"))]
    async fn keyed(
        /// Which.
        key: u32,
    ) -> u32 {
        key
    }

    let executor = Executor::new(Catalogue::new(tools![keyed]).unwrap()).unwrap();
    let calls =
        (0..5_000_u32).map(|id| Call::new(id.to_string(), "attack-keyed", json!({"key": id % 7})));
    let batch = executor.run(calls).await;
    assert_eq!(batch.len(), 5_000);
    for (index, outcome) in batch.iter().enumerate() {
        assert_eq!(outcome.call_id, index.to_string());
        assert_eq!(outcome.text(), (index % 7).to_string());
    }
}
