//! Between our types and what a provider sends and takes. All pure functions.

pub(crate) mod openai;

use std::fmt;

use serde_json::Value;

use crate::call::Call;
use crate::definition::Definition;
use crate::outcome::Outcome;
use crate::tool::Tool;

/// A provider's way to write definitions, calls and results.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use tool_core::Dialect;
///
/// let response = json!({ "choices": [{ "message": { "role": "assistant", "tool_calls": [{
///     "id": "call_1",
///     "type": "function",
///     "function": { "name": "add", "arguments": "{\"a\":1,\"b\":2}" }
/// }] } }] });
/// let calls = Dialect::OpenAi.calls(&response).unwrap();
/// assert_eq!(calls[0].name, "add");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// OpenAI's chat completions, as spoken by most providers and local servers.
    #[default]
    OpenAi,
}

/// The definitions for a request, and the tools that this dialect cannot say.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Definitions {
    /// One definition a tool, in the order given.
    pub tools: Vec<Value>,
    /// The tools that were left out, each with the reason.
    pub left_out: Vec<(String, String)>,
}

/// Why a value is not what a provider sends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DialectError {
    /// It is not JSON.
    NotJson(String),
    /// The provider reports an error instead of a response.
    Provider(String),
    /// It has none of the known shapes; what was expected and what came.
    Shape(String),
}

impl fmt::Display for DialectError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(reason) => write!(formatter, "not JSON: {reason}"),
            Self::Provider(message) => write!(formatter, "the provider reports: {message}"),
            Self::Shape(message) => formatter.write_str(message),
        }
    }
}

impl std::error::Error for DialectError {}

impl Dialect {
    /// A definition as the provider takes it.
    ///
    /// # Errors
    ///
    /// The reason why the provider would refuse it.
    pub fn definition(self, definition: &Definition) -> Result<Value, String> {
        match self {
            Self::OpenAi => openai::definition(definition),
        }
    }

    /// The definitions of these tools, for a request's `tools`.
    pub fn definitions<'a>(self, tools: impl IntoIterator<Item = &'a Tool>) -> Definitions {
        let mut definitions = Definitions::default();
        for tool in tools {
            match self.definition(tool.definition()) {
                Ok(definition) => definitions.tools.push(definition),
                Err(reason) => definitions.left_out.push((tool.name().to_owned(), reason)),
            }
        }
        definitions
    }

    /// Definitions that somebody else wrote in this dialect: a request, its
    /// `tools`, or one definition.
    ///
    /// # Errors
    ///
    /// When the value has none of these shapes.
    pub fn import(self, definitions: &Value) -> Result<Vec<Definition>, DialectError> {
        match self {
            Self::OpenAi => openai::import(definitions),
        }
    }

    /// The calls in a whole response, in an assistant's message, or in a bare
    /// list of calls. A response without calls gives none.
    ///
    /// A call whose parts are wrong is still a call: the executor answers it
    /// with an error that the model can read.
    ///
    /// # Errors
    ///
    /// When the value is none of these, or reports the provider's error.
    pub fn calls(self, response: &Value) -> Result<Vec<Call>, DialectError> {
        match self {
            Self::OpenAi => openai::calls(response),
        }
    }

    /// The calls in a response that is still text.
    ///
    /// # Errors
    ///
    /// When the bytes are not JSON, and as [`calls`](Self::calls).
    pub fn calls_in(self, response: &[u8]) -> Result<Vec<Call>, DialectError> {
        let response: Value = serde_json::from_slice(response)
            .map_err(|error| DialectError::NotJson(error.to_string()))?;
        self.calls(&response)
    }

    /// The messages that give the results back, in the order of the calls.
    pub fn results<'a>(self, outcomes: impl IntoIterator<Item = &'a Outcome>) -> Vec<Value> {
        match self {
            Self::OpenAi => outcomes.into_iter().map(openai::result).collect(),
        }
    }
}
