//! The model's turn, in a form that the provider takes back.

use serde_json::{Map, Value, json};

use super::names::NameRule;
use super::{Dialect, DialectError, anthropic, bedrock, gemini, openai, read, responses};
use crate::call::Arguments;

/// The model's turn, for the history of the next request.
///
/// Providers refuse a request whose history holds a name or arguments that
/// are against their own rules, also where their own model wrote them.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct History {
    /// The message; for Responses the items. The results follow it.
    pub messages: Vec<Value>,
    /// What the model wrote in the place of what the messages now hold.
    pub set_aside: Vec<SetAside>,
}

/// A call that the provider would not take back as the model wrote it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SetAside {
    /// The id of the call.
    pub call_id: String,
    /// The name, as the model wrote it.
    pub name: String,
    /// The arguments, as the model wrote them.
    pub arguments: Arguments,
}

pub(super) fn history(dialect: Dialect, response: &Value) -> Result<History, DialectError> {
    let mut writer = Writer {
        dialect,
        calls: 0,
        set_aside: Vec::new(),
    };
    let messages = match dialect {
        Dialect::OpenAi | Dialect::OpenAiStrict => writer.openai(response)?,
        Dialect::Responses => writer.responses(response)?,
        Dialect::Anthropic => writer.message(
            anthropic::blocks(response)?,
            response,
            "content",
            "assistant",
        ),
        Dialect::Gemini => {
            let content = response
                .pointer("/candidates/0/content")
                .unwrap_or(response);
            writer.message(gemini::parts(response)?, content, "parts", "model")
        }
        Dialect::Bedrock => writer.message(
            bedrock::blocks(response)?,
            bedrock::message(response),
            "content",
            "assistant",
        ),
        Dialect::Mcp => Vec::new(),
    };
    Ok(History {
        messages,
        set_aside: writer.set_aside,
    })
}

struct Writer {
    dialect: Dialect,
    calls: usize,
    set_aside: Vec<SetAside>,
}

/// Where a call's parts stand in one provider's form.
struct Keys {
    id: &'static str,
    arguments: &'static str,
    /// Whether the arguments are JSON text.
    is_text: bool,
}

impl Writer {
    fn openai(&mut self, response: &Value) -> Result<Vec<Value>, DialectError> {
        // Whatever is no response and no message says so here.
        openai::calls(response)?;
        let message = match response {
            Value::Array(calls) => {
                json!({ "role": "assistant", "content": null, "tool_calls": calls })
            }
            _ if response.get("function").is_some() => {
                json!({ "role": "assistant", "content": null, "tool_calls": [response] })
            }
            _ => match openai::message(response)? {
                Some(message) => message.clone(),
                None => return Ok(Vec::new()),
            },
        };
        let Value::Object(mut message) = message else {
            return Ok(Vec::new());
        };
        message.entry("role").or_insert_with(|| "assistant".into());
        match message.get_mut("tool_calls") {
            Some(Value::Array(calls)) if calls.is_empty() => {
                message.shift_remove("tool_calls");
            }
            Some(Value::Array(calls)) => {
                for call in calls {
                    self.openai_call(call);
                }
            }
            Some(Value::Null) => {
                message.shift_remove("tool_calls");
            }
            _ => {}
        }
        Ok(vec![message.into()])
    }

    fn openai_call(&mut self, call: &mut Value) {
        let Value::Object(object) = call else {
            *call = json!({ "function": {} });
            return self.openai_call(call);
        };
        if !object.get("function").is_some_and(Value::is_object) {
            let name = object.shift_remove("name").unwrap_or_default();
            let arguments = object.shift_remove("arguments").unwrap_or_default();
            object.insert(
                "function".to_owned(),
                json!({ "name": name, "arguments": arguments }),
            );
        }
        let id = read::call_id(object.get("id"), self.calls);
        object.insert("id".to_owned(), id.clone().into());
        object.insert("type".to_owned(), "function".into());
        if let Some(Value::Object(function)) = object.get_mut("function") {
            let keys = Keys {
                id: "",
                arguments: "arguments",
                is_text: true,
            };
            self.call(function, &keys, Some(id));
        }
    }

