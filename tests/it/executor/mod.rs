//! Running calls: one outcome each, in order, at the deadline.

mod approvals;
mod attacks;
mod batches;
mod deadlines;
mod floods;
mod hooks;
mod results;
mod secrets;
mod turns;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::json;
use tool_core::{
    Call, Catalogue, Context, Decision, Definition, ErrorKind, Executor, Progress, Tool, ToolError,
    tool, tools,
};

/// Behave as told.
#[tool(name = "run-behave", timeout = 1)]
async fn behave(
    /// What to do.
    what: String,
) -> Result<String, ToolError> {
    match what.as_str() {
        "sleep" => tokio::time::sleep(Duration::from_secs(30)).await,
        "block" => std::thread::sleep(Duration::from_secs(5)),
        "nap" => std::thread::sleep(Duration::from_millis(600)),
        "panic" => panic!("the password is hunter2"),
        "fail" => return Err(ToolError::new("no such thing")),
        "yield" => tokio::task::yield_now().await,
        _ => {}
    }
    Ok(what)
}

/// Behave as told, without await.
#[tool(name = "run-behave_sync", timeout = 1)]
fn behave_sync(
    /// What to do.
    what: String,
) -> Result<String, ToolError> {
    match what.as_str() {
        "block" => std::thread::sleep(Duration::from_secs(5)),
        "panic" => panic!("boom"),
        "fail" => return Err(ToolError::new("no such thing")),
        _ => {}
    }
    Ok(what)
}

/// End the turn.
#[tool(name = "run-hand_over", kind = "interrupt")]
fn hand_over() -> &'static str {
    "over to you"
}

/// Delete all.
#[tool(name = "run-delete_all", approval, destructive)]
fn delete_all(
    /// Where.
    path: String,
) -> String {
    format!("deleted {path}")
}

fn catalogue() -> Catalogue {
    Catalogue::new(tools![behave, behave_sync, hand_over, delete_all]).unwrap()
}

