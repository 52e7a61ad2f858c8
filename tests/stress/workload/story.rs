//! What happens to calls that are made together, and whether it is right.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join;
use serde_json::json;
use tool_core::{Call, Decision, Outcome, Output, Pending, ResumeError, UsageLimits};

use super::plan::{Plan, Planned, Story};
use super::subject::{Caller, Subject};

/// What calls have done: the word of the behaviour, and how the call ended.
pub(crate) type Told = Vec<(&'static str, &'static str)>;

impl Plan {
    /// Makes the calls. The error says what is wrong with an outcome.
    pub(crate) async fn tell(self, subject: Arc<Subject>) -> Result<Told, String> {
        let executor = subject.executor.clone();
        let session = executor.session();
        let calls: Vec<Call> = self
            .calls
            .iter()
            .map(|planned| planned.call.clone())
            .collect();
        match self.story {
            Story::Cancelled => {
                let caller = Caller::Session(session.clone());
                let (outcomes, ()) = join(caller.outcomes(self.way, calls), async {
                    self.wait().await;
                    session.cancel();
                })
                .await;
                self.check(&outcomes?)
            }
            Story::Forgotten => self.forget(self.caller(&subject), calls).await,
            Story::Limited => {
                let caller = Caller::Session(session.limits(UsageLimits::new().calls(3)));
                let told = self.check(&caller.outcomes(self.way, calls).await?)?;
                match told.iter().filter(|(_, ended)| *ended == "ok").count() {
                    3 => Ok(told),
                    other => Err(format!("a session with 3 calls has made {other}")),
                }
            }
            Story::Answered => {
                let caller = self.caller(&subject);
                let outcomes = caller.outcomes(self.way, calls).await?;
                let mut told = self.check(&outcomes)?;
                for (planned, outcome) in self.calls.iter().zip(&outcomes) {
                    if let Some(pending) = &outcome.pending {
                        told.push(resume(&caller, planned, pending).await?);
                    }
                }
                Ok(told)
            }
            Story::Barriers | Story::Shared | Story::InTurn => {
                let outcomes = self.caller(&subject).outcomes(self.way, calls).await?;
                if let (Story::Barriers, Some(first)) = (self.story, self.calls.first()) {
                    subject.world.forget(first.number >> 16);
                }
                let told = self.check(&outcomes)?;
                match self.story {
                    Story::Shared => self.check_shared(&outcomes)?,
                    Story::InTurn => self.check_turns(&outcomes)?,
                    _ => {}
                }
                Ok(told)
            }
        }
    }

    fn caller(&self, subject: &Subject) -> Caller {
        let executor = subject.executor.clone();
        if self.in_session {
            Caller::Session(executor.session())
        } else {
            Caller::Executor(executor)
        }
    }

    async fn wait(&self) {
        tokio::time::sleep(Duration::from_micros(self.patience)).await;
    }

    /// Stops waiting for outcomes. Calls that are done by then are right.
    async fn forget(&self, caller: Caller, calls: Vec<Call>) -> Result<Told, String> {
        let patience = Duration::from_micros(self.patience);
        let outcomes = tokio::time::timeout(patience, caller.outcomes(self.way, calls)).await;
        if let Ok(outcomes) = outcomes {
            return self.check(&outcomes?);
        }
        let words = self.calls.iter().map(|planned| planned.behaviour.word);
        Ok(words.map(|word| (word, "left alone")).collect())
    }

    fn check(&self, outcomes: &[Outcome]) -> Result<Told, String> {
        if outcomes.len() != self.calls.len() {
            let (count, calls) = (outcomes.len(), self.calls.len());
            return Err(format!("{calls} calls have {count} outcomes"));
        }
        let pairs = self.calls.iter().zip(outcomes);
        pairs
            .map(|(planned, outcome)| planned.check(outcome))
            .collect()
    }

    /// Equal calls have the same outcome, others have not.
    fn check_shared(&self, outcomes: &[Outcome]) -> Result<(), String> {
        let mut texts = HashMap::new();
        for (planned, outcome) in self.calls.iter().zip(outcomes) {
            let text = outcome.text().into_owned();
            let first = texts.entry(planned.number).or_insert_with(|| text.clone());
            if *first != text {
                return Err(format!("equal calls said {first} and {text}"));
            }
        }
        let mut different: Vec<&String> = texts.values().collect();
        different.sort();
        different.dedup();
        if different.len() == texts.len() {
            Ok(())
        } else {
            Err(format!("different calls share a run: {texts:?}"))
        }
    }

    /// Calls with equal keys have run in their order.
    fn check_turns(&self, outcomes: &[Outcome]) -> Result<(), String> {
        let mut last: HashMap<usize, u64> = HashMap::new();
        for (planned, outcome) in self.calls.iter().zip(outcomes) {
            let text = outcome.text();
            let turn = text
                .strip_prefix("turn ")
                .and_then(|turn| turn.parse().ok());
            let turn: u64 = turn.ok_or_else(|| format!("{text} is no turn"))?;
            if last
                .insert(planned.key, turn)
                .is_some_and(|last| last > turn)
            {
                return Err(format!("{} ran before its turn", outcome.call_id));
            }
        }
        Ok(())
    }
}

impl Planned {
    pub(crate) fn check(&self, outcome: &Outcome) -> Result<(&'static str, &'static str), String> {
        if self.behaviour.is_right(&self.tool, self.number, outcome) && outcome.tool == self.tool {
            let kind = outcome.error_kind();
            Ok((
                self.behaviour.word,
                kind.map_or("ok", tool_core::ErrorKind::as_str),
            ))
        } else {
            Err(self.wrong(outcome))
        }
    }

    fn wrong(&self, outcome: &Outcome) -> String {
        let text: String = outcome.text().chars().take(300).collect();
        format!(
            "a call that is to `{}` ({}) was answered by {} {:?} after {:?}: {text}",
            self.behaviour.word,
            outcome.call_id,
            outcome.tool,
            outcome.error_kind(),
            outcome.elapsed,
        )
    }
}

/// Decides about a call that waits, and tries to decide again.
async fn resume(
    caller: &Caller,
    planned: &Planned,
    pending: &Pending,
) -> Result<(&'static str, &'static str), String> {
    let number = planned.number;
    let stored = serde_json::to_string(pending).map_err(|error| error.to_string())?;
    let pending: Pending = serde_json::from_str(&stored).map_err(|error| error.to_string())?;
    let edited = json!({"what": "edited", "number": number});
    let (word, decision, expected) = match number % 4 {
        0 => (
            "resumed, allowed",
            Decision::Allow,
            format!("done {number}"),
        ),
        1 => (
            "resumed, denied",
            Decision::Deny("no".to_owned()),
            format!("Error: Tool '{}' was not approved: no", planned.tool),
        ),
        2 => (
            "resumed, answered",
            Decision::Answer(Output::from("by hand")),
            "by hand".to_owned(),
        ),
        _ => (
            "resumed, edited",
            Decision::AllowEdited(edited),
            format!("edited {number}"),
        ),
    };
    let outcome = caller.resume(&pending, decision).await;
    let outcome = outcome.map_err(|error| format!("{word}: {error}"))?;
    if outcome.text() != expected || outcome.call_id != planned.call.id {
        return Err(planned.wrong(&outcome));
    }
    let again = caller.resume(&pending, Decision::Allow).await;
    match again {
        Err(ResumeError::Replayed) => {
            let kind = outcome.error_kind();
            Ok((word, kind.map_or("ok", tool_core::ErrorKind::as_str)))
        }
        other => Err(format!("{word}, then resumed again: {other:?}")),
    }
}
