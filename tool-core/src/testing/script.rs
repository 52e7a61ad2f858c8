//! A model that says what it was told to say.

use std::fmt;

use serde_json::{Value, json};

use super::response::response;
use crate::call::Call;
use crate::dialect::Dialect;
use crate::executor::Executor;
use crate::outcome::Outcome;

/// A model whose answers are written down beforehand, and the loop that an
/// agent runs: read the calls, run them, send the results back, ask again.
///
/// # Examples
///
/// ```
/// use tool_core::testing::{self, ScriptedModel};
/// use tool_core::{Call, Catalogue, Dialect, tool, tools};
///
/// /// Add two numbers.
/// #[tool]
/// fn add(
///     /// The first number.
///     a: i64,
///     /// The second number.
///     b: i64,
/// ) -> i64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let tools = Catalogue::new(tools![add]).unwrap();
/// let executor = testing::executor(&tools).build().unwrap();
/// let transcript = ScriptedModel::new(Dialect::Anthropic)
///     .prompt("What is 1 + 2?")
///     .calls([Call::new("call_1", "add", r#"{"a":1,"b":2}"#)])
///     .text("It is 3.")
///     .run(&executor)
///     .await;
///
/// assert_eq!(transcript.outcome("call_1").text(), "3");
/// // What the second request holds: the question, the call, and its result.
/// let messages = &transcript.requests()[1];
/// assert_eq!(messages.len(), 3);
/// assert_eq!(messages[2]["content"][0]["tool_use_id"], "call_1");
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "a script does nothing until it is run"]
pub struct ScriptedModel {
    dialect: Dialect,
    prompts: Vec<Value>,
    turns: Vec<Turn>,
}

#[derive(Clone, Debug)]
enum Turn {
    Written(Value),
    Made {
        calls: Vec<Call>,
        text: Option<String>,
    },
}

impl ScriptedModel {
    /// A model behind a provider of this dialect, which says nothing yet.
    pub fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            prompts: Vec::new(),
            turns: Vec::new(),
        }
    }

    /// Adds a message of the user, before all that the model says.
    pub fn prompt(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        self.prompts.push(match self.dialect {
            Dialect::Gemini => json!({ "role": "user", "parts": [{ "text": text }] }),
            Dialect::Bedrock => json!({ "role": "user", "content": [{ "text": text }] }),
            _ => json!({ "role": "user", "content": text }),
        });
        self
    }

    /// Adds an answer that makes these calls, by the tools' own names.
    pub fn calls(self, calls: impl IntoIterator<Item = Call>) -> Self {
        self.turn(Turn::Made {
            calls: calls.into_iter().collect(),
            text: None,
        })
    }

    /// Adds an answer that makes these calls after some words.
    pub fn calls_after(
        self,
        text: impl Into<String>,
        calls: impl IntoIterator<Item = Call>,
    ) -> Self {
        self.turn(Turn::Made {
            calls: calls.into_iter().collect(),
            text: Some(text.into()),
        })
    }

    /// Adds an answer without calls, which ends the loop.
    pub fn text(self, text: impl Into<String>) -> Self {
        self.turn(Turn::Made {
            calls: Vec::new(),
            text: Some(text.into()),
        })
    }

    /// Adds an answer as the provider sends it, such as one that was recorded.
    pub fn response(self, response: Value) -> Self {
        self.turn(Turn::Written(response))
    }

    fn turn(mut self, turn: Turn) -> Self {
        self.turns.push(turn);
        self
    }

    /// Plays the script: until an answer without calls, until a tool hands
    /// over to a person, or to the end of the script.
    ///
    /// # Panics
    ///
    /// When an answer given by [`response`](Self::response) is none of the
    /// dialect's.
    pub async fn run(&self, executor: &Executor) -> Transcript {
        let translator = self.dialect.translator(executor.catalogue());
        let mut transcript = Transcript::default();
        let mut messages = self.prompts.clone();
        for (index, turn) in self.turns.iter().enumerate() {
            let unreadable = |error: &dyn fmt::Display| -> ! {
                panic!(
                    "answer {} of the script is none of {}: {error}",
                    index + 1,
                    self.dialect
                )
            };
            let answer = match turn {
                Turn::Written(answer) => answer.clone(),
                Turn::Made { calls, text } => {
                    let mut calls = calls.clone();
                    for call in &mut calls {
                        if let Some(sent) = translator.sent_name(&call.name) {
                            sent.clone_into(&mut call.name);
                        }
                    }
                    response(self.dialect, &calls, text.as_deref())
                }
            };
            transcript.requests.push(messages.clone());
            let calls = match translator.calls(&answer) {
                Ok(calls) => calls,
                Err(error) => unreadable(&error),
            };
            match translator.history(&answer) {
                Ok(history) => messages.extend(history.messages),
                Err(error) => unreadable(&error),
            }
            transcript.responses.push(answer);
            if calls.is_empty() {
                transcript.is_finished = true;
                break;
            }
            let batch = executor.run(calls).await;
            transcript.is_interrupted = batch.is_interrupted();
            messages.extend(translator.results(&batch));
            transcript.outcomes.extend(batch);
            if transcript.is_interrupted {
                break;
            }
        }
        transcript.unplayed = self.turns.len() - transcript.responses.len();
        transcript.messages = messages;
        transcript
    }
}