fn call(name: &str, what: &str) -> Call {
    Call::new(format!("{name}/{what}"), name, json!({ "what": what }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_answer_comes_at_the_deadline_whatever_the_function_does() {
    let executor = Executor::new(catalogue()).unwrap();
    for (name, what, still) in [
        ("run-behave", "sleep", false),
        ("run-behave", "block", true),
        ("run-behave_sync", "block", true),
    ] {
        let started = Instant::now();
        let outcome = executor.call(call(name, what)).await;
        let elapsed = started.elapsed();
        assert_eq!(
            outcome.error_kind(),
            Some(ErrorKind::TimedOut),
            "{name} {what}"
        );
        assert!(
            elapsed < Duration::from_secs(3),
            "{name} {what} took {elapsed:?}"
        );
        assert_eq!(outcome.may_still_run, still, "{name} {what}");
        let text = outcome.text();
        assert!(
            text.starts_with(&format!("Error: Tool '{name}' timed out after 1 second\n")),
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_panic_is_an_outcome_that_does_not_tell_the_panic() {
    for isolation in [true, false] {
        let executor = Executor::builder(catalogue())
            .isolation(isolation)
            .build()
            .unwrap();
        for name in ["run-behave", "run-behave_sync"] {
            let outcome = executor.call(call(name, "panic")).await;
            assert_eq!(outcome.error_kind(), Some(ErrorKind::Panicked));
            assert_eq!(
                outcome.text(),
                format!("Error: Tool '{name}' failed unexpectedly: it panicked")
            );
            assert!(!format!("{outcome:?}").contains("hunter2"));
        }
    }
}

/// What is thrown throws again when it is dropped.
struct Thrower;

impl Drop for Thrower {
    fn drop(&mut self) {
        std::panic::panic_any("again");
    }
}

#[tokio::test]
async fn a_panic_that_panics_when_dropped_is_one_outcome() {
    /// Throw what throws.
    #[tool(name = "run-throw")]
    async fn throw() -> String {
        std::panic::panic_any(Thrower)
    }

    for isolation in [true, false] {
        let tools = Catalogue::new(tools![throw, behave]).unwrap();
        let executor = Executor::builder(tools)
            .isolation(isolation)
            .build()
            .unwrap();
        let batch = executor
            .run([
                Call::new("1", "run-throw", "{}"),
                call("run-behave", "fine"),
            ])
            .await;
        assert_eq!(batch[0].error_kind(), Some(ErrorKind::Panicked));
        assert!(batch[1].is_ok());
    }
}

#[tokio::test]
async fn an_approver_that_panics_at_once_approves_nothing() {
    let executor = Executor::builder(catalogue())
        .approval(|_| -> std::future::Ready<Decision> { panic!("no screen") })
        .build()
        .unwrap();
    let outcome = executor
        .call(Call::new("1", "run-delete_all", r#"{"path":"/x"}"#))
        .await;
    assert_eq!(outcome.error_kind(), Some(ErrorKind::Panicked));
}

#[tokio::test(flavor = "current_thread")]
async fn a_result_that_comes_too_late_is_no_success() {
    let executor = Executor::builder(catalogue())
        .max_timeout(Duration::from_millis(100))
        .build()
        .unwrap();
    let outcome = executor.call(call("run-behave", "nap")).await;
    assert_eq!(outcome.error_kind(), Some(ErrorKind::TimedOut));
}

#[tokio::test]
async fn without_isolation_timeouts_and_errors_are_the_same() {
    let executor = Executor::builder(catalogue())
        .isolation(false)
        .build()
        .unwrap();
    assert_eq!(
        executor
            .call(call("run-behave", "sleep"))
            .await
            .error_kind(),
        Some(ErrorKind::TimedOut)
    );
    assert_eq!(
        executor.call(call("run-behave", "fail")).await.text(),
        "Error: no such thing"
    );
    assert_eq!(
        executor.call(call("run-behave_sync", "fine")).await.text(),
        "fine"
    );
}

#[tokio::test]
async fn an_unknown_name_is_an_outcome_with_the_nearest_names() {
    let executor = Executor::new(catalogue()).unwrap();
    let outcome = executor.call(Call::new("1", "run-behaves", "{}")).await;
    assert_eq!(outcome.error_kind(), Some(ErrorKind::NotFound));
    assert_eq!(
        outcome.text(),
        "Error: There is no tool 'run-behaves'\nDid you mean 'run-behave' or 'run-behave_sync'?"
    );
    let outcome = executor.call(Call::new("1", "weather", "{}")).await;
    assert!(
        outcome
            .text()
            .contains("The tools are 'run-behave', 'run-behave_sync'"),
        "{}",
        outcome.text()
    );
    let outcome = executor.call(call("run_behave", "fine")).await;
    assert_eq!(
        (outcome.text().as_ref(), outcome.tool.as_str()),
        ("fine", "run-behave")
    );
}

#[tokio::test]
async fn a_batch_keeps_order_and_a_failure_stops_nobody() {
    let executor = Executor::new(catalogue()).unwrap();
    let what = ["fine", "fail", "sleep", "panic", "yield", "other"];
    let batch = executor
        .run(what.map(|what| call("run-behave", what)))
        .await;
    let ids: Vec<_> = batch
        .iter()
        .map(|outcome| outcome.call_id.clone())
        .collect();
    assert_eq!(ids, what.map(|what| format!("run-behave/{what}")));
    let ok: Vec<bool> = batch.iter().map(tool_core::Outcome::is_ok).collect();
    assert_eq!(ok, [true, false, false, false, true, true]);
    assert!(!batch.is_interrupted());
}

#[tokio::test]
async fn an_interrupt_ends_the_turn_and_the_others_are_answered() {
    let executor = Executor::new(catalogue()).unwrap();
    let batch = executor
        .run([
            call("run-behave", "a"),
            Call::new("2", "run-hand_over", "{}"),
            call("run-behave", "b"),
        ])
        .await;
    assert!(batch.is_interrupted());
    let texts: Vec<_> = batch.iter().map(tool_core::Outcome::text).collect();
    assert_eq!((texts[0].as_ref(), texts[2].as_ref()), ("a", "b"));
    assert_eq!(batch[1].error_kind(), Some(ErrorKind::Pending));
    let pending = batch[1].pending.as_ref().unwrap();
    let outcome = executor.resume(pending, Decision::Allow).await.unwrap();
    assert_eq!(outcome.text(), "over to you");
}

#[tokio::test]
async fn no_more_than_the_limit_run_at_a_time() {
    static RUNNING: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);

    /// Stay a while.
    #[tool(name = "run-stay")]
    async fn stay() {
        let now = RUNNING.fetch_add(1, Ordering::SeqCst) + 1;
        MOST.fetch_max(now, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(5)).await;
        RUNNING.fetch_sub(1, Ordering::SeqCst);
    }

    for isolation in [true, false] {
        MOST.store(0, Ordering::SeqCst);
        let executor = Executor::builder(Catalogue::new(tools![stay]).unwrap())
            .concurrency(3)
            .isolation(isolation)
            .build()
            .unwrap();
        let batch = executor
            .run((0..20).map(|id| Call::new(id.to_string(), "run-stay", "{}")))
            .await;
        assert_eq!(batch.len(), 20);
        assert_eq!(MOST.load(Ordering::SeqCst), 3);
    }
}

#[tokio::test]
async fn approval_is_asked_and_no_answer_means_no() {
    let outcome = Executor::new(catalogue())
        .unwrap()
        .call(Call::new("1", "run-delete_all", r#"{"path":"/x"}"#))
        .await;
    assert_eq!(outcome.error_kind(), Some(ErrorKind::Denied));
    assert!(
        outcome.text().contains(".approval(…)"),
        "{}",
        outcome.text()
    );

    let executor = Executor::builder(catalogue())
        .approval(|request| async move {
            assert_eq!(request.tool.name(), "run-delete_all");
            assert_eq!(request.call_id, "1");
            match request.arguments["path"].as_str() {
                Some("/tmp") => Decision::Allow,
                Some("/panic") => panic!("the asker broke"),
                _ => Decision::Deny("not there".to_owned()),
            }
        })
        .build()
        .unwrap();
    for (path, expected) in [
        ("/tmp", "deleted /tmp"),
        (
            "/etc",
            "Error: Tool 'run-delete_all' was not approved: not there",
        ),
        (
            "/panic",
            "Error: Tool 'run-delete_all' failed unexpectedly: it panicked",
        ),
    ] {
        let outcome = executor
            .call(Call::new("1", "run-delete_all", json!({ "path": path })))
            .await;
        assert_eq!(outcome.text(), expected);
    }
}

#[tokio::test]
async fn the_approver_sees_exactly_what_runs() {
    /// Move something by some steps.
    #[tool(name = "run-move", approval)]
    fn move_by(
        /// How far.
        steps: i32,
        /// Perhaps.
        note: Option<String>,
    ) -> String {
        format!("{steps} {note:?}")
    }

    let executor = Executor::builder(Catalogue::new(tools![move_by]).unwrap())
        .approval(|request| async move { Decision::Deny(request.arguments.to_string()) })
        .build()
        .unwrap();
    let outcome = executor
        .call(Call::new("1", "run-move", r#"{"steps":3.0,"note":null}"#))
        .await;
    assert!(
        outcome.text().ends_with(r#"was not approved: {"steps":3}"#),
        "{}",
        outcome.text()
    );
    let outcome = executor
        .call(Call::new("1", "run-move", r#"{"steps":3.5}"#))
        .await;
    assert_eq!(
        outcome.error_kind(),
        Some(ErrorKind::InvalidArguments),
        "wrong arguments are not asked about"
    );
}

#[tokio::test]
async fn a_greatest_timeout_holds_for_every_tool() {
    let executor = Executor::builder(catalogue())
        .max_timeout(Duration::from_millis(20))
        .build()
        .unwrap();
    let outcome = executor.call(call("run-behave", "sleep")).await;
    assert!(
        outcome.text().contains("timed out after 0.02 seconds"),
        "{}",
        outcome.text()
    );
}

#[tokio::test]
async fn when_the_caller_goes_the_tool_is_stopped() {
    for isolation in [true, false] {
        let (sender, receiver) = tokio::sync::oneshot::channel::<&'static str>();
        let sender = Arc::new(std::sync::Mutex::new(Some(sender)));
        let schema = json!({"type": "object"});
        let tool = Tool::new(
            Definition::new("run-watch", "Watch for the end.", schema),
            move |_, context: Context| {
                let sender = Arc::clone(&sender);
                async move {
                    let watcher = context.clone();
                    tokio::spawn(async move {
                        watcher.cancelled().await;
                        if let Some(sender) = sender.lock().unwrap().take() {
                            sender.send("cancelled").unwrap();
                        }
                    });
                    std::future::pending::<()>().await;
                }
            },
        )
        .unwrap();
        let executor = Executor::builder(Catalogue::new([tool]).unwrap())
            .isolation(isolation)
            .build()
            .unwrap();
        let task =
            tokio::spawn(async move { executor.call(Call::new("1", "run-watch", "{}")).await });
        tokio::time::sleep(Duration::from_millis(30)).await;
        task.abort();
        assert_eq!(receiver.await.unwrap(), "cancelled");
    }
}

#[tokio::test]
async fn progress_and_deadline_reach_those_who_listen() {
    /// Tell how far it is.
    #[tool(name = "run-steps", timeout = 7)]
    async fn steps(context: &Context) -> String {
        context.report(Progress::new(1.0).of(2.0).message("half way"));
        let left = context.time_left().unwrap();
        assert!(left > Duration::from_secs(5) && left <= Duration::from_secs(7));
        assert!(!context.is_cancelled());
        "done".to_owned()
    }

    let heard = Arc::new(std::sync::Mutex::new(Vec::new()));
    let listener = Arc::clone(&heard);
    let executor = Executor::builder(Catalogue::new(tools![steps]).unwrap())
        .on_progress(move |id, progress| {
            let mut heard = listener.lock().unwrap();
            heard.push((id.to_owned(), progress.message));
        })
        .build()
        .unwrap();
    assert_eq!(
        executor
            .call(Call::new("c", "run-steps", "{}"))
            .await
            .text(),
        "done"
    );
    assert_eq!(
        *heard.lock().unwrap(),
        [("c".to_owned(), Some("half way".to_owned()))]
    );
}

#[tokio::test]
async fn secrets_and_too_much_text_do_not_leave() {
    /// Leak in every way.
    #[tool(name = "run-leak")]
    fn leak(
        /// How.
        how: String,
    ) -> Result<serde_json::Value, ToolError> {
        match how.as_str() {
            "error" => Err(ToolError::new(
                "postgres://admin:hunter2@db failed with s3cr3t-value",
            )),
            _ => Ok(
                json!({"token": "Bearer abc.def123", "registered": "s3cr3t-value", "long": "x".repeat(50)}),
            ),
        }
    }

    let executor = Executor::builder(Catalogue::new(tools![leak]).unwrap())
        .secret("s3cr3t-value")
        .max_output_bytes(200)
        .build()
        .unwrap();
    let outcome = executor
        .call(Call::new("1", "run-leak", r#"{"how":"error"}"#))
        .await;
    assert_eq!(
        outcome.text(),
        "Error: postgres://[redacted]@db failed with [redacted]"
    );
    let outcome = executor
        .call(Call::new("1", "run-leak", r#"{"how":"result"}"#))
        .await;
    let json: serde_json::Value = serde_json::from_str(&outcome.text()).unwrap();
    assert_eq!(json["token"], "Bearer [redacted]");
    assert_eq!(json["registered"], "[redacted]");

    let small = Executor::builder(Catalogue::new(tools![leak]).unwrap())
        .max_output_bytes(10)
        .build()
        .unwrap();
    let outcome = small
        .call(Call::new("1", "run-leak", r#"{"how":"result"}"#))
        .await;
    assert!(outcome.text().contains("bytes"), "{}", outcome.text());
    assert!(!outcome.text().contains("s3cr3t"), "{}", outcome.text());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// One outcome a call, in call order, whatever the calls do.
    #[test]
    fn every_call_has_one_outcome_in_its_place(
        picks in proptest::collection::vec((0..4_usize, 0..6_usize), 0..40),
        limit in 1..5_usize,
        isolation: bool,
    ) {
        let names = ["run-behave", "run-behave_sync", "run-hand_over", "nobody"];
        let whats = ["fine", "fail", "panic", "yield", "x", "{"];
        let calls: Vec<Call> = picks
            .iter()
            .enumerate()
            .map(|(index, (name, what))| {
                let arguments = if *what == 5 { "{".to_owned() } else { json!({"what": whats[*what]}).to_string() };
                Call::new(index.to_string(), names[*name], arguments)
            })
            .collect();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap();
        let executor = Executor::builder(catalogue()).concurrency(limit).isolation(isolation).build().unwrap();
        let batch = runtime.block_on(executor.run(calls));
        let ids: Vec<String> = batch.iter().map(|outcome| outcome.call_id.clone()).collect();
        let expected: Vec<String> = (0..picks.len()).map(|index| index.to_string()).collect();
        prop_assert_eq!(ids, expected);
        for (outcome, (name, what)) in batch.iter().zip(&picks) {
            let kind = match (*name, *what) {
                (3, _) => Some(ErrorKind::NotFound),
                (_, 5) | (2, _) => Some(ErrorKind::InvalidArguments),
                (_, 1) => Some(ErrorKind::Failed),
                (_, 2) => Some(ErrorKind::Panicked),
                _ => None,
            };
            prop_assert_eq!(outcome.error_kind(), kind);
        }
    }
}
