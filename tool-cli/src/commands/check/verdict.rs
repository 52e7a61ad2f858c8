//! What became of one call, for people and for programs.

use serde::Serialize;
use serde_json::Value;
use tool_core::{Arguments, Problem, Repair, RepairMode};

use super::served::Served;
use crate::control;
use crate::failure::Failure;

/// What became of one call.
#[derive(Debug)]
pub(super) struct Verdict<'a> {
    /// The name of the tool as the model wrote it.
    tool: &'a str,
    is_rejected: bool,
    problems: Vec<Fault>,
    repairs: Vec<Repair>,
    /// There was no tool at all, so that the name is not to blame.
    met_no_tools: bool,
}

#[derive(Debug, Serialize)]
struct Fault {
    path: String,
    message: String,
}

/// Where a call is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    /// The id of the line as it came; null where it has none.
    pub(super) id: &'a Value,
    pub(super) line: usize,
    /// The index in the line's calls.
    pub(super) call: usize,
}

impl<'a> Verdict<'a> {
    pub(super) fn of(call: &'a Value, served: &Served, repair: RepairMode) -> Self {
        // An envelope, as OpenAI's calls have, changes nothing.
        let function = call.get("function").unwrap_or(call);
        let Some(name) = function.get("name").and_then(Value::as_str) else {
            return Self::rejected("", "a call is an object with `name` and `arguments`");
        };
        let Some(tool) = served.catalogue.find(name) else {
            return Self::without_tool(name, served);
        };
        let arguments = match function.get("arguments") {
            Some(Value::String(text)) => Arguments::Text(text.clone()),
            Some(value) => Arguments::Value(value.clone()),
            None => Arguments::Text(String::new()),
        };
        let checked = tool.check(arguments, repair);
        let problems = match &checked.arguments {
            Ok(_) => Vec::new(),
            Err(error) if error.problems().is_empty() => vec![Fault::whole(error.message())],
            Err(error) => error.problems().iter().map(Fault::from).collect(),
        };
        Self {
            tool: name,
            is_rejected: checked.arguments.is_err(),
            problems,
            repairs: checked.repairs,
            met_no_tools: false,
        }
    }

    fn without_tool(name: &'a str, served: &Served) -> Self {
        if let Some(reason) = served.broken.get(name) {
            return Self::rejected(name, reason);
        }
        let nearest = served.catalogue.nearest(name);
        let question = if nearest.is_empty() {
            String::new()
        } else {
            format!("; did you mean '{}'?", nearest.join("' or '"))
        };
        let mut verdict = Self::rejected(name, &format!("there is no tool '{name}'{question}"));
        verdict.met_no_tools = served.catalogue.is_empty() && served.broken.is_empty();
        verdict
    }

    fn rejected(tool: &'a str, message: &str) -> Self {
        Self {
            tool,
            is_rejected: true,
            problems: vec![Fault::whole(message)],
            repairs: Vec::new(),
            met_no_tools: false,
        }
    }

    /// Whether the call was right as it came.
    pub(super) fn is_accepted(&self) -> bool {
        !self.is_rejected && self.repairs.is_empty()
    }

    fn word(&self) -> &'static str {
        if self.is_rejected {
            "rejected"
        } else {
            "repaired"
        }
    }

    pub(super) fn to_json(&self, place: Place<'_>) -> Result<String, Failure> {
        #[derive(Serialize)]
        struct Report<'a> {
            id: &'a Value,
            line: usize,
            call: usize,
            tool: &'a str,
            verdict: &'static str,
            problems: &'a [Fault],
            repairs: &'a [Repair],
        }

        line_of(&Report {
            id: place.id,
            line: place.line,
            call: place.call,
            tool: self.tool,
            verdict: self.word(),
            problems: &self.problems,
            repairs: &self.repairs,
        })
    }

    pub(super) fn in_words(&self, place: Place<'_>) -> String {
        let id = match place.id {
            Value::Null => format!("line {}", place.line),
            Value::String(id) => id.clone(),
            other => other.to_string(),
        };
        let problems = self.problems.iter().map(Fault::in_words);
        let repairs = self.repairs.iter().map(|repair| {
            let would_be = if self.is_rejected { "would mend " } else { "" };
            format!("{would_be}{repair}")
        });
        let notes: Vec<String> = problems.chain(repairs).collect();
        control::one_line(&format!(
            "{id}[{}] {}: {}: {}",
            place.call,
            self.tool,
            self.word(),
            notes.join("; ")
        ))
    }
}

impl Fault {
    fn whole(message: &str) -> Self {
        Self {
            path: String::new(),
            message: message.to_owned(),
        }
    }

    fn in_words(&self) -> String {
        if self.path.is_empty() {
            self.message.clone()
        } else {
            format!("`{}`: {}", self.path, self.message)
        }
    }
}

impl From<&Problem> for Fault {
    fn from(problem: &Problem) -> Self {
        Self {
            path: problem.path.clone(),
            message: problem.message.clone(),
        }
    }
}

/// How many calls met which fate.
#[derive(Debug, Default, Serialize)]
pub(super) struct Totals {
    calls: usize,
    accepted: usize,
    repaired: usize,
    pub(super) rejected: usize,
    /// A call had no tools to be checked against.
    #[serde(skip)]
    pub(super) met_no_tools: bool,
}

impl Totals {
    pub(super) fn count(&mut self, verdict: &Verdict<'_>) {
        self.calls += 1;
        self.met_no_tools |= verdict.met_no_tools;
        if verdict.is_rejected {
            self.rejected += 1;
        } else if verdict.repairs.is_empty() {
            self.accepted += 1;
        } else {
            self.repaired += 1;
        }
    }

    pub(super) fn to_json(&self) -> Result<String, Failure> {
        line_of(self)
    }

    pub(super) fn in_words(&self) -> String {
        let noun = if self.calls == 1 { "call" } else { "calls" };
        format!(
            "{} {noun}: {} accepted, {} repaired, {} rejected",
            self.calls, self.accepted, self.repaired, self.rejected
        )
    }
}

/// JSON on one line, with nothing in it that a terminal would act on.
fn line_of(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string(value).map_err(Failure::failed)?;
    Ok(control::escape_json(&text).into_owned())
}
