//! Values that are known as long as they live.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Secret;
use crate::redact::Redactor;

fn redacted(text: &str) -> String {
    let redactor = Redactor::new(Vec::new()).unwrap();
    redactor.redacted(text).unwrap_or_else(|| text.to_owned())
}

#[test]
fn a_secret_is_known_while_it_or_a_clone_lives() {
    let text = "they say lives-here-1 and lives-here-2, lives-here-1";
    let first = Secret::new("lives-here-1".to_owned());
    let again = Secret::new("lives-here-1".to_owned());
    let second: Secret<Box<str>> = Secret::new("lives-here-2".into());
    assert_eq!(
        redacted(text),
        "they say [redacted] and [redacted], [redacted]"
    );
    drop(first);
    let clone = second.clone();
    drop(second);
    assert_eq!(
        redacted(text),
        "they say [redacted] and [redacted], [redacted]"
    );
    drop(again);
    assert_eq!(
        redacted(text),
        "they say lives-here-1 and [redacted], lives-here-1"
    );
    assert_eq!(clone.expose().len(), 12);
    drop(clone);
    assert_eq!(redacted(text), text);
}

#[test]
fn a_secret_in_json_is_found_with_its_escapes_and_as_a_number() {
    let _words = Secret::new("line\nof \"living\" words".to_owned());
    let _number = Secret::new("9876123450".to_owned());
    let redactor = Redactor::new(Vec::new()).unwrap();
    assert_eq!(
        redactor
            .redacted_json(r#"{"a":"x line\nof \"living\" words","b":9876123450}"#)
            .as_deref(),
        Some(r#"{"a":"x [redacted]","b":"[redacted]"}"#)
    );
}

#[test]
fn a_short_secret_and_one_that_is_no_text_are_not_looked_for() {
    let _short = Secret::new("zqx".to_owned());
    let _number = Secret::new(471_147_u64);
    assert_eq!(redacted("zqx 471147"), "zqx 471147");
}

#[test]
fn a_long_secret_goes_as_far_as_the_text_agrees() {
    let beginning = "long-living-".repeat(20);
    let secrets: Vec<Secret<String>> = (0..20)
        .map(|number| Secret::new(format!("{beginning}ä{number:02}")))
        .collect();
    assert_eq!(redacted(&format!("({beginning}ä07)")), "([redacted])");
    // Most of it is as bad as all of it.
    assert_eq!(redacted(&format!("({beginning}ö)")), "([redacted]ö)");
    drop(secrets);
    assert_eq!(
        redacted(&format!("({beginning}ö)")),
        format!("({beginning}ö)")
    );
}

#[test]
fn ten_thousand_secrets_come_are_found_and_go() {
    let text = |number: usize| format!("the word-of-{number:05}-day is out");
    let mut secrets = Vec::new();
    for number in 0..10_000 {
        secrets.push(Secret::new(format!("word-of-{number:05}-day")));
        if number % 7 == 0 {
            assert_eq!(redacted(&text(number)), "the [redacted] is out");
        }
    }
    for number in [0, 1, 4_999, 9_998, 9_999] {
        assert_eq!(redacted(&text(number)), "the [redacted] is out");
    }
    for (number, secret) in secrets.into_iter().enumerate() {
        drop(secret);
        if number % 100 == 0 {
            assert_eq!(redacted(&text(number)), text(number));
            let next = number + 1;
            assert_eq!(redacted(&text(next)), "the [redacted] is out");
        }
    }
    for number in [0, 5_000, 9_999] {
        assert_eq!(redacted(&text(number)), text(number));
    }
}

#[test]
fn secrets_come_and_go_while_others_redact() {
    let kept = Arc::new(Secret::new("kept-all-the-time".to_owned()));
    let stop = Arc::new(AtomicBool::new(false));
    let workers: Vec<_> = (0..3)
        .map(|worker| {
            let (kept, stop) = (Arc::clone(&kept), Arc::clone(&stop));
            std::thread::spawn(move || {
                let mut number = 0;
                while !stop.load(Ordering::Relaxed) {
                    let own = Secret::new(format!("own-{worker}-{number}-word"));
                    let more = own.clone();
                    let text = format!("{} {}", kept.expose(), own.expose());
                    drop(own);
                    assert_eq!(redacted(&text), "[redacted] [redacted]");
                    drop(more);
                    number += 1;
                }
                number
            })
        })
        .collect();
    for _ in 0..200 {
        let many: Vec<_> = (0..20)
            .map(|number| Secret::new(format!("many-{number}-words")))
            .collect();
        assert_eq!(redacted("many-7-words"), "[redacted]");
        drop(many);
    }
    stop.store(true, Ordering::Relaxed);
    for worker in workers {
        assert!(worker.join().unwrap() > 0);
    }
}
