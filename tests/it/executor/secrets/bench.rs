//! An executor of leaky tools, with somebody who listens at every door.

use std::sync::{Arc, Mutex};

use futures_util::StreamExt as _;
use serde_json::json;
use tool_core::{
    ApprovalRequest, Before, Call, Decision, Executor, ExecutorBuilder, Hook, HookedCall, Next,
    Outcome, Output, Recording, RepairMode, ResultStore, Rule, RunEvent, Secret, Selector,
    ToolError,
};

use super::leaky::{BUDGET, Vault, catalogue};
use super::shapes::{Origin, REGISTERED, Shape, found};
use super::watch::{Log, Seen};

/// How a call goes through the executor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// The shortest.
    Plain,
    /// In the caller's task.
    Inline,
    /// Past hooks that look at everything.
    Hooked,
    /// Past somebody who allows it.
    Allowed,
    /// Past somebody who gives back what was shown.
    Edited,
    /// In a pending record.
    Resumed,
    /// As a stream of events.
    Streamed,
}

impl Way {
    pub(super) const ALL: [Self; 7] = [
        Self::Plain,
        Self::Inline,
        Self::Hooked,
        Self::Allowed,
        Self::Edited,
        Self::Resumed,
        Self::Streamed,
    ];
}

/// An executor and what it has let out.
pub(super) struct Bench {
    pub(super) executor: Executor,
    pub(super) store: ResultStore,
    pub(super) log: Log,
    pub(super) given: Arc<Mutex<Vec<String>>>,
    pub(super) told: Arc<Mutex<Seen>>,
}

/// Runs a piece on a runtime of one thread whose log goes to a place.
pub(in crate::executor) fn logged<T>(log: &Log, piece: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    tracing::subscriber::with_default(log.clone(), || runtime.block_on(piece))
}

/// A hook that changes nothing and writes down what it can print.
struct Witness(Arc<Mutex<Seen>>);

impl Witness {
    fn sees(&self, call: &HookedCall) {
        let mut seen = self.0.lock().unwrap();
        seen.debug("the hooked call", call);
        seen.debug("the context", call.context());
    }
}

impl Hook for Witness {
    async fn before(&self, call: &mut HookedCall) -> Result<Before, ToolError> {
        self.sees(call);
        Ok(Before::Go)
    }

    async fn around(&self, call: &HookedCall, next: Next<'_>) -> Result<Output, ToolError> {
        self.sees(call);
        let mut seen = Seen::default();
        seen.debug("what is next", &next);
        self.0.lock().unwrap().0.extend(seen.0);
        next.run().await
    }
}

impl Bench {
    pub(super) fn new(way: Way, shape: &Shape) -> Self {
        Self::with(way, shape, |builder| builder)
    }

    pub(super) fn with(
        way: Way,
        shape: &Shape,
        change: impl FnOnce(ExecutorBuilder) -> ExecutorBuilder,
    ) -> Self {
        let given = Arc::<Mutex<Vec<String>>>::default();
        let told = Arc::<Mutex<Seen>>::default();
        let store = ResultStore::new();
        let (heard, shown) = (Arc::clone(&told), Arc::clone(&told));
        let key = match shape.origin {
            Origin::State => shape.secret,
            _ => "unlikely",
        };
        let mut builder = Executor::builder(catalogue())
            .state(Vault {
                given: Arc::clone(&given),
                key: Secret::new(key.to_owned()),
            })
            .max_output_bytes(BUDGET)
            .keep_results(store.clone())
            .isolation(way != Way::Inline)
            .recording(Recording::new().arguments().results())
            .on_progress(move |id, progress| {
                let mut heard = heard.lock().unwrap();
                heard.add("progress of", id);
                heard.debug("the progress", &progress);
            })
            .approval(move |request: ApprovalRequest| {
                let mut shown = shown.lock().unwrap();
                shown.debug("the approval request", &request);
                shown.add("approval request", request.arguments.to_string());
                let decision = match way {
                    Way::Edited => Decision::AllowEdited(request.arguments),
                    Way::Resumed => Decision::Later,
                    _ => Decision::Allow,
                };
                shown.debug("the decision", &decision);
                async move { decision }
            });
        for secret in REGISTERED {
            builder = builder.secret(secret);
        }
        if matches!(way, Way::Allowed | Way::Edited | Way::Resumed) {
            builder = builder.rule(Rule::ask(Selector::named("secret-*")));
        }
        if way == Way::Hooked {
            builder = builder.hook(Witness(Arc::clone(&told)));
        }
        Self {
            executor: change(builder).build().unwrap(),
            store,
            log: Log::default(),
            given,
            told,
        }
    }