/// What happened while a script was played.
///
/// # Examples
///
/// ```
/// use tool_core::testing::{self, ScriptedModel};
/// use tool_core::{Call, Catalogue, Dialect, ErrorKind};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let executor = testing::executor(&Catalogue::default()).build().unwrap();
/// let transcript = ScriptedModel::new(Dialect::OpenAi)
///     .calls([Call::new("call_1", "no_such_tool", "{}")])
///     .run(&executor)
///     .await;
/// assert_eq!(transcript.outcome("call_1").error_kind(), Some(ErrorKind::NotFound));
/// // The script ended, and the model had not.
/// assert!(!transcript.is_finished());
/// assert_eq!(transcript.messages()[1]["tool_call_id"], "call_1");
/// # }
/// ```
#[derive(Debug, Default)]
#[must_use]
pub struct Transcript {
    requests: Vec<Vec<Value>>,
    responses: Vec<Value>,
    messages: Vec<Value>,
    outcomes: Vec<Outcome>,
    is_finished: bool,
    is_interrupted: bool,
    unplayed: usize,
}

impl Transcript {
    /// The messages of each request that the provider would have been sent,
    /// for Responses the items of `input`. The first holds the prompts alone.
    pub fn requests(&self) -> &[Vec<Value>] {
        &self.requests
    }

    /// What the provider answered, one answer a request.
    pub fn responses(&self) -> &[Value] {
        &self.responses
    }

    /// The whole history at the end, with the last answer or the last results.
    pub fn messages(&self) -> &[Value] {
        &self.messages
    }

    /// What became of every call, in order.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// What became of the call with this id.
    ///
    /// # Panics
    ///
    /// When no call had it; the message lists those that there were.
    #[track_caller]
    pub fn outcome(&self, call_id: &str) -> &Outcome {
        let found = self
            .outcomes
            .iter()
            .find(|outcome| outcome.call_id == call_id);
        let Some(outcome) = found else {
            let ids: Vec<&str> = self
                .outcomes
                .iter()
                .map(|outcome| outcome.call_id.as_str())
                .collect();
            panic!("no call has the id `{call_id}`; there were {ids:?}");
        };
        outcome
    }

    /// Checks that every call gave a result, and shows those that did not.
    ///
    /// # Panics
    ///
    /// When one did not.
    #[track_caller]
    pub fn assert_all_ok(&self) {
        let failed: Vec<String> = self
            .outcomes
            .iter()
            .filter(|outcome| !outcome.is_ok())
            .map(|outcome| {
                format!(
                    "\n  {} `{}`: {}",
                    outcome.tool,
                    outcome.call_id,
                    outcome.text()
                )
            })
            .collect();
        assert!(
            failed.is_empty(),
            "{} of {} calls gave no result:{}",
            failed.len(),
            self.outcomes.len(),
            failed.concat()
        );
    }

    /// Whether the model ended with an answer without calls.
    pub fn is_finished(&self) -> bool {
        self.is_finished
    }

    /// Whether a tool ended the turn to hand over to a person.
    pub fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }

    /// How many answers of the script were not asked for.
    pub fn unplayed(&self) -> usize {
        self.unplayed
    }
}
