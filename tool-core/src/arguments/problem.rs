//! One fault of a call's arguments.

use std::fmt;

/// One fault of a call's arguments: where it is, and what would be right.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use tool_core::{Context, Definition, Tool};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let definition = Definition::new(
///     "set_volume",
///     "Set the volume.",
///     json!({ "type": "object", "properties": { "percent": { "type": "integer", "maximum": 100 } } }),
/// );
/// let tool = Tool::new(definition, |_arguments, _context| async { "set" }).unwrap();
/// let error = tool.call(r#"{"percent":200}"#, &Context::new()).await.unwrap_err();
/// let problem = &error.problems()[0];
/// assert_eq!(problem.path, "percent");
/// assert_eq!(problem.message, "expected an integer of at most 100, got 200");
/// # });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// Where: `limit`, `address.zip`, `tags[2]`; empty for the whole.
    pub path: String,
    /// What was expected and what came.
    pub message: String,
}

impl Problem {
    pub(crate) fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            message: message.into(),
        }
    }

    /// The name of the parameter that the path begins with.
    pub(crate) fn parameter(&self) -> &str {
        self.path.split(['.', '[']).next().unwrap_or_default()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            formatter.write_str(&self.message)
        } else {
            write!(formatter, "`{}`: {}", self.path, self.message)
        }
    }
}
