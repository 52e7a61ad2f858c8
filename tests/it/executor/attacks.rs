//! What a hostile model, a hostile tool or a careless host could try.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tool_core::{
    ApprovalRequest, Before, Call, Catalogue, Context, Decision, Definition, ErrorKind, Executor,
    Hook, HookedCall, Next, Outcome, Output, Progress, Rule, Selector, Sequential, Tool, ToolError,
    tool, tools,
};

/// What panics when it is dropped.
struct Thrower;

impl Drop for Thrower {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "dropped");
    }
}

/// Answer at once.
#[tool(name = "attack-quick")]
async fn quick() -> &'static str {
    "here"
}

pub(super) fn made<F, Fut, R>(name: &str, change: fn(&mut Definition), handler: F) -> Tool
where
    F: Fn(Value, Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = R> + Send + 'static,
    R: tool_core::IntoOutput,
{
    let mut definition = Definition::new(name, "Do it.", json!({"type": "object"}));
    change(&mut definition);
    Tool::new(definition, handler).unwrap()
}

#[tokio::test]
async fn every_spelling_of_a_name_and_every_equal_call_is_asked_about() {
    static ASKED: AtomicUsize = AtomicUsize::new(0);

    /// Delete all.
    #[tool(name = "attack-delete_all", approval, read_only, idempotent)]
    async fn delete_all() -> &'static str {
        "gone"
    }

    fn always() -> bool {
        true
    }

    /// Delete some.
    #[tool(name = "attack-delete_some", approval_if = always, read_only, idempotent)]
    async fn delete_some() -> &'static str {
        "gone"
    }

    /// Delete nothing.
    #[tool(name = "attack-delete_none", read_only, idempotent)]
    async fn delete_none() -> &'static str {
        "nothing"
    }

    let tools = tools![delete_all, delete_some, delete_none];
    let executor = Executor::builder(Catalogue::new(tools).unwrap())
        .rule(Rule::ask(Selector::named("attack-delete_none")))
        .approval(|_| {
            ASKED.fetch_add(1, Ordering::SeqCst);
            async { Decision::Deny("no".to_owned()) }
        })
        .build()
        .unwrap();
    let spellings = |name: &str| {
        [
            name.to_owned(),
            name.replace('-', "_"),
            name.replace('_', "-"),
            name.replace('-', "."),
            format!("{name}()"),
            format!("{name}."),
            name.to_uppercase(),
        ]
    };
    let names = [
        "attack-delete_all",
        "attack-delete_some",
        "attack-delete_none",
    ];
    let calls: Vec<Call> = names
        .into_iter()
        .flat_map(spellings)
        .flat_map(|name| [name.clone(), name])
        .enumerate()
        .map(|(index, name)| Call::new(index.to_string(), name, "{}"))
        .collect();
    let batch = executor.run(calls).await;
    let denied = batch
        .iter()
        .filter(|outcome| outcome.error_kind() == Some(ErrorKind::Denied))
        .count();
    assert!(batch.iter().all(|outcome| !outcome.is_ok()));
    assert!(denied >= 30, "{denied}");
    assert_eq!(ASKED.load(Ordering::SeqCst), denied);
}

