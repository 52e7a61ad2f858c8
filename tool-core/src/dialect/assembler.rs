//! The calls of a stream, put together from its chunks.

use std::fmt;

use serde_json::{Value, json};

use super::{
    Dialect, DialectError, Translator, anthropic, bedrock, gemini_stream, openai, read, responses,
};
use crate::call::{Arguments, Call};

/// Puts the calls of a stream together.
///
/// It is fed with the chunks or events of one response, as JSON, and gives
/// the same calls as the whole response would.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use tool_core::Dialect;
///
/// let mut assembler = Dialect::OpenAi.assembler();
/// for delta in [
///     json!({ "tool_calls": [{ "index": 0, "id": "call_1", "type": "function",
///                              "function": { "name": "add", "arguments": "" } }] }),
///     json!({ "tool_calls": [{ "index": 0, "function": { "arguments": "{\"a\":1," } }] }),
///     json!({ "tool_calls": [{ "index": 0, "function": { "arguments": "\"b\":2}" } }] }),
/// ] {
///     assembler.push(&json!({ "choices": [{ "index": 0, "delta": delta }] })).unwrap();
/// }
/// let calls = assembler.finish();
/// assert_eq!(calls[0].name, "add");
/// assert_eq!(calls[0].arguments.to_text(), r#"{"a":1,"b":2}"#);
/// ```
pub struct Assembler {
    dialect: Dialect,
    translator: Option<Translator>,
    parts: Parts,
}

impl Assembler {
    pub(super) fn new(dialect: Dialect, translator: Option<Translator>) -> Self {
        Self {
            dialect,
            translator,
            parts: Parts::default(),
        }
    }

    /// Takes the next chunk or event. Those that say nothing of calls are passed over.
    ///
    /// # Errors
    ///
    /// When the provider reports an error, and, for an assembler of a
    /// [`Translator`], once for each call of a tool that does not exist, as
    /// soon as its name is complete. The stream may be given up then, or read
    /// on: nothing is lost, and the executor answers such a call.
    pub fn push(&mut self, chunk: &Value) -> Result<(), DialectError> {
        let parts = &mut self.parts;
        match self.dialect {
            Dialect::OpenAi | Dialect::OpenAiStrict => openai::chunk(chunk, parts)?,
            Dialect::Responses => responses::chunk(chunk, parts)?,
            Dialect::Anthropic => anthropic::chunk(chunk, parts)?,
            Dialect::Gemini => gemini_stream::chunk(chunk, parts)?,
            Dialect::Bedrock => bedrock::chunk(chunk, parts)?,
            // A request does not come in parts.
            Dialect::Mcp => parts.whole.extend(self.dialect.calls(chunk)?),
        }
        self.check_names()
    }

    /// Takes a line of a `text/event-stream`: the data of a `data:` line is
    /// the next chunk, and every other line is passed over.
    ///
    /// # Errors
    ///
    /// When the data is not JSON, and as [`push`](Self::push).
    pub fn push_line(&mut self, line: &str) -> Result<(), DialectError> {
        let Some(data) = line.trim_end().strip_prefix("data:") else {
            return Ok(());
        };
        let data = data.trim_start();
        // OpenAI's mark of the end.
        if data.is_empty() || data == "[DONE]" {
            return Ok(());
        }
        let chunk: Value =
            serde_json::from_str(data).map_err(|error| DialectError::NotJson(error.to_string()))?;
        self.push(&chunk)
    }

    /// The calls, in the order of the response. One that the stream broke off
    /// has the incomplete text as its arguments, which the executor refuses.
    pub fn finish(self) -> Vec<Call> {
        let calls = self.parts.into_calls(self.dialect);
        match &self.translator {
            Some(translator) => calls
                .into_iter()
                .map(|call| translator.ours(call))
                .collect(),
            None => calls,
        }
    }

    fn check_names(&mut self) -> Result<(), DialectError> {
        let Some(translator) = &self.translator else {
            return Ok(());
        };
        for part in &mut self.parts.list {
            if part.is_named && !part.is_checked {
                part.is_checked = true;
                if translator.find(&part.name).is_none() {
                    return Err(DialectError::UnknownTool {
                        nearest: translator.nearest(&part.name),
                        name: part.name.clone(),
                    });
                }
            }
        }
        Ok(())
    }
}

/// Arguments may hold secrets, so that only the number of calls is shown.
impl fmt::Debug for Assembler {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Assembler")
            .field("dialect", &self.dialect)
            .field("calls", &self.parts.list.len())
            .finish_non_exhaustive()
    }
}

/// The calls so far.
#[derive(Default)]
pub(super) struct Parts {
    list: Vec<Part>,
    /// Calls that came whole.
    pub(super) whole: Vec<Call>,
    /// Whether the provider says that it cut the last call off.
    pub(super) is_cut: bool,
}

/// One call so far.
#[derive(Default)]
pub(super) struct Part {
    /// Its place in the response.
    place: u64,
    pub(super) id: Option<String>,
    pub(super) name: String,
    /// Whether the name is complete.
    pub(super) is_named: bool,
    is_checked: bool,
    pub(super) text: String,
    /// Arguments that came as a value.
    pub(super) value: Option<Value>,
    /// Whether the arguments are complete.
    pub(super) is_closed: bool,
}

impl Part {
    pub(super) fn new(place: u64) -> Self {
        Self {
            place,
            ..Self::default()
        }
    }
}

impl Parts {
    pub(super) fn begin(&mut self, part: Part) {
        self.list.push(part);
    }

    pub(super) fn last(&mut self) -> Option<&mut Part> {
        self.list.last_mut()
    }

    /// Whether the newest call is still to be gone on with.
    pub(super) fn is_last_open(&self) -> bool {
        self.list.last().is_some_and(|part| !part.is_closed)
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The newest call at a place.
    pub(super) fn at(&mut self, place: u64) -> Option<&mut Part> {
        self.list.iter_mut().rev().find(|part| part.place == place)
    }

    pub(super) fn close_all(&mut self) {
        for part in &mut self.list {
            part.is_named = true;
            part.is_closed = true;
        }
    }

    fn into_calls(mut self, dialect: Dialect) -> Vec<Call> {
        self.list.sort_by_key(|part| part.place);
        let is_text = matches!(
            dialect,
            Dialect::OpenAi | Dialect::OpenAiStrict | Dialect::Responses
        );
        let last = self.list.len().saturating_sub(1);
        let is_cut = self.is_cut;
        let mut calls = self.whole;
        calls.extend(self.list.into_iter().enumerate().map(|(index, part)| {
            let id = part.id.map(Value::String);
            Call {
                id: read::call_id(id.as_ref(), index),
                name: part.name,
                arguments: arguments(
                    part.text,
                    part.value,
                    part.is_closed && !(is_cut && index == last),
                    is_text,
                ),
            }
        }));
        calls
    }
}

fn arguments(text: String, value: Option<Value>, is_closed: bool, is_text: bool) -> Arguments {
    match value {
        Some(value) if text.is_empty() && is_closed => return Arguments::Value(value),
        _ => {}
    }
    if text.is_empty() {
        return match (is_closed, is_text) {
            // Not one word of them came: that is not "none".
            (false, _) => Arguments::Text("{".to_owned()),
            (true, true) => Arguments::Text(text),
            (true, false) => Arguments::Value(json!({})),
        };
    }
    if is_text {
        return Arguments::Text(text);
    }
    match serde_json::from_str(&text) {
        Ok(value) => Arguments::Value(value),
        Err(_) => Arguments::Text(text),
    }
}
