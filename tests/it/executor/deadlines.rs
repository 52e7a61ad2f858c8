//! The answer comes at the deadline, and it says what became of the work.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio_util::sync::CancellationToken;
use tool_core::{Call, Catalogue, Context, Definition, ErrorKind, Executor, Tool, tool, tools};

/// Block the thread.
#[tool(name = "late-block", timeout = 0.3)]
async fn block() {
    std::thread::sleep(Duration::from_secs(3));
}

/// Block a thread for blocking work.
#[tool(name = "late-block_sync", timeout = 0.3)]
fn block_sync() {
    std::thread::sleep(Duration::from_secs(3));
}

/// Wait for ever.
#[tool(name = "late-wait", timeout = 0.3)]
async fn wait() {
    std::future::pending::<()>().await;
}

/// Answer at once.
#[tool(name = "late-quick", timeout = 0.3)]
async fn quick() -> &'static str {
    "quick"
}

/// Hold a value whose destructor takes its time.
#[tool(name = "late-linger", timeout = 0.3)]
async fn linger() {
    struct Slow;

    impl Drop for Slow {
        fn drop(&mut self) {
            std::thread::sleep(Duration::from_secs(3));
        }
    }

    let _slow = Slow;
    std::future::pending::<()>().await;
}

/// Hold a value whose destructor panics.
#[tool(name = "late-burst", timeout = 0.3)]
async fn burst() {
    struct Bomb;

    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("in a destructor");
        }
    }

    let _bomb = Bomb;
    std::future::pending::<()>().await;
}

fn executor() -> Executor {
    let tools = tools![block, block_sync, wait, quick, linger, burst];
    Executor::new(Catalogue::new(tools).unwrap()).unwrap()
}

fn calls(name: &str, count: usize) -> impl Iterator<Item = Call> {
    (0..count).map(move |id| Call::new(id.to_string(), name, "{}"))
}

/// More calls than there are threads, made from a task of the same runtime.
#[test]
fn tools_that_block_every_thread_hold_up_nobody() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()
        .unwrap();
    for name in ["late-block", "late-block_sync", "late-linger", "late-burst"] {
        let executor = executor();
        let started = Instant::now();
        let batch = runtime.block_on(async {
            let batch = calls(name, 6).chain(calls("late-quick", 3));
            let batch: Vec<Call> = batch.collect();
            tokio::spawn(async move { executor.run(batch).await }).await
        });
        let elapsed = started.elapsed();
        assert!(elapsed < Duration::from_secs(2), "{name}: {elapsed:?}");
        let batch = batch.unwrap();
        for outcome in &batch[..6] {
            assert_eq!(outcome.error_kind(), Some(ErrorKind::TimedOut), "{name}");
            assert_eq!(outcome.may_still_run, name != "late-burst", "{name}");
        }
        for outcome in &batch[6..] {
            assert_eq!(outcome.text(), "quick", "beside {name}");
        }
    }
    runtime.shutdown_background();
}

#[tokio::test]
async fn a_function_that_never_began_is_stopped_for_certain() {
    static BEGUN: AtomicUsize = AtomicUsize::new(0);

    /// Begin, and take its time.
    #[tool(name = "late-begin", timeout = 0.2)]
    fn begin() {
        BEGUN.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(600));
    }

    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .max_blocking_threads(1)
        .enable_time()
        .build()
        .unwrap();
    let executor = Executor::new(Catalogue::new(tools![begin]).unwrap()).unwrap();
    let caller = executor.clone();
    let batch = runtime
        .spawn(async move { caller.run(calls("late-begin", 3)).await })
        .await
        .unwrap();
    let still: Vec<bool> = batch.iter().map(|outcome| outcome.may_still_run).collect();
    assert_eq!(still, [true, false, false]);
    while executor.left_running() > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(BEGUN.load(Ordering::SeqCst), 1);
    runtime.shutdown_background();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_cancels_gets_an_answer_at_once_whatever_the_function_does() {
    for isolation in [true, false] {
        let cases = [("late-wait", false), ("late-block_sync", true)];
        for (name, still) in cases.into_iter().take(if isolation { 2 } else { 1 }) {
            let tools = tools![block, block_sync, wait];
            let executor = Executor::builder(Catalogue::new(tools).unwrap())
                .isolation(isolation)
                .build()
                .unwrap();
            let token = CancellationToken::new();
            let session = executor.session().cancelled_by(token.clone());
            let started = Instant::now();
            let waiting = tokio::spawn({
                let session = session.clone();
                async move { session.call(Call::new("1", name, "{}")).await }
            });
            tokio::time::sleep(Duration::from_millis(50)).await;
            token.cancel();
            let outcome = waiting.await.unwrap();
            assert!(started.elapsed() < Duration::from_millis(250), "{name}");
            assert_eq!(outcome.error_kind(), Some(ErrorKind::Cancelled), "{name}");
            assert_eq!(outcome.may_still_run, still, "{name}");
            // Other sessions go on.
            let other = executor.call(Call::new("2", name, "{}")).await;
            assert_ne!(other.error_kind(), Some(ErrorKind::Cancelled));
        }
    }
}

