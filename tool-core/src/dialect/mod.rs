//! Between our types and what a provider sends and takes. All pure functions.

mod anthropic;
mod assembler;
mod bedrock;
mod budget;
mod content;
mod definitions;
mod error;
mod extras;
mod gemini;
mod gemini_schema;
mod gemini_stream;
mod history;
mod keys;
mod mcp;
mod names;
mod notes;
pub(crate) mod openai;
mod plain;
mod read;
mod responses;
mod restore;
mod root;
mod strict;
mod translator;
mod types;
mod words;
mod write;

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

pub use assembler::Assembler;
pub use definitions::Definitions;
pub use error::DialectError;
pub use history::{History, SetAside};
pub use translator::Translator;

use crate::call::Call;
use crate::catalogue::Catalogue;
use crate::definition::Definition;
use crate::outcome::Outcome;
use crate::tool::Tool;
use names::NameRule;

/// A provider's way to write definitions, calls and results.
///
/// Each method is a pure function of its arguments. Where a provider has to
/// be told another name than the tool's own, or is bound to a strict schema,
/// a [`translator`](Self::translator) knows the way back.
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
///
/// # Example: the same call from Anthropic
///
/// ```
/// use serde_json::json;
/// use tool_core::Dialect;
///
/// let response = json!({ "role": "assistant", "content": [
///     { "type": "text", "text": "I will add them." },
///     { "type": "tool_use", "id": "toolu_1", "name": "add", "input": { "a": 1, "b": 2 } },
/// ] });
/// let dialect: Dialect = "anthropic".parse().unwrap();
/// assert_eq!(dialect.calls(&response).unwrap()[0].name, "add");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// OpenAI's [chat completions](https://platform.openai.com/docs/api-reference/chat),
    /// as spoken by most providers and local servers. A tool is strict only
    /// where its definition asks for it.
    #[default]
    OpenAi,
    /// The same with each tool in the
    /// [strict form](https://platform.openai.com/docs/guides/structured-outputs)
    /// where its schema has one.
    OpenAiStrict,
    /// OpenAI's [Responses](https://platform.openai.com/docs/api-reference/responses).
    Responses,
    /// Anthropic's [messages](https://docs.anthropic.com/en/api/messages).
    Anthropic,
    /// Gemini's [`generateContent`](https://ai.google.dev/api/generate-content),
    /// also on Vertex AI.
    Gemini,
    /// Amazon Bedrock's
    /// [Converse](https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html).
    Bedrock,
    /// The [Model Context Protocol](https://modelcontextprotocol.io/specification),
    /// as a server speaks it.
    Mcp,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: &'static [Self] = &[
        Self::OpenAi,
        Self::OpenAiStrict,
        Self::Responses,
        Self::Anthropic,
        Self::Gemini,
        Self::Bedrock,
        Self::Mcp,
    ];

    /// The name for command lines and settings; [`FromStr`] reads it back.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiStrict => "openai-strict",
            Self::Responses => "responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Bedrock => "bedrock",
            Self::Mcp => "mcp",
        }
    }

    /// One definition as the provider takes it, under a name that it takes.
    ///
    /// What [`definitions`](Self::definitions) says in its notes is not said here.
    ///
    /// # Errors
    ///
    /// The reason why the provider would refuse it.
    pub fn definition(self, definition: &Definition) -> Result<Value, String> {
        let name = self.legal_name(&definition.name);
        write::draft(self, definition, &name, true).map(|draft| draft.value)
    }

    /// The definitions of these tools, for a request. What cannot be said is
    /// left out with the reason, and what is said otherwise is noted.
    pub fn definitions<'a>(self, tools: impl IntoIterator<Item = &'a Tool>) -> Definitions {
        definitions::collect(self, tools).definitions
    }

    /// What translates between this dialect and these tools, both ways.
    pub fn translator(self, tools: &Catalogue) -> Translator {
        Translator::new(self, tools)
    }

    /// Definitions that somebody else wrote in this dialect: a request, its
    /// `tools`, or one definition. The provider's own tools are passed over.
    ///
    /// # Errors
    ///
    /// When the value has none of these shapes.
    pub fn import(self, definitions: &Value) -> Result<Vec<Definition>, DialectError> {
        match self {
            Self::OpenAi | Self::OpenAiStrict => openai::import(definitions),
            Self::Responses => responses::import(definitions),
            Self::Anthropic => anthropic::import(definitions),
            Self::Gemini => gemini::import(definitions),
            Self::Bedrock => bedrock::import(definitions),
            Self::Mcp => mcp::import(definitions),
        }
    }

    /// The calls in a whole response, in an assistant's message, or in a bare
    /// list of calls. A response without calls gives none.
    ///
    /// A call whose parts are wrong is still a call: the executor answers it
    /// with an error that the model can read. One without an id gets one by
    /// its place, the same each time.
    ///
    /// # Errors
    ///
    /// When the value is none of these, or reports the provider's error.
    pub fn calls(self, response: &Value) -> Result<Vec<Call>, DialectError> {
        match self {
            Self::OpenAi | Self::OpenAiStrict => openai::calls(response),
            Self::Responses => responses::calls(response),
            Self::Anthropic => anthropic::calls(response),
            Self::Gemini => gemini::calls(response),
            Self::Bedrock => bedrock::calls(response),
            Self::Mcp => mcp::calls(response),
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

    /// What puts the calls of a stream together.
    pub fn assembler(self) -> Assembler {
        Assembler::new(self, None)
    }

    /// The messages that give the results back, in the order of the calls;
    /// for Responses items of `input`, for MCP one `CallToolResult` a call.
    ///
    /// Images and files go in the provider's own blocks where it has some,
    /// and are named in the text where not.
    pub fn results<'a>(self, outcomes: impl IntoIterator<Item = &'a Outcome>) -> Vec<Value> {
        self.results_with(outcomes, &|name| self.legal_name(name))
    }

    fn results_with<'a>(
        self,
        outcomes: impl IntoIterator<Item = &'a Outcome>,
        names: &dyn Fn(&str) -> String,
    ) -> Vec<Value> {
        let outcomes: Vec<&Outcome> = outcomes.into_iter().collect();
        match self {
            Self::OpenAi | Self::OpenAiStrict => openai::results(&outcomes),
            Self::Responses => responses::results(&outcomes),
            Self::Anthropic => anthropic::results(&outcomes),
            Self::Gemini => gemini::results(&outcomes, names),
            Self::Bedrock => bedrock::results(&outcomes),
            Self::Mcp => mcp::results(&outcomes),
        }
    }

    /// The model's turn as the next request may hold it: a response or a
    /// message with every call in a form that the provider takes back, also
    /// where the model wrote something that it would refuse.
    ///
    /// # Errors
    ///
    /// As [`calls`](Self::calls). MCP has no history: it gives no messages.
    pub fn history(self, response: &Value) -> Result<History, DialectError> {
        history::history(self, response)
    }

    fn legal_name(self, name: &str) -> String {
        NameRule::of_tools(self).legal(name)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for Dialect {
    type Err = DialectError;

    fn from_str(name: &str) -> Result<Self, DialectError> {
        Self::ALL
            .iter()
            .copied()
            .find(|dialect| dialect.as_str() == name)
            .ok_or_else(|| DialectError::UnknownDialect(name.to_owned()))
    }
}
