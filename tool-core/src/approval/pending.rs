//! What a host keeps while a person decides.

use std::fmt;

use serde::de::DeserializeSeed as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::arguments::Strict;

/// A call that waits for the decision of a person: what a host stores
/// meanwhile, and gives back to the executor with the decision.
///
/// It serialises to JSON such as
///
/// ```json
/// {
///   "call_id": "call_1",
///   "tool": "bank-send_money",
///   "arguments": { "to": "Ada", "amount": 20, "token": "[redacted]" },
///   "reason": "approval",
///   "created": 1767225600,
///   "expires": 1767312000,
///   "id": "LmVQ…",
///   "seal": "b0Zk…"
/// }
/// ```
///
/// All but the seal is for reading: to show it, to list it, to find it again.
/// The seal binds all of it and holds the exact arguments, encrypted, under the
/// executor's [`ApprovalKey`](crate::ApprovalKey). A record may be stored as
/// text or in a JSON column, with its keys in another order; one whose meaning
/// was changed is refused. JavaScript changes integers beyond 2⁵³: where it
/// must pass them on, keep the record as text.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Pending {
    /// The provider's id of the call.
    pub call_id: String,
    /// The name of the tool.
    pub tool: String,
    /// The arguments, with secret values shown as `[redacted]`.
    #[serde(deserialize_with = "without_repeated_keys")]
    pub arguments: Value,
    /// What the call waits for.
    pub reason: PendingReason,
    /// When the call was put off, in seconds since 1970.
    pub created: u64,
    /// From when on the record is worth nothing, in seconds since 1970.
    pub expires: u64,
    /// A random id, 128 bits in base64url. A record can be used once.
    pub id: String,
    /// What binds the record and holds the exact arguments, encrypted, in base64url.
    pub seal: String,
}

/// The arguments may hold what is not for a log, so they are left out.
impl fmt::Debug for Pending {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Pending")
            .field("call_id", &self.call_id)
            .field("tool", &self.tool)
            .field("reason", &self.reason)
            .field("created", &self.created)
            .field("expires", &self.expires)
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// What a [`Pending`] call waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PendingReason {
    /// Whether the tool may run.
    Approval,
    /// What a person answers: the tool is an interrupt.
    Interrupt,
}

impl PendingReason {
    /// The reason in snake case: `"approval"`, `"interrupt"`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Approval => "approval",
            Self::Interrupt => "interrupt",
        }
    }
}

/// Of two values for one key, one reader shows the first and another the last.
fn without_repeated_keys<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    Strict.deserialize(deserializer)
}

/// Why a pending call cannot go on. The messages are for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResumeError {
    /// The record was not sealed under this executor's key, or was changed since.
    Forged,
    /// The record is older than it may be.
    Expired,
    /// The record was made in the future: one of the clocks is wrong.
    FromTheFuture,
    /// The record has been used already, or that cannot be ruled out.
    Replayed,
    /// The tool with this name is not in the catalogue any more.
    UnknownTool(String),
    /// The definition of the tool with this name is not the one that a person
    /// was asked about.
    DefinitionChanged(String),
    /// The decision that was given is none: [`Decision::Later`](crate::Decision::Later).
    Undecided,
    /// The edited arguments of the decision cannot run: why not.
    Edited(String),
}

impl fmt::Display for ResumeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forged => formatter.write_str(
                "the pending record was changed, or sealed under another key; give executors \
                 that resume each other's records, or outlive a restart, the same `ApprovalKey`",
            ),
            Self::Expired => formatter.write_str("the pending record has expired"),
            Self::FromTheFuture => {
                formatter.write_str("the pending record was made in the future; compare the clocks")
            }
            Self::Replayed => formatter.write_str("the pending record has been used already"),
            Self::UnknownTool(name) => write!(
                formatter,
                "the tool '{name}' of the pending record is not in the catalogue"
            ),
            Self::DefinitionChanged(name) => write!(
                formatter,
                "the definition of tool '{name}' has changed since a person was asked; \
                 the model has to call it again"
            ),
            Self::Edited(reason) => write!(formatter, "the edited arguments cannot run: {reason}"),
            Self::Undecided => formatter.write_str("a pending call needs a decision to go on"),
        }
    }
}

impl std::error::Error for ResumeError {}
