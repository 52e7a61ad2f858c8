//! What the host itself says: its hooks, its approver, its edits, its ids.

use serde_json::json;
use tool_core::{
    Before, Call, Decision, Hook, HookedCall, Next, Output, Progress, ResumeError, Rule, Selector,
    ToolError,
};

use super::bench::{Bench, Way, leak, leaks, logged, none};
use super::shapes::{Origin, SHAPES};

/// A hook that lets words out.
struct Talkative {
    step: &'static str,
    words: &'static str,
}

impl Talkative {
    fn at(&self, step: &str) -> Result<(), ToolError> {
        let failed = || ToolError::new("the hook says no");
        match self.step.strip_prefix(step) {
            Some(" fails") => Err(ToolError::new(format!("not with {}", self.words))),
            Some(" hints") => Err(failed().with_hint(self.words)),
            Some(" has a source") => Err(failed().with_source(self.words)),
            Some(" panics") => std::panic::resume_unwind(Box::new(self.words)),
            _ => Ok(()),
        }
    }
}

impl Hook for Talkative {
    async fn before(&self, call: &mut HookedCall) -> Result<Before, ToolError> {
        self.at("before")?;
        match self.step {
            "before answers" => return Ok(Before::Answer(Output::from(self.words))),
            "before breaks the arguments" => call.set_arguments(json!({"place": [self.words]})),
            "before adds arguments" => call.set_arguments(json!({ self.words: self.words })),
            "before reports" => call
                .context()
                .report(Progress::new(1.0).message(self.words)),
            _ => {}
        }
        Ok(Before::Go)
    }

    async fn around(&self, call: &HookedCall, next: Next<'_>) -> Result<Output, ToolError> {
        self.at("around")?;
        if self.step == "around reports" {
            call.context()
                .report(Progress::new(1.0).message(self.words));
        }
        next.run().await
    }

    async fn after(&self, _call: &HookedCall, output: Output) -> Result<Output, ToolError> {
        self.at("after")?;
        match self.step {
            "after changes" => Ok(Output::from(self.words)),
            _ => Ok(output),
        }
    }

    async fn on_error(&self, _call: &HookedCall, error: ToolError) -> Result<Output, ToolError> {
        self.at("on error")?;
        Err(error)
    }
}

#[test]
fn no_secret_leaves_where_a_hook_lets_it_out() {
    let steps = [
        "before fails",
        "before hints",
        "before has a source",
        "before panics",
        "before answers",
        "before breaks the arguments",
        "before adds arguments",
        "before reports",
        "around fails",
        "around panics",
        "around reports",
        "after fails",
        "after panics",
        "after changes",
        "on error fails",
        "on error has a source",
        "on error panics",
    ];
    let mut found = Vec::new();
    for way in [Way::Plain, Way::Streamed, Way::Resumed] {
        for shape in &SHAPES {
            for step in steps {
                let words = shape.words;
                let bench = Bench::with(way, shape, |builder| {
                    builder.hook(Talkative { step, words })
                });
                let place = if step.starts_with("on error") {
                    "message"
                } else {
                    "text"
                };
                let calls = vec![leak("secret-say", shape, place)];
                let seen = logged(&bench.log, bench.run(way, calls));
                leaks(&format!("{step}, {way:?}"), shape, &seen, &mut found);
            }
        }
    }
    none(found);
}

#[test]
fn no_secret_leaves_where_a_person_lets_it_out() {
    let mut found = Vec::new();
    let decisions = ["deny", "answer", "edit wrongly", "edit more", "panic"];
    for shape in &SHAPES {
        for decision in decisions {
            let words = shape.words;
            let decide = move || match decision {
                "deny" => Decision::Deny(format!("not with {words}")),
                "answer" => Decision::Answer(Output::from(words)),
                "edit wrongly" => Decision::AllowEdited(json!({"place": [words], "words": 3})),
                "edit more" => Decision::AllowEdited(json!({"place": "text", words: words})),
                _ => std::panic::resume_unwind(Box::new(words)),
            };
            let bench = Bench::with(Way::Allowed, shape, |builder| {
                builder.approval(move |_| async move { decide() })
            });
            let calls = vec![leak("secret-say", shape, "text")];
            let seen = logged(&bench.log, bench.run(Way::Allowed, calls));
            leaks(&format!("decision: {decision}"), shape, &seen, &mut found);

            if decision == "panic" {
                continue;
            }
            // The same decision about a record.
            let bench = Bench::new(Way::Resumed, shape);
            let mut seen = logged(&bench.log, async {
                let outcome = bench.executor.call(leak("secret-say", shape, "text")).await;
                let mut seen = super::watch::Seen::default();
                let pending = outcome.pending.unwrap();
                match bench.executor.resume(&pending, decide()).await {
                    Ok(outcome) => seen.outcome(&outcome),
                    Err(error) => {
                        assert!(matches!(error, ResumeError::Edited(_)), "{error}");
                        seen.add("error of resume", format!("{error} {error:?}"));
                    }
                }
                seen
            });
            seen.add("log", bench.log.text());
            leaks(&format!("resumed: {decision}"), shape, &seen, &mut found);
        }
    }
    none(found);
}

/// The provider finds its call again by its id, so that an outcome, a record
/// and a request have it as it was. A log does without.
#[test]
fn no_secret_leaves_in_the_log_where_an_id_is_one() {
    let mut found = Vec::new();
    for way in Way::ALL {
        for shape in SHAPES
            .iter()
            .filter(|shape| shape.origin == Origin::Argument)
        {
            for (name, place) in [
                ("secret-say", "text"),
                ("secret-say", "message"),
                ("secret-say", "panic"),
                ("nobody", "text"),
                ("secret-count", "text"),
            ] {
                let mut call = leak(name, shape, place);
                call.id = format!("{} {}", "x".repeat(110), shape.words);
                if way == Way::Plain {
                    call.id = shape.words.to_owned();
                }
                let id = call.id.clone();
                let bench = Bench::with(way, shape, |builder| {
                    builder.on_progress(|_, _| std::panic::resume_unwind(Box::new("deaf")))
                });
                let mut seen = logged(&bench.log, bench.run(way, vec![call]));
                assert!(seen.0.contains(&("outcome.call_id".to_owned(), id)));
                seen.0.retain(|(place, _)| place == "log");
                leaks(
                    &format!("id, {name} {place}, {way:?}"),
                    shape,
                    &seen,
                    &mut found,
                );
            }
        }
    }
    none(found);
}

/// A rule's reason is the host's own words, and the model reads them.
#[test]
fn no_secret_leaves_in_the_reason_of_a_rule() {
    let mut found = Vec::new();
    for shape in SHAPES
        .iter()
        .filter(|shape| shape.origin == Origin::Argument)
    {
        let bench = Bench::with(Way::Plain, shape, |builder| {
            builder.rule(Rule::deny(Selector::any(), format!("no: {}", shape.words)))
        });
        let calls = vec![Call::new("1", "secret-open", r#"{"place":"text"}"#)];
        let seen = logged(&bench.log, bench.run(Way::Plain, calls));
        leaks("rule", shape, &seen, &mut found);
    }
    none(found);
}