    fn responses(&mut self, response: &Value) -> Result<Vec<Value>, DialectError> {
        let mut items = responses::items(response)?.to_vec();
        for item in items.iter_mut().filter(|item| responses::is_call(item)) {
            if let Value::Object(item) = item {
                let keys = Keys {
                    id: "call_id",
                    arguments: "arguments",
                    is_text: true,
                };
                self.call(item, &keys, None);
            }
        }
        Ok(items)
    }

    /// One message of blocks, for the providers that have such.
    fn message(&mut self, blocks: &[Value], message: &Value, key: &str, role: &str) -> Vec<Value> {
        let blocks: Vec<Value> = blocks
            .iter()
            .cloned()
            .map(|mut block| {
                self.block(&mut block);
                block
            })
            .collect();
        let role = match message.get("role").and_then(Value::as_str) {
            Some(given) => given,
            None => role,
        };
        // A plain text is a message without blocks.
        if blocks.is_empty() {
            return match message.get(key) {
                Some(Value::String(text)) if !text.is_empty() => {
                    vec![json!({ "role": role, key: text })]
                }
                _ => Vec::new(),
            };
        }
        vec![json!({ "role": role, key: blocks })]
    }

    fn block(&mut self, block: &mut Value) {
        match self.dialect {
            Dialect::Anthropic if anthropic::is_call(block) => {
                if let Value::Object(block) = block {
                    let keys = Keys {
                        id: "id",
                        arguments: "input",
                        is_text: false,
                    };
                    self.call(block, &keys, None);
                }
            }
            Dialect::Bedrock => {
                if let Some(Value::Object(call)) = block.get_mut("toolUse") {
                    let keys = Keys {
                        id: "toolUseId",
                        arguments: "input",
                        is_text: false,
                    };
                    self.call(call, &keys, None);
                }
            }
            Dialect::Gemini => {
                for key in ["functionCall", "function_call"] {
                    if let Some(Value::Object(call)) = block.get_mut(key) {
                        // The service pairs by name and order where it gave no id.
                        let id = call.get("id").and_then(Value::as_str).map(str::to_owned);
                        let id = id.unwrap_or_else(|| gemini::own_id(self.calls));
                        let keys = Keys {
                            id: "",
                            arguments: "args",
                            is_text: false,
                        };
                        self.call(call, &keys, Some(id));
                    }
                }
            }
            _ => {}
        }
    }

    /// Puts the parts of one call right, and keeps what the model wrote.
    fn call(&mut self, call: &mut Map<String, Value>, keys: &Keys, id: Option<String>) {
        let id = match id {
            Some(id) => id,
            None => {
                let id = read::call_id(call.get(keys.id), self.calls);
                call.insert(keys.id.to_owned(), id.clone().into());
                id
            }
        };
        self.calls += 1;
        let name = match call.get("name") {
            Some(Value::String(name)) => name.clone(),
            _ => String::new(),
        };
        let legal = match NameRule::of_tools(self.dialect).legal(&name) {
            // Whatever the tool was meant to be, it has to have a name.
            _ if name.is_empty() => "unknown".to_owned(),
            legal => legal,
        };
        let given = call.get(keys.arguments).cloned();
        let object = match &given {
            None | Some(Value::Null) => Some(json!({})),
            Some(Value::String(text)) if text.trim().is_empty() => Some(json!({})),
            Some(Value::String(text)) => serde_json::from_str::<Value>(text)
                .ok()
                .filter(Value::is_object),
            Some(value) => Some(value.clone()).filter(Value::is_object),
        };
        if legal != name || object.is_none() {
            self.set_aside.push(SetAside {
                call_id: id,
                name,
                arguments: read::arguments(given.as_ref()),
            });
        }
        call.insert("name".to_owned(), legal.into());
        let arguments = match (object, given) {
            // The text that the model wrote, to the byte: caches go by it.
            (Some(_), Some(Value::String(text))) if keys.is_text && !text.trim().is_empty() => {
                text.into()
            }
            (Some(object), _) if keys.is_text => object.to_string().into(),
            (None, _) if keys.is_text => "{}".into(),
            (Some(object), _) => object,
            (None, _) => json!({}),
        };
        call.insert(keys.arguments.to_owned(), arguments);
    }
}
