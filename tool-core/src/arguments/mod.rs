//! From the arguments that a model sent to what a tool's function takes.
//!
//! The usual call is read once: each argument is cut out of the text, checked
//! and given to its type. Only when that fails, or when the schema says more
//! than the quick checks understand, is the whole text parsed into a value,
//! validated, and every problem reported.

mod check;
mod diagnose;
mod missing;
mod normalise;
mod parse;
mod plan;
mod problem;
mod read;
#[cfg(feature = "validator")]
mod validate;

use std::borrow::Cow;

use serde_json::Value;

pub(crate) use diagnose::nearest;
pub(crate) use missing::Missing;
pub use missing::is_optional;
pub use plan::SchemaError;
pub(crate) use plan::{Origin, Plan};
pub use problem::Problem;

use crate::call::Arguments;
use crate::definition::Definition;
use crate::error::{ErrorKind, ToolError};
use crate::invocation::Mismatch;

/// How many bytes of argument text a call may have where nothing else is set: 4 MiB.
pub(crate) const MAX_BYTES: usize = 4 * 1024 * 1024;

/// One argument on its way to its type.
pub(crate) enum Slot<'a> {
    /// Not sent, or `null` for an optional one.
    Absent,
    /// A piece of the text, checked.
    Raw(&'a str),
    /// A parsed piece of the text, checked. Boxed, to keep the others small.
    Parsed(Box<Value>),
    /// A piece of a value, checked.
    Borrowed(&'a Value),
}

/// All arguments, as text or as a value.
#[derive(Clone, Copy)]
pub(crate) enum Whole<'a> {
    Text(&'a str),
    Value(&'a Value),
}

/// Checks the arguments of a declared tool and gives them to `invoke`.
pub(crate) fn decode<R>(
    plan: &Plan,
    definition: &Definition,
    arguments: &Arguments,
    max_bytes: usize,
    invoke: impl Fn(&[Slot<'_>], Whole<'_>) -> Result<R, Mismatch>,
) -> Result<R, ToolError> {
    if let Arguments::Text(text) = arguments
        && text.len() <= max_bytes
        && let Some(slots) = plan.read(text)
        && let Ok(taken) = invoke(slots.as_slice(), Whole::Text(text))
    {
        return Ok(taken);
    }
    let value = accept(plan, definition, arguments, max_bytes)?;
    let slots = plan.slots(&value);
    invoke(&slots, Whole::Value(&value)).map_err(|mismatch| match mismatch {
        Mismatch::Argument(index, error) => {
            let problem = Problem::new(plan.name(index), error.to_string());
            diagnose::invalid(definition, vec![problem])
        }
        Mismatch::Whole(error) => {
            diagnose::invalid(definition, vec![Problem::new("", error.to_string())])
        }
        Mismatch::State(name) => ToolError::with_kind(
            ErrorKind::Failed,
            format!(
                "tool '{}' is not set up: no state of type `{name}`",
                definition.name
            ),
        ),
    })
}

/// The arguments as a value that the schema accepts, or every problem.
pub(crate) fn accept<'a>(
    plan: &Plan,
    definition: &Definition,
    arguments: &'a Arguments,
    max_bytes: usize,
) -> Result<Cow<'a, Value>, ToolError> {
    let mut value = match arguments {
        Arguments::Text(text) => {
            let value = parse::value(text, max_bytes).map_err(|fault| {
                ToolError::with_kind(
                    ErrorKind::InvalidArguments,
                    format!("Invalid arguments for tool '{}': {fault}", definition.name),
                )
            })?;
            Cow::Owned(value)
        }
        Arguments::Value(value) => Cow::Borrowed(value),
    };
    if plan.origin() == Origin::Declared && normalise::may_change(&value) {
        normalise::normalise(&definition.parameters, value.to_mut());
    }
    if plan.accepts(&value) {
        return Ok(value);
    }
    let problems = diagnose::problems(plan, &definition.parameters, &value);
    Err(diagnose::invalid(definition, problems))
}