#[tokio::test]
async fn one_token_in_the_context_stands_for_every_way_to_end() {
    let ended = Arc::new(AtomicUsize::new(0));
    let heard = Arc::clone(&ended);
    let watch = Tool::new(
        Definition::new(
            "late-watch",
            "Watch for the end.",
            json!({"type": "object"}),
        ),
        move |_, context: Context| {
            let heard = Arc::clone(&heard);
            async move {
                let token = context.cancellation().clone();
                tokio::spawn(async move {
                    token.cancelled().await;
                    heard.fetch_add(1, Ordering::SeqCst);
                });
                std::future::pending::<()>().await;
            }
        },
    )
    .unwrap();
    let call = || Call::new("1", "late-watch", "{}");
    for isolation in [true, false] {
        ended.store(0, Ordering::SeqCst);
        let executor = Executor::builder(Catalogue::new([watch.clone()]).unwrap())
            .isolation(isolation)
            .timeout(Duration::from_millis(50))
            .build()
            .unwrap();
        executor.call(call()).await;
        let session = executor.session();
        let (outcome, ()) = tokio::join!(session.call(call()), async {
            tokio::time::sleep(Duration::from_millis(10)).await;
            session.cancel();
        });
        assert_eq!(outcome.error_kind(), Some(ErrorKind::Cancelled));
        let (outcome, shutdown) = tokio::join!(
            executor.call(call()),
            executor.shutdown(Duration::from_millis(10))
        );
        assert_eq!(outcome.error_kind(), Some(ErrorKind::Cancelled));
        assert_eq!((shutdown.cancelled, shutdown.still_running), (1, 0));
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(ended.load(Ordering::SeqCst), 3, "isolation {isolation}");
    }
}

#[tokio::test]
async fn a_shutdown_lets_what_is_under_way_finish_and_takes_on_no_more() {
    /// Take a moment.
    #[tool(name = "late-moment")]
    async fn moment() -> &'static str {
        tokio::time::sleep(Duration::from_millis(50)).await;
        "finished"
    }

    let executor = Executor::new(Catalogue::new(tools![moment]).unwrap()).unwrap();
    let (batch, shutdown) = tokio::join!(
        executor.run(calls("late-moment", 3)),
        executor.shutdown(Duration::from_secs(5))
    );
    assert!(batch.iter().all(|outcome| outcome.text() == "finished"));
    assert_eq!((shutdown.cancelled, shutdown.still_running), (0, 0));
    let outcome = executor.call(Call::new("late", "late-moment", "{}")).await;
    assert_eq!(outcome.error_kind(), Some(ErrorKind::Cancelled));
    assert!(outcome.text().contains("shutting down"));
}

/// What the tool leaves behind is dropped in the caller's task, where calls are
/// not isolated.
#[tokio::test]
async fn a_destructor_that_panics_does_not_hit_a_caller_that_goes() {
    for isolation in [true, false] {
        let executor = Executor::builder(Catalogue::new(tools![burst]).unwrap())
            .isolation(isolation)
            .build()
            .unwrap();
        let call = executor.call(Call::new("1", "late-burst", "{}"));
        let waited = tokio::time::timeout(Duration::from_millis(20), call).await;
        assert!(waited.is_err(), "isolation {isolation}");
    }
}
