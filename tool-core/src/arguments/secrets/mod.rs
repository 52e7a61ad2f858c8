//! Where the arguments of a tool hold secrets: at the places whose schema is
//! `writeOnly`, as that of a [`Secret`](crate::Secret) is.

mod graph;
mod hidden;

use serde_json::Value;

use crate::redact::REDACTED;
use graph::Graph;
pub(crate) use hidden::{Hidden, hide};

/// The places of a schema that hold secrets, made once a tool.
pub(crate) struct SecretPaths {
    graph: Graph,
}

/// How arguments are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// They may be right: what the schema has a place for is what it is there.
    Sent,
    /// They are wrong: whatever stands where a secret could, or beside one
    /// under a name that nobody knows, may be it.
    Refused,
}

impl SecretPaths {
    /// The secret places of a schema, or `None` where it has none.
    ///
    /// Local references are followed, also those that lead back; others are
    /// not, and what is behind them holds no secrets.
    pub(crate) fn new(schema: &Value) -> Option<Self> {
        Graph::new(schema).map(|graph| Self { graph })
    }

    /// The texts and numbers at the secret places, numbers as JSON writes
    /// them: what to take out of everything that one call gives back.
    #[allow(
        dead_code,
        reason = "for the executor, which redacts the results of a call"
    )]
    pub(crate) fn collect(&self, arguments: &Value) -> Vec<String> {
        let mut texts = Vec::new();
        for place in self.graph.places(arguments, Reading::Sent) {
            if let Some(value) = arguments.pointer(&place.pointer()) {
                leaves(value, &mut texts);
            }
        }
        texts
    }

    /// Puts `"[redacted]"` at the secret places. `null` stays, and so does
    /// what is not there.
    ///
    /// A value under a name that the schema does not have, and that is like
    /// the name of a secret, is taken for one.
    pub(crate) fn hide(&self, arguments: &mut Value) {
        for place in self.graph.places(arguments, Reading::Sent) {
            if let Some(value) = arguments.pointer_mut(&place.pointer()) {
                *value = Value::from(REDACTED);
            }
        }
    }

    /// The places that no message about refused arguments may quote.
    pub(crate) fn hidden(&self, arguments: &Value) -> Hidden {
        Hidden::new(&self.graph.places(arguments, Reading::Refused))
    }

    /// The texts at those places.
    pub(crate) fn doubtful(&self, arguments: &Value) -> Vec<String> {
        let mut texts = Vec::new();
        for place in self.graph.places(arguments, Reading::Refused) {
            if let Some(value) = arguments.pointer(&place.pointer()) {
                leaves(value, &mut texts);
            }
        }
        texts
    }

    /// Whether a property of the root is or holds a secret.
    pub(crate) fn concerns(&self, property: &str) -> bool {
        self.graph.concerns(property)
    }
}

fn leaves(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Number(number) => texts.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| leaves(item, texts)),
        Value::Object(members) => members.values().for_each(|member| leaves(member, texts)),
        Value::Null | Value::Bool(_) => {}
    }
}

#[cfg(test)]
mod tests;
