//! What a test of a tool found.

use std::fmt;

/// What a [`CheckTool`](super::CheckTool) found.
///
/// It displays as the message that a failed test shows.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use tool_core::{Definition, Tool, testing::CheckTool};
///
/// let definition = Definition::new(
///     "set_percent",
///     "Set the percentage.",
///     json!({ "type": "object", "properties": { "percent": { "type": "integer", "description": "How much." } }, "required": ["percent"] }),
/// );
/// let tool = Tool::new(definition, |arguments, _context| async move {
///     assert!(arguments["percent"].as_i64() <= Some(100));
/// })
/// .unwrap();
///
/// let report = CheckTool::new(tool).run_calls(true).report();
/// assert!(!report.is_ok());
/// let text = report.to_string();
/// assert!(text.contains("a call panicked"), "{text}");
/// assert!(text.contains(r#"arguments: {"percent":101}"#), "{text}");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct CheckReport {
    tool: String,
    failures: Vec<String>,
    notes: Vec<String>,
}

impl CheckReport {
    pub(super) fn new(tool: &str) -> Self {
        Self {
            tool: tool.to_owned(),
            ..Self::default()
        }
    }

    /// The report of a test that came to no end.
    pub(super) fn unfinished(tool: &str) -> Self {
        let mut report = Self::new(tool);
        report.fail("the test itself did not come to its end".to_owned());
        report
    }

    pub(super) fn fail(&mut self, failure: String) {
        self.failures.push(failure);
    }

    pub(super) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Whether the tool keeps every promise that was tested.
    pub fn is_ok(&self) -> bool {
        self.failures.is_empty()
    }

    /// The promises that the tool breaks, each with the smallest arguments
    /// that show it.
    pub fn failures(&self) -> &[String] {
        &self.failures
    }

    /// What was not tested, and what a person may want to know: the warnings
    /// of the lint and what providers are told otherwise.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

impl fmt::Display for CheckReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.failures.len() {
            0 => write!(formatter, "tool '{}' keeps its promises", self.tool)?,
            1 => write!(formatter, "tool '{}' breaks 1 promise:", self.tool)?,
            count => write!(formatter, "tool '{}' breaks {count} promises:", self.tool)?,
        }
        for (index, failure) in self.failures.iter().enumerate() {
            let failure = failure.replace('\n', "\n     ");
            write!(formatter, "\n  {}. {failure}", index + 1)?;
        }
        if !self.notes.is_empty() {
            formatter.write_str("\nto know as well:")?;
        }
        for note in &self.notes {
            write!(formatter, "\n  - {}", note.replace('\n', "\n    "))?;
        }
        Ok(())
    }
}