#[tokio::test]
async fn what_the_host_writes_is_not_mended_whatever_the_tool_says_of_the_model() {
    /// Pay.
    #[tool(name = "attack-pay", approval, repair = "on")]
    async fn pay(
        /// How much.
        amount: u32,
    ) -> String {
        format!("paid {amount}")
    }

    let edited = |edit: Value| async move {
        let executor = Executor::builder(Catalogue::new(tools![pay]).unwrap())
            .approval(move |_| {
                let edit = edit.clone();
                async move { Decision::AllowEdited(edit) }
            })
            .build()
            .unwrap();
        executor
            .call(Call::new("1", "attack-pay", r#"{"amount":"5"}"#))
            .await
    };
    assert_eq!(edited(json!({"amount": 6})).await.text(), "paid 6");
    let outcome = edited(json!({"amount": "7"})).await;
    assert_eq!(outcome.error_kind(), Some(ErrorKind::Denied));

    let hooked = Executor::builder(Catalogue::new(tools![pay]).unwrap())
        .before(|call: &mut HookedCall| {
            call.set_arguments(json!({"amount": "8"}));
            Ok(Before::Go)
        })
        .approval(|_| async { Decision::Allow })
        .build()
        .unwrap();
    let outcome = hooked
        .call(Call::new("1", "attack-pay", r#"{"amount":1}"#))
        .await;
    assert_eq!(outcome.error_kind(), Some(ErrorKind::InvalidArguments));
}

#[tokio::test]
async fn what_runs_is_what_the_last_hook_left_and_a_person_saw() {
    static SEEN: Mutex<Vec<Value>> = Mutex::new(Vec::new());

    struct Adds;

    impl Hook for Adds {
        async fn before(&self, call: &mut HookedCall) -> Result<Before, ToolError> {
            let amount = call.arguments()["amount"].as_u64().unwrap_or(0);
            call.set_arguments(json!({"amount": amount + 1}));
            Ok(Before::Go)
        }

        async fn around(&self, _call: &HookedCall, next: Next<'_>) -> Result<Output, ToolError> {
            // Twice, of which each is the call that was approved.
            let _ = next.run().await;
            next.run().await
        }
    }

    let tool = made(
        "attack-pay_keyed",
        |definition| {
            definition.parameters =
                json!({"type": "object", "properties": {"amount": {"type": "integer"}}});
            definition.sequential = Sequential::Key("amount".to_owned());
        },
        |arguments, _| async move {
            SEEN.lock().unwrap().push(arguments.clone());
            arguments["amount"].to_string()
        },
    );
    let executor = Executor::builder(Catalogue::new([tool]).unwrap())
        .hook(Adds)
        .hook(Adds)
        .rule(Rule::ask(Selector::any()))
        .approval(|request: ApprovalRequest| async move {
            match request.arguments["amount"].as_u64() {
                Some(3) => Decision::Allow,
                Some(4) => Decision::AllowEdited(json!({"amount": 40})),
                _ => Decision::Deny("no".to_owned()),
            }
        })
        .build()
        .unwrap();
    let call = |amount: u64| {
        Call::new(
            amount.to_string(),
            "attack-pay_keyed",
            json!({ "amount": amount }),
        )
    };
    let batch = executor.run((0..5).map(call)).await;
    let texts: Vec<bool> = batch.iter().map(Outcome::is_ok).collect();
    assert_eq!(texts, [false, true, true, false, false]);
    let seen = SEEN.lock().unwrap();
    assert!(
        seen.iter()
            .all(|seen| *seen == json!({"amount": 3}) || *seen == json!({"amount": 40}))
    );
}

#[tokio::test]
async fn a_tool_can_shut_its_own_executor_down() {
    static EXECUTOR: Mutex<Option<Executor>> = Mutex::new(None);

    /// Shut down.
    #[tool(name = "attack-shut_down")]
    async fn shut_down() -> String {
        let executor = EXECUTOR.lock().unwrap().clone().unwrap();
        format!("{:?}", executor.shutdown(Duration::from_millis(20)).await)
    }

    let executor = Executor::new(Catalogue::new(tools![shut_down, quick]).unwrap()).unwrap();
    *EXECUTOR.lock().unwrap() = Some(executor.clone());
    let outcome = executor
        .call(Call::new("1", "attack-shut_down", "{}"))
        .await;
    assert_eq!(outcome.error_kind(), Some(ErrorKind::Cancelled));
    let outcome = executor.call(Call::new("2", "attack-quick", "{}")).await;
    assert_eq!(outcome.error_kind(), Some(ErrorKind::Cancelled));
    assert_eq!(executor.left_running(), 0);
}

/// A hook that makes another call of the same executor, at each step.
struct Nested(Arc<Mutex<Option<Executor>>>);

impl Nested {
    async fn call(&self, call: &HookedCall) {
        if call.call_id() == "inner" {
            return;
        }
        let executor = self.0.lock().unwrap().clone().unwrap();
        let outcome = executor
            .call(Call::new("inner", "attack-quick", "{}"))
            .await;
        assert_eq!(outcome.text(), "here");
    }
}

impl Hook for Nested {
    async fn before(&self, call: &mut HookedCall) -> Result<Before, ToolError> {
        self.call(call).await;
        Ok(Before::Go)
    }

    async fn around(&self, call: &HookedCall, next: Next<'_>) -> Result<Output, ToolError> {
        self.call(call).await;
        let output = next.run().await;
        self.call(call).await;
        output
    }

    async fn after(&self, call: &HookedCall, output: Output) -> Result<Output, ToolError> {
        self.call(call).await;
        Ok(output)
    }
}

#[tokio::test]
async fn hooks_and_approvers_may_use_the_executor_when_all_its_places_are_taken() {
    for isolation in [true, false] {
        let shared = Arc::<Mutex<Option<Executor>>>::default();
        let approver = Arc::clone(&shared);
        let executor = Executor::builder(Catalogue::new(tools![quick]).unwrap())
            .concurrency(1)
            .isolation(isolation)
            .timeout(Duration::from_millis(500))
            .hook_timeout(Duration::from_millis(500))
            .hook(Nested(Arc::clone(&shared)))
            .rule(Rule::ask(Selector::any()))
            .approval(move |request: ApprovalRequest| {
                let executor = approver.lock().unwrap().clone().unwrap();
                async move {
                    if request.call_id != "inner" {
                        executor
                            .call(Call::new("inner", "attack-quick", "{}"))
                            .await;
                    }
                    Decision::Allow
                }
            })
            .build()
            .unwrap();
        *shared.lock().unwrap() = Some(executor.clone());
        let calls = (0..3).map(|id| Call::new(id.to_string(), "attack-quick", "{}"));
        let batch = executor.run(calls).await;
        for outcome in &batch {
            assert_eq!(outcome.text(), "here");
        }
        // The executor is in its own hook: nobody else would take it apart.
        *shared.lock().unwrap() = None;
    }
}

/// A hook that never ends, and panics when it is dropped.
struct Clings(&'static str);

impl Clings {
    async fn at(&self, step: &str) {
        if self.0 == step {
            let _thrower = Thrower;
            std::future::pending::<()>().await;
        }
    }
}

impl Hook for Clings {
    async fn before(&self, _call: &mut HookedCall) -> Result<Before, ToolError> {
        self.at("before").await;
        Ok(Before::Go)
    }

    async fn around(&self, _call: &HookedCall, next: Next<'_>) -> Result<Output, ToolError> {
        self.at("around").await;
        next.run().await
    }

    async fn after(&self, _call: &HookedCall, output: Output) -> Result<Output, ToolError> {
        self.at("after").await;
        Ok(output)
    }
}

#[tokio::test]
async fn what_panics_when_it_is_dropped_fails_one_call() {
    for step in ["before", "around", "after", "approver"] {
        let executor = Executor::builder(Catalogue::new(tools![quick]).unwrap())
            .timeout(Duration::from_millis(20))
            .hook_timeout(Duration::from_millis(20))
            .hook(Clings(step))
            .rule(Rule::ask(Selector::any()))
            .approval(move |_| async move {
                Clings(step).at("approver").await;
                Decision::Allow
            })
            .build()
            .unwrap();
        let session = executor.session();
        let (batch, ()) = tokio::join!(
            session.run([
                Call::new("1", "attack-quick", "{}"),
                Call::new("2", "x", "{}")
            ]),
            async {
                tokio::time::sleep(Duration::from_millis(100)).await;
                session.cancel();
            }
        );
        let kinds: Vec<_> = batch.iter().map(Outcome::error_kind).collect();
        let expected = match step {
            "approver" => ErrorKind::Cancelled,
            _ => ErrorKind::Failed,
        };
        assert_eq!(kinds, [Some(expected), Some(ErrorKind::NotFound)], "{step}");
        let shutdown = executor.shutdown(Duration::from_secs(5)).await;
        assert_eq!(
            (shutdown.cancelled, shutdown.still_running),
            (0, 0),
            "{step}"
        );
    }
}

/// An error that cannot be told.
#[derive(Debug)]
struct Unspeakable;

impl std::fmt::Display for Unspeakable {
    fn fmt(&self, _formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        panic!("no words");
    }
}

impl std::error::Error for Unspeakable {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        panic!("no cause");
    }
}

#[test]
fn code_of_others_that_panics_fails_one_call() {
    /// Fail without words.
    #[tool(name = "attack-unspeakable")]
    async fn unspeakable() -> Result<(), ToolError> {
        Err(ToolError::new("no words").with_source(Unspeakable))
    }

    /// Say much.
    #[tool(name = "attack-much")]
    async fn much(context: &Context) -> String {
        context.report(Progress::new(1.0).message("begun"));
        "word ".repeat(1_000)
    }

    let log = super::secrets::watch::Log::default();
    let executor = Executor::builder(Catalogue::new(tools![unspeakable, much, quick]).unwrap())
        .max_output_tokens(10, |_| std::panic::panic_any(Thrower))
        .on_progress(|_, _| std::panic::panic_any(Thrower))
        .build()
        .unwrap();
    let names = ["attack-unspeakable", "attack-much", "attack-quick"];
    let calls = names.map(|name| Call::new(name, name, "{}"));
    let batch = super::secrets::bench::logged(&log, executor.run(calls));
    assert_eq!(batch[0].text(), "Error: no words");
    assert!(batch[1].text().starts_with("word"), "{}", batch[1].text());
    assert_eq!(batch[2].text(), "here");
}
