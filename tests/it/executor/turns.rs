//! Waiting for a turn: how many at a time, equal arguments, how often.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tool_core::{Call, Catalogue, ErrorKind, Executor, tool, tools};

/// How many run now, and how many ran at a time at most.
#[derive(Default)]
struct Crowd {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Crowd {
    const fn new() -> Self {
        Self {
            now: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
        }
    }

    async fn stay(&self) {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(5)).await;
        self.now.fetch_sub(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn a_tool_keeps_to_its_own_limit_across_batches() {
    static CROWD: Crowd = Crowd::new();
    static OTHERS: Crowd = Crowd::new();

    /// Stay a while, two at a time.
    #[tool(name = "turn-narrow", concurrency = 2)]
    async fn narrow() {
        CROWD.stay().await;
    }

    /// Stay a while.
    #[tool(name = "turn-wide")]
    async fn wide() {
        OTHERS.stay().await;
    }

    let executor = Executor::new(Catalogue::new(tools![narrow, wide]).unwrap()).unwrap();
    let batch = || {
        let names = ["turn-narrow", "turn-wide"];
        let calls = (0..12).map(move |id| Call::new(id.to_string(), names[id % 2], "{}"));
        let executor = executor.clone();
        async move { executor.run(calls).await }
    };
    let (first, second) = tokio::join!(batch(), batch());
    assert!(
        first
            .iter()
            .chain(second.iter())
            .all(tool_core::Outcome::is_ok)
    );
    assert_eq!(CROWD.most.load(Ordering::SeqCst), 2);
    assert!(OTHERS.most.load(Ordering::SeqCst) > 2);
}

#[tokio::test]
async fn calls_with_an_equal_argument_run_one_after_the_other_in_their_order() {
    static WRITTEN: Mutex<Vec<(String, u32)>> = Mutex::new(Vec::new());
    static CROWD: Crowd = Crowd::new();

    /// Write to a path.
    #[tool(name = "turn-write", sequential(key = "path"))]
    async fn write(
        /// Where.
        path: String,
        /// What.
        number: u32,
    ) {
        CROWD.now.fetch_add(1, Ordering::SeqCst);
        CROWD
            .most
            .fetch_max(CROWD.now.load(Ordering::SeqCst), Ordering::SeqCst);
        // The earlier the call, the longer it takes.
        tokio::time::sleep(Duration::from_millis(u64::from(20 - number))).await;
        WRITTEN.lock().unwrap().push((path, number));
        CROWD.now.fetch_sub(1, Ordering::SeqCst);
    }

    /// Remove a path.
    #[tool(name = "turn-remove", sequential(key = "path"))]
    async fn remove(
        /// Where.
        path: String,
        /// What.
        number: u32,
    ) {
        WRITTEN.lock().unwrap().push((path, number));
    }

    let executor = Executor::new(Catalogue::new(tools![write, remove]).unwrap()).unwrap();
    let calls = (0..20_u32).map(|number| {
        let name = if number % 5 == 4 {
            "turn-remove"
        } else {
            "turn-write"
        };
        let path = format!("file {}", number % 3);
        Call::new(
            number.to_string(),
            name,
            json!({"path": path, "number": number}),
        )
    });
    let batch = executor.run(calls).await;
    assert!(batch.iter().all(tool_core::Outcome::is_ok));
    let mut by_path: HashMap<String, Vec<u32>> = HashMap::new();
    for (path, number) in WRITTEN.lock().unwrap().drain(..) {
        by_path.entry(path).or_default().push(number);
    }
    assert_eq!(by_path.len(), 3);
    for (path, numbers) in by_path {
        assert!(numbers.is_sorted(), "{path}: {numbers:?}");
    }
    assert_eq!(
        CROWD.most.load(Ordering::SeqCst),
        3,
        "other paths go on side by side"
    );
}

#[tokio::test]
async fn a_rate_is_kept_and_what_would_wait_too_long_is_refused_at_once() {
    /// Ask a service that counts.
    #[tool(name = "turn-ask", rate = "3/600ms", timeout = 0.3)]
    async fn ask() -> &'static str {
        "answered"
    }

    let executor = Executor::new(Catalogue::new(tools![ask]).unwrap()).unwrap();
    let started = Instant::now();
    let batch = executor
        .run((0..8).map(|id| Call::new(id.to_string(), "turn-ask", "{}")))
        .await;
    assert!(started.elapsed() < Duration::from_millis(600));
    let answered = batch.iter().filter(|outcome| outcome.is_ok()).count();
    assert_eq!(answered, 4, "three at once and one after 200 milliseconds");
    for refused in batch.iter().filter(|outcome| !outcome.is_ok()) {
        assert_eq!(refused.error_kind(), Some(ErrorKind::LimitReached));
        let error = refused.result.as_ref().unwrap_err();
        assert!(error.is_retryable());
        assert!(error.delay().unwrap() > Duration::from_millis(300));
        assert_eq!(
            error.to_model(),
            "Error: Tool 'turn-ask' has been called too often\nTry again in 1 second."
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_waits_for_work_that_cannot_be_stopped() {
    /// Block, one at a time.
    #[tool(name = "turn-stuck", concurrency = 1, timeout = 0.1)]
    fn stuck(
        /// For how long.
        milliseconds: u64,
    ) {
        std::thread::sleep(Duration::from_millis(milliseconds));
    }

    let executor = Executor::new(Catalogue::new(tools![stuck]).unwrap()).unwrap();
    let call = |id: &str, wait: u64| Call::new(id, "turn-stuck", json!({"milliseconds": wait}));
    let started = Instant::now();
    let batch = executor.run([call("a", 600), call("b", 0)]).await;
    assert!(started.elapsed() < Duration::from_millis(400));
    assert!(batch[0].may_still_run);
    assert_eq!(batch[1].error_kind(), Some(ErrorKind::LimitReached));
    assert!(batch[1].text().contains("could not be stopped"));
    // When it is over after all, the tool works again.
    while executor.left_running() > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(executor.call(call("c", 0)).await.is_ok());
}

#[tokio::test]
async fn a_call_that_waits_for_its_turn_can_be_cancelled_and_loses_nobody_elses() {
    /// Hold the only place.
    #[tool(name = "turn-hold", concurrency = 1)]
    async fn hold(
        /// For how long.
        milliseconds: u64,
    ) -> u64 {
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        milliseconds
    }

    let executor = Executor::new(Catalogue::new(tools![hold]).unwrap()).unwrap();
    let session = executor.session();
    let call = |id: &str, wait: u64| Call::new(id, "turn-hold", json!({"milliseconds": wait}));
    let (first, cancelled, last, ()) = tokio::join!(
        executor.call(call("a", 80)),
        session.call(call("b", 5000)),
        executor.call(call("c", 1)),
        async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            session.cancel();
        }
    );
    assert_eq!((first.text().as_ref(), last.text().as_ref()), ("80", "1"));
    assert_eq!(cancelled.error_kind(), Some(ErrorKind::Cancelled));
}