    /// Runs calls on their way, reads on in what was kept, and gives all that
    /// came out.
    pub(super) async fn run(&self, way: Way, calls: Vec<Call>) -> Seen {
        let mut seen = Seen::default();
        let session = self.executor.session();
        let outcomes = if way == Way::Streamed {
            let mut events = session.run_stream(calls);
            seen.debug("the stream", &events);
            let mut outcomes = Vec::new();
            while let Some(event) = events.next().await {
                seen.debug("the event", &event);
                if let RunEvent::Done { outcome, .. } = event {
                    outcomes.push(*outcome);
                }
            }
            outcomes
        } else {
            let batch = session.run(calls).await;
            seen.debug("the batch", &batch);
            batch.into_vec()
        };
        seen.outcomes(&outcomes);
        let mut all = outcomes;
        if way == Way::Resumed {
            let mut resumed = Vec::new();
            for pending in all.iter().filter_map(|outcome| outcome.pending.as_ref()) {
                match session.resume(pending, Decision::Allow).await {
                    Ok(outcome) => resumed.push(outcome),
                    Err(error) => seen.add("resume", format!("{error} {error:?}")),
                }
            }
            seen.outcomes(&resumed);
            all.extend(resumed);
        }
        for outcome in &all {
            self.read_on(outcome, &mut seen).await;
        }
        seen.debug("the executor", &self.executor);
        seen.debug("the session", &session);
        seen.debug("the store", &self.store);
        seen.add("log", self.log.text());
        seen.0.append(&mut self.told.lock().unwrap().0);
        seen
    }

    /// Reads everything that was kept of a result.
    async fn read_on(&self, outcome: &Outcome, seen: &mut Seen) {
        let text = outcome.text().into_owned();
        let id = text
            .split(|character: char| !(character.is_alphanumeric() || "_-".contains(character)))
            .find(|word| word.starts_with("r_") && word.len() == 24);
        let Some(id) = id else {
            return;
        };
        let mut reads = vec![];
        for words in ["redacted", "word", "line", "row", "said"] {
            reads.push(json!({"id": id, "search": words}));
        }
        for offset in (0..200).step_by(50) {
            reads.push(json!({"id": id, "offset": offset, "limit": 50}));
        }
        for arguments in reads {
            let call = Call::new("read", "results-read_result", arguments);
            seen.outcome(&self.executor.call(call).await);
        }
    }
}

/// The call of a tool that has the secret and lets it out.
pub(super) fn leak(tool: &str, shape: &Shape, place: &str) -> Call {
    let arguments = match shape.origin {
        Origin::Argument => json!({"place": place, "words": shape.words}),
        Origin::SecretArgument => json!({"place": place, "password": shape.words}),
        Origin::SecretField => {
            json!({"place": place, "login": {"user": "ada", "password": shape.words}})
        }
        Origin::State => json!({ "place": place }),
    };
    let tool = match shape.origin {
        Origin::Argument => tool,
        Origin::SecretArgument | Origin::SecretField => "secret-log_in",
        Origin::State => "secret-open",
    };
    Call::new("1", tool, arguments)
}

/// The lines of a table for what came out that should not have.
pub(super) fn leaks(what: &str, shape: &Shape, seen: &Seen, table: &mut Vec<String>) {
    let parts = shape.parts();
    for (place, text) in &seen.0 {
        if let Some(near) = found(&parts, text) {
            table.push(format!("{} | {what} | {place} | {near:?}", shape.name));
        }
    }
}

/// Fails with the table, if there is anything in it.
pub(super) fn none(mut found: Vec<String>) {
    found.dedup();
    let total = found.len();
    found.truncate(200);
    assert!(
        found.is_empty(),
        "{total} secrets came out: shape | put in | came out at | near\n{}",
        found.join("\n")
    );
}

/// What is done to arguments that are nearly right.
pub(super) const MODES: [RepairMode; 3] = [RepairMode::On, RepairMode::Off, RepairMode::Report];
