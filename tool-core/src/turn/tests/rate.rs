//! Turns at a rate, on a clock that only moves when all sleep.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::future::{join_all, poll_immediate};
use proptest::prelude::*;
use tokio::time::{Instant, advance, sleep};

use super::super::RateLimit;
use crate::definition::Rate;

const MINUTE: Duration = Duration::from_secs(60);

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn exhausted(rate: Rate) -> RateLimit {
    let limit = RateLimit::new(rate);
    while limit.turn().is_ok() {}
    limit
}

#[tokio::test(start_paused = true)]
async fn ten_a_minute_are_ten_at_once_and_then_one_each_six_seconds() {
    let limit = RateLimit::new(Rate::new(10, MINUTE));
    for _ in 0..10 {
        assert_eq!(limit.turn(), Ok(()));
    }
    assert_eq!(limit.turn(), Err(seconds(6)));
    advance(seconds(4)).await;
    assert_eq!(limit.turn(), Err(seconds(2)));
    advance(seconds(2)).await;
    assert_eq!(limit.turn(), Ok(()));
    assert_eq!(limit.turn(), Err(seconds(6)));
    advance(MINUTE * 5).await;
    let turns = std::iter::repeat_with(|| limit.turn()).take(30);
    assert_eq!(turns.flatten().count(), 10, "rest is not saved up");
}

#[tokio::test(start_paused = true)]
async fn those_who_wait_are_served_in_the_order_in_which_they_came() {
    let limit = RateLimit::new(Rate::new(2, seconds(10)));
    let started = Instant::now();
    let served = join_all((0..6).map(|_| async {
        limit.wait(MINUTE).await.unwrap();
        started.elapsed().as_secs()
    }));
    assert_eq!(served.await, [0, 0, 5, 10, 15, 20]);
}

