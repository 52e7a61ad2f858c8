//! Batches: who waits for whom, who shares a run, what is told meanwhile.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::json;
use tool_core::{
    Call, Catalogue, Context, Definition, Executor, Progress, RunEvent, Tool, tool, tools,
};

/// A tool that writes down when it begins and ends.
fn noted(name: &str, journal: &Arc<Mutex<Vec<String>>>, change: fn(&mut Definition)) -> Tool {
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}});
    let mut definition = Definition::new(name, "Write down when it runs.", schema);
    change(&mut definition);
    let journal = Arc::clone(journal);
    Tool::new(definition, move |_, context: Context| {
        let journal = Arc::clone(&journal);
        async move {
            let id = context.call_id().to_owned();
            journal.lock().unwrap().push(format!("+{id}"));
            tokio::time::sleep(Duration::from_millis(20)).await;
            journal.lock().unwrap().push(format!("-{id}"));
            id
        }
    })
    .unwrap()
}

fn run_noted(change: fn(&mut Definition), calls: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let journal = Arc::default();
    let tools = [
        noted("batch-plain", &journal, |_| {}),
        noted("batch-special", &journal, change),
        noted("batch-other", &journal, change),
    ];
    let executor = Executor::new(Catalogue::new(tools).unwrap()).unwrap();
    let calls: Vec<Call> = calls
        .iter()
        .enumerate()
        .map(|(index, (name, path))| Call::new(index.to_string(), *name, json!({"path": path})))
        .collect();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let batch = runtime.block_on(executor.run(calls));
    let ids = batch
        .iter()
        .map(|outcome| outcome.call_id.clone())
        .collect();
    let journal = journal.lock().unwrap().clone();
    (journal, ids)
}

/// Where in the journal something stands.
fn at(journal: &[String], what: &str) -> usize {
    let place = journal.iter().position(|line| line == what);
    place.unwrap_or_else(|| panic!("{what} is not in {journal:?}"))
}

#[test]
fn a_sequential_tool_is_a_barrier() {
    let (plain, special) = ("batch-plain", "batch-special");
    let calls = [
        (plain, "a"),
        (plain, "b"),
        (special, "c"),
        (plain, "d"),
        (special, "e"),
    ];
    let (journal, ids) = run_noted(
        |definition| definition.sequential = tool_core::Sequential::Barrier,
        &calls,
    );
    assert_eq!(ids, ["0", "1", "2", "3", "4"]);
    assert!(
        at(&journal, "+1") < at(&journal, "-0"),
        "side by side: {journal:?}"
    );
    assert_eq!(journal[4..], ["+2", "-2", "+3", "-3", "+4", "-4"]);
}

/// Read the clock.
#[tool(name = "batch-read", read_only, idempotent)]
async fn read(
    /// What.
    what: String,
) -> String {
    READS.fetch_add(1, Ordering::SeqCst);
    what
}

/// Write.
#[tool(name = "batch-write", sequential, idempotent)]
async fn write() {}

static READS: AtomicUsize = AtomicUsize::new(0);

#[tokio::test]
async fn equal_calls_share_a_run_only_where_that_changes_nothing() {
    let tools = Catalogue::new(tools![read, write]).unwrap();
    let executor = Executor::new(tools).unwrap();
    let read = |id: &str, what: &str| Call::new(id, "batch-read", json!({"what": what}));
    let batch = executor
        .run([
            read("a", "x"),
            read("b", "x"),
            read("c", "y"),
            Call::new("d", "batch-write", "{}"),
            read("e", "x"),
            Call::new("f", "batch-write", "{}"),
            Call::new("g", "batch-write", "{}"),
        ])
        .await;
    let told: Vec<_> = batch
        .iter()
        .map(|outcome| (outcome.call_id.as_str(), outcome.text().into_owned()))
        .collect();
    let told: Vec<_> = told.iter().map(|(id, text)| (*id, text.as_str())).collect();
    let done = "Done.";
    assert_eq!(
        told,
        [
            ("a", "x"),
            ("b", "x"),
            ("c", "y"),
            ("d", done),
            ("e", "x"),
            ("f", done),
            ("g", done)
        ]
    );
    assert_eq!(
        READS.load(Ordering::SeqCst),
        3,
        "x once, y once, x again after the write"
    );
}

