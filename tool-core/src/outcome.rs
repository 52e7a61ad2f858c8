//! What became of a call.

use std::borrow::Cow;
use std::ops::Deref;
use std::time::Duration;

use crate::approval::Pending;
use crate::arguments::Repair;
use crate::error::{ErrorKind, ToolError};
use crate::file::File;
use crate::output::Output;

/// What became of one call. There is exactly one for every call.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The provider's id of the call.
    pub call_id: String,
    /// The name of the tool that ran; the name as the model wrote it where there is none.
    pub tool: String,
    /// The tool's result, or why there is none.
    pub result: Result<Output, ToolError>,
    /// What was mended in the arguments, or, where repairs are only reported,
    /// would have been.
    pub repairs: Vec<Repair>,
    /// How long the call took, waiting included.
    pub elapsed: Duration,
    /// What the call waits for, where a person has to decide first: a record to
    /// store until then, and to give to [`Executor::resume`](crate::Executor::resume).
    pub pending: Option<Pending>,
    /// Whether the tool's work may still go on: its time is over, and it
    /// could not be stopped.
    pub may_still_run: bool,
}

impl Outcome {
    /// What the model reads: the text of the result, or `Error: …`.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.result {
            Ok(output) => output.text(),
            Err(error) => Cow::Owned(error.to_model()),
        }
    }

    /// The same outcome for another call, which shared the run.
    pub(crate) fn of_call(&self, call_id: String) -> Self {
        Self {
            call_id,
            ..self.clone()
        }
    }

    /// The files that the tool gave back, in order.
    pub fn files(&self) -> impl Iterator<Item = &File> {
        self.result.iter().flat_map(Output::files)
    }

    /// Whether the tool ran and gave a result.
    pub fn is_ok(&self) -> bool {
        self.result.is_ok()
    }

    /// Why there is no result, where there is none.
    pub fn error_kind(&self) -> Option<ErrorKind> {
        self.result.as_ref().err().map(ToolError::kind)
    }
}

/// The outcomes of a batch, in the order of its calls.
#[derive(Debug, Default)]
pub struct Batch {
    outcomes: Vec<Outcome>,
}

impl Batch {
    pub(crate) fn new(outcomes: Vec<Outcome>) -> Self {
        Self { outcomes }
    }

    /// Whether the agent must stop now and hand over to a person: a tool of
    /// `kind = "interrupt"` was called, or nobody has decided yet about a call
    /// that needs approval.
    pub fn is_interrupted(&self) -> bool {
        self.pending().next().is_some()
    }

    /// What a person has to decide, in the order of the calls.
    pub fn pending(&self) -> impl Iterator<Item = &Pending> {
        self.outcomes
            .iter()
            .filter_map(|outcome| outcome.pending.as_ref())
    }

    /// The outcomes, in the order of the calls.
    pub fn into_vec(self) -> Vec<Outcome> {
        self.outcomes
    }
}

impl Deref for Batch {
    type Target = [Outcome];

    fn deref(&self) -> &[Outcome] {
        &self.outcomes
    }
}

impl IntoIterator for Batch {
    type Item = Outcome;
    type IntoIter = std::vec::IntoIter<Outcome>;

    fn into_iter(self) -> Self::IntoIter {
        self.outcomes.into_iter()
    }
}

impl<'a> IntoIterator for &'a Batch {
    type Item = &'a Outcome;
    type IntoIter = std::slice::Iter<'a, Outcome>;

    fn into_iter(self) -> Self::IntoIter {
        self.outcomes.iter()
    }
}
