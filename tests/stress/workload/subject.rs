//! An executor with all that the workload needs, and the ways to call it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::join_all;
use serde_json::json;
use tool_core::{
    ApprovalRequest, Before, Call, Decision, Executor, Hook, HookedCall, Outcome, Output, Pending,
    ResultStore, ResumeError, Retry, Rule, RunEvent, Selector, Session, ToolError,
};

use super::tools::{self, SECRET, TRIES};
use super::world::{PLACES, World};

/// The most results that are kept, and their most bytes.
const KEPT: usize = 20;
const KEPT_BYTES: usize = 4 * 1024 * 1024;

/// An executor under stress, and the world of its tools.
pub(crate) struct Subject {
    pub(crate) executor: Executor,
    pub(crate) world: Arc<World>,
    pub(crate) isolation: bool,
    pub(crate) hooks: bool,
    store: ResultStore,
}

impl Subject {
    /// A new one, with or without isolation and hooks.
    pub(crate) fn new(isolation: bool, hooks: bool) -> Arc<Self> {
        let world = World::new();
        let store = ResultStore::new().max_entries(KEPT).max_bytes(KEPT_BYTES);
        let listener = Arc::clone(&world);
        let mut builder = Executor::builder(tools::catalogue(&world))
            .shared_state(Arc::clone(&world))
            .isolation(isolation)
            .concurrency(PLACES)
            .keep_results(store.clone())
            .rule(Rule::deny(
                Selector::tagged("forbidden"),
                "the house says no",
            ))
            .approval(decide)
            .approval_lifetime(Duration::from_secs(600))
            .hook_timeout(Duration::from_secs(60))
            .secret(SECRET)
            .on_progress(move |_, _| {
                listener.heard.fetch_add(1, Ordering::SeqCst);
            });
        if hooks {
            let retry = Retry::new()
                .times(TRIES - 1)
                .first_wait(Duration::from_millis(1));
            builder = builder.hook(Meddling).hook(retry);
        }
        let executor = builder.build().expect("nothing is missing");
        world.set_executor(Some(executor.clone()));
        Arc::new(Self {
            executor,
            world,
            isolation,
            hooks,
            store,
        })
    }

    /// What has come back to nothing when all calls are over, by name.
    pub(crate) fn left(&self) -> [(&'static str, usize); 6] {
        let [alive, inside, tries] = self.world.left();
        let reported = self.world.reported.load(Ordering::SeqCst);
        let heard = self.world.heard.load(Ordering::SeqCst);
        let too_much =
            self.store.len().saturating_sub(KEPT) + self.store.bytes().saturating_sub(KEPT_BYTES);
        [
            ("left running", self.executor.left_running()),
            ("functions alive", alive),
            ("places held", inside),
            ("calls not tried to the end", tries),
            ("reports not heard", reported.abs_diff(heard)),
            ("kept beyond the bound", too_much),
        ]
    }
}

async fn decide(request: ApprovalRequest) -> Decision {
    tokio::task::yield_now().await;
    let number = &request.arguments["number"];
    match request.arguments["what"].as_str() {
        Some("allow") => Decision::Allow,
        Some("deny") => Decision::Deny(format!("not {number}")),
        Some("edit") => Decision::AllowEdited(json!({"what": "edited", "number": number})),
        Some("asker panics") => panic!("stress: the asker"),
        _ => Decision::Later,
    }
}

/// Answers some calls, and breaks at some.
struct Meddling;

impl Hook for Meddling {
    async fn before(&self, call: &mut HookedCall) -> Result<Before, ToolError> {
        match call.arguments()["what"].as_str() {
            Some("answer") => {
                let answer = format!("a hook has answered {}", call.arguments()["number"]);
                Ok(Before::Answer(Output::from(answer)))
            }
            Some("hook panics") => panic!("stress: a hook"),
            _ => Ok(Before::Go),
        }
    }
}

/// Who makes calls.
#[derive(Clone)]
pub(crate) enum Caller {
    Executor(Executor),
    Session(Session),
}

/// How calls are made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// One by one, side by side.
    Call,
    /// As a batch.
    Run,
    /// As a stream that is read to its end.
    Stream,
}

impl Caller {
    /// Makes calls, and gives the outcomes in the order of the calls.
    pub(crate) async fn outcomes(
        &self,
        way: Way,
        calls: Vec<Call>,
    ) -> Result<Vec<Outcome>, String> {
        let ids: Vec<String> = calls.iter().map(|call| call.id.clone()).collect();
        let outcomes = match way {
            Way::Call => join_all(calls.into_iter().map(|call| self.call(call))).await,
            Way::Run => match self {
                Self::Executor(executor) => executor.run(calls).await.into_vec(),
                Self::Session(session) => session.run(calls).await.into_vec(),
            },
            Way::Stream => self.stream(calls).await?,
        };
        let told: Vec<&String> = outcomes.iter().map(|outcome| &outcome.call_id).collect();
        if told == ids.iter().collect::<Vec<_>>() {
            Ok(outcomes)
        } else {
            Err(format!("{way:?} of {ids:?} has outcomes of {told:?}"))
        }
    }

    async fn stream(&self, calls: Vec<Call>) -> Result<Vec<Outcome>, String> {
        let mut outcomes: Vec<Option<Outcome>> = calls.iter().map(|_| None).collect();
        let mut events = match self {
            Self::Executor(executor) => executor.run_stream(calls),
            Self::Session(session) => session.run_stream(calls),
        };
        while let Some(event) = events.next().await {
            if let RunEvent::Done { index, outcome } = event {
                let place = outcomes.get_mut(index);
                let before = place.and_then(|place| place.replace(*outcome));
                if let Some(before) = before {
                    return Err(format!("{} has two outcomes", before.call_id));
                }
            }
        }
        Ok(outcomes.into_iter().flatten().collect())
    }

    pub(crate) async fn call(&self, call: Call) -> Outcome {
        match self {
            Self::Executor(executor) => executor.call(call).await,
            Self::Session(session) => session.call(call).await,
        }
    }

    pub(crate) async fn resume(
        &self,
        pending: &Pending,
        decision: Decision,
    ) -> Result<Outcome, ResumeError> {
        match self {
            Self::Executor(executor) => executor.resume(pending, decision).await,
            Self::Session(session) => session.resume(pending, decision).await,
        }
    }
}
