//! A dialect and the tools that it speaks of.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::definitions::{Collected, collect};
use super::names::NameRule;
use super::restore::{Changes, restore};
use super::{Assembler, Definitions, Dialect, DialectError, History};
use crate::call::{Arguments, Call};
use crate::catalogue::Catalogue;
use crate::outcome::Outcome;
use crate::tool::Tool;

/// A dialect and the tools that it speaks of: what changes on the way out is
/// changed back on the way in. A clone is cheap.
///
/// A provider may refuse a tool's name or a property's, and its strict mode
/// has the model write `null` for what it leaves out. [`Dialect`] alone sends
/// such tools, but only a translator knows what the model's answer means.
/// For tools whose [notes](Definitions::notes) name no such change the two
/// are the same.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use tool_core::{Catalogue, Definition, Dialect, Executor, Tool};
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let definition = Definition::new(
///     "calendar.find/free time",
///     "Find free time in the calendar.",
///     json!({ "type": "object", "properties": {}, "required": [] }),
/// );
/// let tool = Tool::new(definition, |_, _| async { "monday" }).unwrap();
/// let tools = Catalogue::new([tool]).unwrap();
///
/// let anthropic = Dialect::Anthropic.translator(&tools);
/// let sent = anthropic.definitions().to_request();
/// assert_eq!(sent[0]["name"], "calendar_find_free_time");
///
/// let response = json!({ "role": "assistant", "content": [
///     { "type": "tool_use", "id": "toolu_1", "name": "calendar_find_free_time", "input": {} },
/// ] });
/// let calls = anthropic.calls(&response).unwrap();
/// assert_eq!(calls[0].name, "calendar.find/free time");
///
/// let outcomes = Executor::new(tools).unwrap().run(calls).await;
/// let messages = anthropic.results(&outcomes);
/// assert_eq!(messages[0]["content"][0]["content"], "monday");
/// # });
/// ```
#[derive(Clone)]
pub struct Translator {
    inner: Arc<Inner>,
}

struct Inner {
    dialect: Dialect,
    tools: Catalogue,
    collected: Collected,
}

impl Translator {
    pub(super) fn new(dialect: Dialect, tools: &Catalogue) -> Self {
        Self {
            inner: Arc::new(Inner {
                dialect,
                tools: tools.clone(),
                collected: collect(dialect, tools),
            }),
        }
    }

    /// The dialect.
    pub fn dialect(&self) -> Dialect {
        self.inner.dialect
    }

    /// The definitions of the tools, for a request.
    pub fn definitions(&self) -> &Definitions {
        &self.inner.collected.definitions
    }

    /// The name that the provider is given for a tool.
    pub fn sent_name(&self, tool: &str) -> Option<&str> {
        self.inner.collected.names.sent(tool)
    }

    /// The name of the tool that the provider means by a name.
    pub fn tool_name(&self, sent: &str) -> Option<&str> {
        self.inner.collected.names.original(sent)
    }

    /// As [`Dialect::calls`], in the words of the tools: their own names,
    /// their own keys, and without the `null`s that strict mode forces.
    ///
    /// # Errors
    ///
    /// As [`Dialect::calls`].
    pub fn calls(&self, response: &Value) -> Result<Vec<Call>, DialectError> {
        let calls = self.inner.dialect.calls(response)?;
        Ok(calls.into_iter().map(|call| self.ours(call)).collect())
    }

    /// The calls in a response that is still text.
    ///
    /// # Errors
    ///
    /// As [`Dialect::calls_in`].
    pub fn calls_in(&self, response: &[u8]) -> Result<Vec<Call>, DialectError> {
        let calls = self.inner.dialect.calls_in(response)?;
        Ok(calls.into_iter().map(|call| self.ours(call)).collect())
    }

    /// What puts the calls of a stream together, and tells as soon as the
    /// model begins to call a tool that does not exist.
    pub fn assembler(&self) -> Assembler {
        Assembler::new(self.inner.dialect, Some(self.clone()))
    }

    /// As [`Dialect::results`], under the names that the provider knows.
    pub fn results<'a>(&self, outcomes: impl IntoIterator<Item = &'a Outcome>) -> Vec<Value> {
        let dialect = self.inner.dialect;
        dialect.results_with(outcomes, &|name| match self.sent_name(name) {
            Some(sent) => sent.to_owned(),
            None => dialect.legal_name(name),
        })
    }

    /// As [`Dialect::history`].
    ///
    /// # Errors
    ///
    /// As [`Dialect::history`].
    pub fn history(&self, response: &Value) -> Result<History, DialectError> {
        self.inner.dialect.history(response)
    }

    /// The tool that the provider means by a name.
    pub(super) fn find(&self, sent: &str) -> Option<&Tool> {
        let name = self.tool_name(sent).unwrap_or(sent);
        self.inner.tools.find(name)
    }

    /// The names that are most like one that does not exist.
    pub(super) fn nearest(&self, name: &str) -> Vec<String> {
        let nearest = self.inner.tools.nearest(name);
        nearest.into_iter().map(str::to_owned).collect()
    }

    /// A call in the words of the tool. One that no tool is meant by, or
    /// whose arguments are no JSON, stays as it is: the executor says what is wrong.
    pub(super) fn ours(&self, mut call: Call) -> Call {
        if let Some(name) = self.tool_name(&call.name) {
            name.clone_into(&mut call.name);
        }
        let Some(tool) = self.inner.tools.find(&call.name) else {
            return call;
        };
        let dialect = self.inner.dialect;
        let strict = self.inner.collected.strict.get(tool.name()) == Some(&true);
        let changes = Changes {
            nulls: strict && NameRule::of_keys(dialect).is_none(),
            keys: NameRule::of_keys(dialect),
        };
        if !changes.nulls && changes.keys.is_none() {
            return call;
        }
        let sent = match &call.arguments {
            // No arguments without a null are changed by strict mode alone.
            Arguments::Text(text) if changes.keys.is_none() && !text.contains("null") => {
                return call;
            }
            Arguments::Text(text) => match serde_json::from_str(text) {
                Ok(value) => value,
                Err(_) => return call,
            },
            Arguments::Value(value) => value.clone(),
        };
        let mut value = sent.clone();
        restore(&tool.definition().parameters, &mut value, changes);
        // What needed no change keeps the text that the model wrote.
        if value != sent {
            call.arguments = Arguments::Value(value);
        }
        call
    }
}

impl fmt::Debug for Translator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Translator")
            .field("dialect", &self.inner.dialect)
            .field("tools", &self.inner.tools)
            .finish_non_exhaustive()
    }
}