#[tokio::test]
async fn a_stream_gives_progress_and_outcomes_as_they_come() {
    /// Tell how far it is, then end.
    #[tool(name = "batch-steps")]
    async fn steps(
        /// How long it takes.
        milliseconds: u64,
        context: &Context,
    ) -> u64 {
        context.report(Progress::new(1.0).of(2.0));
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        context.report(Progress::new(2.0).of(2.0));
        milliseconds
    }

    let heard = Arc::new(AtomicUsize::new(0));
    let listener = Arc::clone(&heard);
    let executor = Executor::builder(Catalogue::new(tools![steps]).unwrap())
        .on_progress(move |_, _| {
            listener.fetch_add(1, Ordering::SeqCst);
        })
        .build()
        .unwrap();
    let call = |id: &str, wait: u64| Call::new(id, "batch-steps", json!({"milliseconds": wait}));
    let mut events = executor.run_stream([call("slow", 60), call("quick", 1)]);
    let mut order = Vec::new();
    while let Some(event) = events.next().await {
        match event {
            RunEvent::Progress { call_id, progress } => {
                order.push(format!("{call_id} {}", progress.done));
            }
            RunEvent::Done { index, outcome } => {
                order.push(format!("{} is {index}", outcome.call_id));
            }
            _ => {}
        }
    }
    order[..2].sort();
    assert_eq!(
        order,
        [
            "quick 1",
            "slow 1",
            "quick 2",
            "quick is 1",
            "slow 2",
            "slow is 0"
        ]
    );
    assert_eq!(
        heard.load(Ordering::SeqCst),
        4,
        "the executor's own listener hears too"
    );
}

#[tokio::test]
async fn a_stream_that_is_dropped_stops_its_calls() {
    static DROPPED: AtomicUsize = AtomicUsize::new(0);

    struct Noted;

    impl Drop for Noted {
        fn drop(&mut self) {
            DROPPED.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Wait for ever.
    #[tool(name = "batch-wait")]
    async fn wait() {
        let _noted = Noted;
        std::future::pending::<()>().await;
    }

    let executor = Executor::new(Catalogue::new(tools![wait]).unwrap()).unwrap();
    let mut events =
        executor.run_stream((0..3).map(|id| Call::new(id.to_string(), "batch-wait", "{}")));
    let waited = tokio::time::timeout(Duration::from_millis(20), events.next()).await;
    assert!(waited.is_err());
    drop(events);
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(DROPPED.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn what_a_tool_has_told_is_heard_before_its_outcome() {
    /// Report and answer without waiting in between.
    #[tool(name = "batch-report")]
    async fn report(context: &Context) {
        context.report(Progress::new(1.0));
        context.report(Progress::new(2.0));
    }

    let executor = Executor::builder(Catalogue::new(tools![report]).unwrap())
        .isolation(false)
        .build()
        .unwrap();
    let calls = (0..2).map(|id| Call::new(id.to_string(), "batch-report", "{}"));
    let mut events = executor.run_stream(calls);
    let mut heard = [0.0; 2];
    let mut done = 0;
    while let Some(event) = events.next().await {
        match event {
            RunEvent::Progress { call_id, progress } => {
                heard[call_id.parse::<usize>().unwrap()] = progress.done;
            }
            RunEvent::Done { index, .. } => {
                assert!((heard[index] - 2.0).abs() < f64::EPSILON, "{heard:?}");
                done += 1;
            }
            _ => {}
        }
    }
    assert_eq!(done, 2);
}

#[tokio::test]
async fn a_tool_that_is_an_agent_finds_a_place_for_its_own_calls() {
    let cell: Arc<std::sync::OnceLock<Executor>> = Arc::default();
    let inner = Arc::clone(&cell);
    let schema = json!({"type": "object", "properties": {"depth": {"type": "integer"}}});
    let nest = Tool::new(
        Definition::new("batch-nest", "Call itself.", schema),
        move |arguments, _| {
            let cell = Arc::clone(&inner);
            async move {
                let depth = arguments["depth"].as_u64().unwrap_or(0);
                let executor = cell.get().cloned();
                match executor {
                    Some(executor) if depth > 0 => {
                        let call = Call::new("n", "batch-nest", json!({"depth": depth - 1}));
                        executor.call(call).await.text().into_owned()
                    }
                    _ => "the bottom".to_owned(),
                }
            }
        },
    )
    .unwrap();
    for isolation in [true, false] {
        let executor = Executor::builder(Catalogue::new([nest.clone()]).unwrap())
            .concurrency(2)
            .isolation(isolation)
            .timeout(Duration::from_secs(5))
            .build()
            .unwrap();
        let _ = cell.set(executor.clone());
        let calls = (0..6).map(|id| Call::new(id.to_string(), "batch-nest", r#"{"depth":5}"#));
        let batch = executor.run(calls).await;
        assert!(batch.iter().all(|outcome| outcome.text() == "the bottom"));
    }
}
