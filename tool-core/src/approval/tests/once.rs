//! A record is used once.

use std::sync::{Arc, Barrier};
use std::time::SystemTime;

use serde_json::json;

use super::{catalogue, open, payment, sealer, tool};
use crate::approval::{Ledger, PendingReason, ResumeError, UseOnce, erase_ledger};

#[tokio::test]
async fn a_record_is_used_once() {
    let sealer = sealer();
    let pending = sealer
        .seal(
            "call_1",
            &tool("pay"),
            &json!({}),
            json!({}),
            PendingReason::Interrupt,
        )
        .unwrap();
    let opened = || sealer.open(&pending, &catalogue()).unwrap();
    assert_eq!(sealer.redeem(&opened()).await, Ok(()));
    assert_eq!(sealer.redeem(&opened()).await, Err(ResumeError::Replayed));
    // Another record of the same call is another approval.
    let again = sealer
        .seal(
            "call_1",
            &tool("pay"),
            &json!({}),
            json!({}),
            PendingReason::Interrupt,
        )
        .unwrap();
    let again = sealer.open(&again, &catalogue()).unwrap();
    assert_eq!(sealer.redeem(&again).await, Ok(()));
}

#[test]
fn of_many_threads_at_once_one_wins() {
    const THREADS: usize = 16;
    let sealer = Arc::new(sealer());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    for _ in 0..50 {
        let pending = sealer
            .seal(
                "call_1",
                &tool("pay"),
                &json!({}),
                json!({}),
                PendingReason::Approval,
            )
            .unwrap();
        let start = Arc::new(Barrier::new(THREADS));
        let threads: Vec<_> = (0..THREADS)
            .map(|_| {
                let opened = sealer.open(&pending, &catalogue()).unwrap();
                let (sealer, start) = (Arc::clone(&sealer), Arc::clone(&start));
                let runtime = runtime.handle().clone();
                std::thread::spawn(move || {
                    start.wait();
                    runtime.block_on(sealer.redeem(&opened)).is_ok()
                })
            })
            .collect();
        let winners = threads.into_iter().map(|thread| thread.join().unwrap());
        assert_eq!(winners.filter(|won| *won).count(), 1);
    }
}

struct Answers(Option<bool>);

impl Ledger for Answers {
    async fn redeem(&self, _id: &str, _expires: SystemTime) -> bool {
        self.0.expect("a ledger that fails")
    }
}

#[tokio::test]
async fn a_ledger_of_the_host_is_asked_and_its_failure_is_no_first_use() {
    for (answer, expected) in [
        (Some(true), Ok(())),
        (Some(false), Err(ResumeError::Replayed)),
        (None, Err(ResumeError::Replayed)),
    ] {
        let ledger: UseOnce = erase_ledger(Answers(answer));
        let sealer = sealer().with_ledger(ledger);
        let opened = open(&sealer, &payment(&sealer)).unwrap();
        assert_eq!(sealer.redeem(&opened).await, expected);
    }
}
