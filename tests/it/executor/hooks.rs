//! Hooks, limits of a session, and what a tool says about trying again.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tool_core::{
    Before, Call, Catalogue, Decision, ErrorKind, Executor, ExecutorBuilder, Hook, HookedCall,
    Next, Output, Retry, ToolError, UsageLimits, tool, tools,
};

/// Double a number.
#[tool(name = "hooked-double")]
fn double(
    /// The number.
    #[schemars(range(max = 1000))]
    number: i64,
) -> Result<i64, ToolError> {
    match number {
        13 => Err(ToolError::new("unlucky")),
        _ => Ok(number * 2),
    }
}

fn builder() -> ExecutorBuilder {
    Executor::builder(Catalogue::new(tools![double]).unwrap())
}

fn call(number: i64) -> Call {
    Call::new("1", "hooked-double", json!({ "number": number }))
}

/// Notes every step it sees.
struct Noting(&'static str, Arc<Mutex<Vec<String>>>);

impl Noting {
    fn note(&self, step: &str) {
        self.1.lock().unwrap().push(format!("{} {step}", self.0));
    }
}

impl Hook for Noting {
    async fn before(&self, call: &mut HookedCall) -> Result<Before, ToolError> {
        self.note(&format!("before {}", call.arguments()));
        Ok(Before::Go)
    }

    async fn around(&self, call: &HookedCall, next: Next<'_>) -> Result<Output, ToolError> {
        assert!(call.context().time_left().is_some());
        self.note("in");
        let result = next.run().await;
        self.note("out");
        result
    }

    async fn after(&self, _call: &HookedCall, output: Output) -> Result<Output, ToolError> {
        self.note(&format!("after {}", output.text()));
        Ok(output)
    }

    async fn on_error(&self, _call: &HookedCall, error: ToolError) -> Result<Output, ToolError> {
        self.note(&format!("error {error}"));
        Err(error)
    }
}

#[tokio::test]
async fn the_first_hook_is_the_outermost() {
    let notes = Arc::default();
    let executor = builder()
        .hook(Noting("a", Arc::clone(&notes)))
        .hook(Noting("b", Arc::clone(&notes)))
        .build()
        .unwrap();
    assert_eq!(executor.call(call(4)).await.text(), "8");
    let first = std::mem::take(&mut *notes.lock().unwrap());
    assert_eq!(
        first,
        [
            r#"a before {"number":4}"#,
            r#"b before {"number":4}"#,
            "a in",
            "b in",
            "b out",
            "a out",
            "b after 8",
            "a after 8"
        ]
    );
    executor.call(call(13)).await;
    let second = std::mem::take(&mut *notes.lock().unwrap());
    assert_eq!(second[6..], ["b error unlucky", "a error unlucky"]);
    // Calls that cannot run are no business of a hook's.
    executor.call(call(5000)).await;
    executor.call(Call::new("2", "nobody", "{}")).await;
    assert!(notes.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_hook_can_change_answer_and_refuse() {
    let executor = builder()
        .before(|call| match call.arguments()["number"].as_i64() {
            Some(1) => {
                call.set_arguments(json!({"number": 50}));
                Ok(Before::Go)
            }
            Some(2) => Ok(Before::Answer(Output::from("from the hook"))),
            Some(3) => Err(ToolError::denied("not three")),
            Some(4) => {
                call.set_arguments(json!({"number": 5000}));
                Ok(Before::Go)
            }
            _ => Ok(Before::Go),
        })
        .after(|_, output| Ok(Output::from(format!("<{}>", output.text()))))
        .on_error(|_, error| match error.message() {
            "unlucky" => Ok(Output::from("lucky after all")),
            _ => Err(error),
        })
        .build()
        .unwrap();
    for (number, expected) in [
        (0, "<0>"),
        (1, "<100>"),
        (2, "<from the hook>"),
        (3, "Error: not three"),
        (13, "<lucky after all>"),
    ] {
        assert_eq!(executor.call(call(number)).await.text(), expected);
    }
    let outcome = executor.call(call(4)).await;
    assert_eq!(
        outcome.error_kind(),
        Some(ErrorKind::InvalidArguments),
        "what a hook writes is validated: {}",
        outcome.text()
    );
}

/// Misbehaves at one step.
struct Bad(&'static str, bool);

impl Bad {
    async fn misbehave(&self, step: &str) {
        if self.0 == step {
            if self.1 {
                panic!("the password is hunter2");
            }
            tokio::time::sleep(Duration::from_secs(60)).await;
        }
    }
}

impl Hook for Bad {
    async fn before(&self, _call: &mut HookedCall) -> Result<Before, ToolError> {
        self.misbehave("before").await;
        Ok(Before::Go)
    }

    async fn around(&self, _call: &HookedCall, next: Next<'_>) -> Result<Output, ToolError> {
        self.misbehave("around").await;
        next.run().await
    }

    async fn after(&self, _call: &HookedCall, output: Output) -> Result<Output, ToolError> {
        self.misbehave("after").await;
        Ok(output)
    }

    async fn on_error(&self, _call: &HookedCall, error: ToolError) -> Result<Output, ToolError> {
        self.misbehave("on_error").await;
        Err(error)
    }
}

#[tokio::test]
async fn a_hook_that_panics_or_hangs_fails_its_call_and_no_other() {
    for step in ["before", "around", "after", "on_error"] {
        for panics in [true, false] {
            let executor = builder()
                .hook(Bad(step, panics))
                .hook_timeout(Duration::from_millis(30))
                .timeout(Duration::from_millis(100))
                .build()
                .unwrap();
            let number = if step == "on_error" { 13 } else { 4 };
            let outcome = executor.call(call(number)).await;
            assert_eq!(
                outcome.error_kind(),
                Some(ErrorKind::Failed),
                "{step} {panics}: {}",
                outcome.text()
            );
            assert!(
                outcome
                    .text()
                    .starts_with("Error: The host could not handle this call")
            );
            assert!(!format!("{outcome:?}").contains("hunter2"));
        }
    }
}

#[tokio::test]
async fn what_a_hook_writes_is_what_is_approved_and_run() {
    /// Delete something.
    #[tool(name = "hooked-delete", approval)]
    fn delete(
        /// What.
        path: String,
    ) -> String {
        format!("deleted {path}")
    }

    let executor = Executor::builder(Catalogue::new(tools![delete]).unwrap())
        .before(|call| {
            call.set_arguments(json!({"path": "/tmp/safe"}));
            Ok(Before::Go)
        })
        .approval(|request| async move {
            assert_eq!(request.arguments["path"], "/tmp/safe");
            Decision::Allow
        })
        .build()
        .unwrap();
    let outcome = executor
        .call(Call::new("1", "hooked-delete", r#"{"path":"/"}"#))
        .await;
    assert_eq!(outcome.text(), "deleted /tmp/safe");
}

static RUNS: AtomicUsize = AtomicUsize::new(0);

/// Fail at first.
#[tool(name = "hooked-flaky", timeout = 2)]
async fn flaky(
    /// How the failure is marked.
    mark: String,
) -> Result<&'static str, ToolError> {
    if RUNS.fetch_add(1, Ordering::SeqCst) >= 2 {
        return Ok("in the end");
    }
    let error = ToolError::new("busy");
    Err(match mark.as_str() {
        "retryable" => error.retryable(),
        "after" => error.retry_after(Duration::from_millis(100)),
        "long" => error.retry_after(Duration::from_secs(60)),
        _ => error,
    })
}

/// Fail at first, harmlessly.
#[tool(name = "hooked-flaky_idempotent", idempotent)]
async fn flaky_idempotent() -> Result<&'static str, ToolError> {
    match RUNS.fetch_add(1, Ordering::SeqCst) {
        0 => Err(ToolError::new("busy")),
        _ => Ok("in the end"),
    }
}

#[tokio::test]
async fn only_what_may_succeed_is_run_again() {
    let retry = Retry::new().first_wait(Duration::from_millis(1));
    let tools = Catalogue::new(tools![flaky, flaky_idempotent]).unwrap();
    let executor = Executor::builder(tools).hook(retry).build().unwrap();
    for (mark, runs, text) in [
        ("retryable", 3, "in the end"),
        ("after", 3, "in the end"),
        ("unmarked", 1, "Error: busy"),
        ("long", 1, "Error: busy"),
    ] {
        RUNS.store(0, Ordering::SeqCst);
        let started = std::time::Instant::now();
        let outcome = executor
            .call(Call::new("1", "hooked-flaky", json!({"mark": mark})))
            .await;
        assert_eq!(
            (RUNS.load(Ordering::SeqCst), outcome.text().as_ref()),
            (runs, text),
            "{mark}"
        );
        if mark == "after" {
            assert!(started.elapsed() >= Duration::from_millis(200));
        }
    }
    RUNS.store(0, Ordering::SeqCst);
    let outcome = executor
        .call(Call::new("1", "hooked-flaky_idempotent", "{}"))
        .await;
    assert_eq!(outcome.text(), "in the end");
}

#[tokio::test]
async fn a_session_keeps_to_its_limits() {
    let executor = builder().build().unwrap();
    let limits = UsageLimits::new().calls(5).calls_of("hooked-double", 3);
    let session = executor.session().limits(limits);
    let batch = session.run((0..8).map(call)).await;
    assert_eq!(batch.iter().filter(|outcome| outcome.is_ok()).count(), 3);
    let refused = batch.iter().find(|outcome| !outcome.is_ok()).unwrap();
    assert_eq!(refused.error_kind(), Some(ErrorKind::LimitReached));
    assert_eq!(
        refused.text(),
        "Error: All 3 calls of tool 'hooked-double' have been made\n\
         Answer with what you have, and say what is missing."
    );
    assert_eq!(session.calls_made(), 3);
    // Another session counts for itself.
    assert!(executor.session().call(call(1)).await.is_ok());

    let session = executor
        .session()
        .limits(UsageLimits::new().time(Duration::from_millis(20)));
    assert!(session.call(call(1)).await.is_ok());
    tokio::time::sleep(Duration::from_millis(30)).await;
    let outcome = session.call(call(1)).await;
    assert_eq!(outcome.error_kind(), Some(ErrorKind::LimitReached));
}

#[tokio::test]
async fn a_tool_may_ask_again_a_few_times_and_then_says_stop() {
    /// Ask for better dates.
    #[tool(name = "hooked-dates", retries = 2)]
    fn dates(
        /// Whether they are right.
        right: bool,
    ) -> Result<&'static str, ToolError> {
        if right {
            Ok("thanks")
        } else {
            Err(ToolError::retry("`from` is after `to`: swap them"))
        }
    }

    let executor = Executor::new(Catalogue::new(tools![dates]).unwrap()).unwrap();
    let session = executor.session();
    let other = executor.session();
    let ask = |session: &tool_core::Session, right: bool| {
        let session = session.clone();
        async move {
            let call = Call::new("1", "hooked-dates", json!({ "right": right }));
            session.call(call).await.text().into_owned()
        }
    };
    let wrong = "Error: `from` is after `to`: swap them";
    for _ in 0..2 {
        assert_eq!(ask(&session, false).await, wrong);
    }
    let third = ask(&session, false).await;
    assert!(
        third.starts_with(&format!("{wrong}\nThis was try 3 in a row.")),
        "{third}"
    );
    assert_eq!(
        ask(&other, false).await,
        wrong,
        "each conversation counts for itself"
    );
    assert_eq!(ask(&session, true).await, "thanks");
    assert_eq!(ask(&session, false).await, wrong, "a success ends the row");
}
