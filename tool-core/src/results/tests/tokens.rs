use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use super::{Budget, fit, output, shortened, size};
use crate::output::{Content, Output};

/// The text that the counter is meant to bound: without notes.
fn counted(output: &Output) -> String {
    let texts = output.content().iter().filter_map(|piece| match piece {
        Content::Text(text) => Some(text.as_str()),
        Content::Json(json) => Some(json.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// A counter by a rule, and how often it was asked.
fn counter(rule: fn(&str) -> usize, limit: usize) -> (Budget, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let budget = Budget {
        max_bytes: 5_000,
        tokens: Some((
            limit,
            Arc::new(move |text| {
                counter.fetch_add(1, Ordering::Relaxed);
                rule(text)
            }),
        )),
    };
    (budget, asked)
}

const RULES: [fn(&str) -> usize; 4] = [
    |text| text.chars().count(),
    |text| text.len().div_ceil(4),
    |text| {
        text.split_inclusive(|character: char| !character.is_alphanumeric())
            .count()
    },
    |text| {
        text.bytes()
            .filter(|byte| !byte.is_ascii_lowercase())
            .count()
    },
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_result_is_never_over_its_tokens_and_the_counter_is_asked_little(
        output in output(),
        limit in 0..1_000_usize,
        rule in 0..RULES.len(),
    ) {
        let before = output;
        let mut after = before.clone();
        let (budget, asked) = counter(RULES[rule], limit);
        fit(&mut after, &budget, None);
        let tokens = RULES[rule](&counted(&after));
        prop_assert!(tokens <= limit || size(&after) <= limit, "{} tokens", tokens);
        prop_assert!(size(&after) <= 5_000);
        prop_assert!(asked.load(Ordering::Relaxed) <= 5);
        if size(&before) <= 5_000 && RULES[rule](&counted(&before)) <= limit {
            prop_assert_eq!(counted(&after), counted(&before));
        }
    }
}

#[test]
fn an_even_text_uses_most_of_its_tokens() {
    let (budget, asked) = counter(RULES[1], 1_000);
    let mut output = Output::from("word ".repeat(900));
    fit(&mut output, &budget, None);
    let tokens = RULES[1](&counted(&output));
    assert!((900..=1_000).contains(&tokens), "{tokens}");
    assert!(asked.load(Ordering::Relaxed) <= 3);
}

#[test]
fn a_counter_is_not_asked_where_bytes_tell() {
    let (budget, asked) = counter(|_| usize::MAX, 100);
    let mut output = Output::from("x".repeat(100));
    fit(&mut output, &budget, None);
    assert_eq!(output.text(), "x".repeat(100));
    assert_eq!(asked.load(Ordering::Relaxed), 0);
}

#[test]
fn a_counter_that_panics_or_lies_does_no_harm() {
    let (panics, _) = counter(|_| panic!("a broken tokeniser"), 300);
    let (never, _) = counter(|_| usize::MAX, 300);
    for budget in [panics, never] {
        let mut output = Output::from("x".repeat(4_000));
        fit(&mut output, &budget, None);
        assert!(size(&output) <= 900, "{}", size(&output));
        assert!(size(&output) >= 250, "{}", size(&output));
    }
    let (always, _) = counter(|_| 0, 300);
    let mut output = Output::from("x".repeat(40_000));
    fit(&mut output, &always, None);
    assert_eq!(
        counted(&output),
        counted(&shortened("x".repeat(40_000), 5_000))
    );
}
