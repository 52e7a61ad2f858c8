//! A call that a model made.

use std::fmt;

use serde_json::Value;

/// The arguments of a call, as they came.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Arguments {
    /// JSON text, as OpenAI-compatible providers send it. Nothing is known of it yet.
    Text(String),
    /// A parsed value, as Anthropic, Gemini, Bedrock and MCP send it.
    Value(Value),
}

impl Arguments {
    /// The arguments as JSON text, for a log or the history.
    pub fn to_text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Value(value) => value.to_string(),
        }
    }
}

impl From<String> for Arguments {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Arguments {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Value> for Arguments {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

/// Arguments may hold secrets, so that only their size is shown.
impl fmt::Debug for Arguments {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(formatter, "Text({} bytes)", text.len()),
            Self::Value(_) => formatter.write_str("Value(…)"),
        }
    }
}

/// A call that a model made: which tool, with which arguments.
///
/// # Examples
///
/// ```
/// use tool_core::Call;
///
/// let call = Call::new("call_1", "web-fetch_page", r#"{"url":"https://example.com"}"#);
/// assert_eq!(call.name, "web-fetch_page");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Call {
    /// The provider's id of the call; the result goes back under it.
    pub id: String,
    /// The name of the tool, as the model wrote it.
    pub name: String,
    /// The arguments, as the model wrote them.
    pub arguments: Arguments,
}

impl Call {
    /// A call from its three parts.
    pub fn new(
        id: impl Into<String>,
        name: impl Into<String>,
        arguments: impl Into<Arguments>,
    ) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            arguments: arguments.into(),
        }
    }
}