#[tokio::test(start_paused = true)]
async fn one_whose_turn_comes_too_late_is_told_at_once() {
    let limit = exhausted(Rate::new(1, seconds(10)));
    let started = Instant::now();
    let mut first = pin!(limit.wait(MINUTE));
    let mut second = pin!(limit.wait(MINUTE));
    assert!(poll_immediate(&mut first).await.is_none());
    assert!(poll_immediate(&mut second).await.is_none());
    // The third would come after thirty seconds.
    assert_eq!(
        limit.wait(Duration::from_millis(29_999)).await,
        Err(seconds(30))
    );
    assert_eq!(limit.turn(), Err(seconds(30)), "nobody overtakes");
    assert_eq!(started.elapsed(), Duration::ZERO);
    let third = limit.wait(seconds(30));
    let served = tokio::join!(first, second, third);
    assert_eq!(served, (Ok(()), Ok(()), Ok(())));
    assert_eq!(started.elapsed(), seconds(30));
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_is_dropped_leaves_its_turn_to_the_others() {
    let limit = exhausted(Rate::new(1, seconds(10)));
    let started = Instant::now();
    let mut last = Box::pin(limit.wait(MINUTE));
    {
        let mut dropped: Vec<_> = (0..5).map(|_| Box::pin(limit.wait(MINUTE))).collect();
        for wait in &mut dropped {
            assert!(poll_immediate(wait).await.is_none());
        }
        assert!(poll_immediate(&mut last).await.is_none());
        sleep(seconds(3)).await;
        assert_eq!(limit.turn(), Err(seconds(67)));
    }
    assert_eq!(limit.turn(), Err(seconds(17)));
    assert_eq!(last.await, Ok(()));
    assert_eq!(started.elapsed(), seconds(10));
    drop(limit.wait(MINUTE));
    assert_eq!(limit.turn(), Err(seconds(10)));
}

#[tokio::test(start_paused = true)]
async fn a_period_that_does_not_divide_gives_no_turn_too_many() {
    let limit = exhausted(Rate::new(3, seconds(1)));
    assert_eq!(limit.turn(), Err(Duration::from_nanos(333_333_334)));
}

/// One at the head that is never polled again holds up the others, though not
/// beyond what they were ready to wait.
#[tokio::test(start_paused = true)]
async fn nobody_waits_much_longer_than_said() {
    let limit = exhausted(Rate::new(1, seconds(10)));
    let started = Instant::now();
    let mut forgotten = Box::pin(limit.wait(MINUTE));
    assert!(poll_immediate(&mut forgotten).await.is_none());
    assert!(limit.wait(seconds(25)).await.is_err());
    let waited = started.elapsed();
    assert!((seconds(25)..seconds(26)).contains(&waited), "{waited:?}");
}

/// Counts how often a future is polled.
struct Counted<F>(F, Arc<AtomicUsize>);

impl<F: Future + Unpin> Future for Counted<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        self.1.fetch_add(1, Ordering::SeqCst);
        Pin::new(&mut self.0).poll(context)
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_wakes_one_of_a_crowd() {
    const CROWD: usize = 200;
    let limit = Arc::new(exhausted(Rate::new(1, seconds(1))));
    let polls = Arc::new(AtomicUsize::new(0));
    let crowd = (0..CROWD).map(|_| {
        let (limit, polls) = (Arc::clone(&limit), Arc::clone(&polls));
        let wait = Box::pin(async move { limit.wait(MINUTE * 60).await });
        tokio::spawn(Counted(wait, polls))
    });
    for served in join_all(crowd).await {
        assert_eq!(served.unwrap(), Ok(()));
    }
    // When it comes, when it is the first, and when its turn is there.
    let polls = polls.load(Ordering::SeqCst);
    assert!(polls <= CROWD * 3, "{polls} polls");
}

#[tokio::test(start_paused = true)]
async fn any_rate_and_any_patience_are_taken() {
    let rates = [
        Rate {
            calls: 0,
            period: Duration::ZERO,
        },
        Rate {
            calls: u32::MAX,
            period: Duration::ZERO,
        },
        Rate {
            calls: u32::MAX,
            period: Duration::MAX,
        },
        Rate {
            calls: 1,
            period: Duration::MAX,
        },
        Rate {
            calls: 3,
            period: Duration::from_nanos(1_000_001),
        },
    ];
    for rate in rates {
        let limit = RateLimit::new(rate);
        assert_eq!(limit.turn(), Ok(()));
        let mut waits: Vec<_> = (0..4)
            .map(|_| Box::pin(limit.wait(Duration::MAX)))
            .collect();
        for wait in &mut waits {
            let _ = poll_immediate(wait).await;
        }
        let _ = limit.wait(Duration::ZERO).await;
    }
}

/// One who comes, after a while, for a turn within some time, and may go again.
#[derive(Clone, Debug)]
struct Visit {
    after: Duration,
    at_most: Duration,
    stays: Option<Duration>,
}

fn visit() -> impl Strategy<Value = Visit> {
    let millis = |most: u64| (0..most).prop_map(Duration::from_millis);
    (
        prop_oneof![Just(Duration::ZERO), millis(3000)],
        millis(8000),
        prop::option::weighted(0.2, millis(4000)),
    )
        .prop_map(|(after, at_most, stays)| Visit {
            after,
            at_most,
            stays,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn turns_keep_to_the_rate_and_to_the_patience(
        calls in 1_u32..6,
        period in 1_u64..4000,
        visits in prop::collection::vec(visit(), 1..40),
    ) {
        let rate = Rate::new(calls, Duration::from_millis(period));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        let served = runtime.block_on(serve(rate, visits));
        // In any time no more than the burst and what has come since.
        for (index, from) in served.iter().enumerate() {
            for (turns, to) in (1_u32..).zip(&served[index..]) {
                let interval = rate.period / rate.calls;
                let earned = to.saturating_sub(*from).as_nanos() / interval.as_nanos();
                prop_assert!(u128::from(turns) <= u128::from(calls) + earned);
            }
        }
    }
}

/// When each turn was given; panics when somebody waited wrongly.
async fn serve(rate: Rate, visits: Vec<Visit>) -> Vec<Duration> {
    let limit = Arc::new(RateLimit::new(rate));
    let started = Instant::now();
    let mut visitors = Vec::new();
    for visit in visits {
        sleep(visit.after).await;
        let limit = Arc::clone(&limit);
        visitors.push(tokio::spawn(async move {
            let came = Instant::now();
            let wait = limit.wait(visit.at_most);
            let ended = match visit.stays {
                Some(stays) => tokio::time::timeout(stays, wait).await.ok()?,
                None => wait.await,
            };
            let waited = came.elapsed();
            match ended {
                Ok(()) => {
                    // A timer of tokio is good for a millisecond.
                    assert!(waited <= visit.at_most + Duration::from_millis(1));
                    Some((started.elapsed(), came))
                }
                Err(time) => {
                    assert_eq!(waited, Duration::ZERO, "refused only after a wait");
                    assert!(time > visit.at_most);
                    None
                }
            }
        }));
        // It comes before the next one does.
        tokio::task::yield_now().await;
    }
    let served: Vec<_> = join_all(visitors)
        .await
        .into_iter()
        .filter_map(Result::unwrap)
        .collect();
    assert!(served.is_sorted(), "somebody was overtaken");
    served.into_iter().map(|(at, _)| at).collect()
}
