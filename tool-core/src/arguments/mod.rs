//! From the arguments that a model sent to what a tool's function takes.
//!
//! The usual call is read once: each argument is cut out of the text, checked
//! and given to its type. Only when that fails, or when the schema says more
//! than the quick checks understand, is the whole text parsed into a value,
//! validated, and every problem reported.

mod check;
mod correct;
mod diagnose;
mod missing;
mod nearest;
mod normalise;
mod parse;
mod plan;
mod problem;
mod read;
mod repair;
mod secrets;
#[cfg(feature = "validator")]
mod validate;

use std::borrow::Cow;

use serde_json::Value;

pub(crate) use missing::Missing;
pub use missing::is_optional;
pub(crate) use nearest::nearest;
pub(crate) use parse::Strict;
pub use plan::SchemaError;
pub(crate) use plan::{Origin, Plan};
pub use problem::Problem;
pub use repair::{Repair, RepairKind, RepairMode};
pub(crate) use secrets::SecretPaths;

use crate::call::Arguments;
use crate::definition::Definition;
use crate::error::{ErrorKind, ToolError};
use crate::invocation::Mismatch;
use parse::Fault;

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

impl<'a> From<&'a Arguments> for Whole<'a> {
    fn from(arguments: &'a Arguments) -> Self {
        match arguments {
            Arguments::Text(text) => Self::Text(text),
            Arguments::Value(value) => Self::Value(value),
        }
    }
}

/// What a call's arguments may be.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// How many bytes of text.
    pub(crate) max_bytes: usize,
    /// Whether they are mended, where the tool itself does not say.
    pub(crate) repair: RepairMode,
    /// Whether that holds also where the tool says something else.
    pub(crate) overrides: bool,
}

/// Arguments that the schema accepts.
pub(crate) struct Accepted<'a> {
    pub(crate) value: Cow<'a, Value>,
    pub(crate) repairs: Vec<Repair>,
}

/// Checks the arguments of a declared tool and gives them to `invoke`.
pub(crate) fn decode<R>(
    plan: &Plan,
    definition: &Definition,
    arguments: Whole<'_>,
    limits: Limits,
    invoke: impl Fn(&[Slot<'_>], Whole<'_>) -> Result<R, Mismatch>,
) -> Result<(R, Vec<Repair>), ToolError> {
    if let Whole::Text(text) = arguments
        && text.len() <= limits.max_bytes
        && let Some(slots) = plan.read(text)
        && let Ok(taken) = invoke(slots.as_slice(), Whole::Text(text))
    {
        return Ok((taken, Vec::new()));
    }
    let Accepted { value, repairs } = accept(plan, definition, arguments, limits)?;
    let slots = plan.slots(&value);
    match invoke(&slots, Whole::Value(&value)) {
        Ok(taken) => Ok((taken, repairs)),
        Err(mismatch) => Err(mismatched(plan, definition, mismatch)),
    }
}

/// What the model is told of arguments that the schema accepts and a type does not.
pub(crate) fn mismatched(plan: &Plan, definition: &Definition, mismatch: Mismatch) -> ToolError {
    match mismatch {
        Mismatch::Argument(index, error) => {
            let name = plan.name(index);
            let hides = plan.secrets().is_some_and(|secrets| secrets.concerns(name));
            let problem = Problem::new(name, not_taken(&error, hides));
            diagnose::invalid(definition, vec![problem])
        }
        Mismatch::Whole(error) => {
            let problem = Problem::new("", not_taken(&error, plan.secrets().is_some()));
            diagnose::invalid(definition, vec![problem])
        }
        Mismatch::State(name) => {
            let name_of_tool = &definition.name;
            let message = format!("tool '{name_of_tool}' is not set up: no state of type `{name}`");
            ToolError::with_kind(ErrorKind::Failed, message)
        }
    }
}

/// The arguments as a value that the schema accepts, or every problem.
pub(crate) fn accept<'a>(
    plan: &Plan,
    definition: &Definition,
    arguments: Whole<'a>,
    limits: Limits,
) -> Result<Accepted<'a>, ToolError> {
    let mode = match definition.repair {
        Some(mode) if !limits.overrides => mode,
        _ => limits.repair,
    };
    let (mut value, mut repairs, fault) = match arguments {
        Whole::Value(value) => (Cow::Borrowed(value), Vec::new(), None),
        Whole::Text(text) => {
            let (value, repairs, fault) = read(plan, text, limits.max_bytes, mode)
                .map_err(|fault| unreadable(plan, definition, fault))?;
            (Cow::Owned(value), repairs, fault)
        }
    };
    normalise(plan, definition, &mut value);
    if plan.accepts(&value) {
        return match fault {
            // Refused only because repairs are reported and not made.
            Some(fault) if mode != RepairMode::On => {
                Err(unreadable(plan, definition, fault).with_repairs(repairs))
            }
            _ => Ok(Accepted { value, repairs }),
        };
    }
    let mended = match mode {
        RepairMode::Off => None,
        RepairMode::Report | RepairMode::On => mend(plan, definition, &value),
    };
    match mended {
        Some((mended, more)) if mode == RepairMode::On => {
            let mut value = Cow::Owned(mended);
            normalise(plan, definition, &mut value);
            repairs.extend(more);
            Ok(Accepted { value, repairs })
        }
        Some((_, more)) => {
            repairs.extend(more);
            Err(diagnose::refused(plan, definition, &value).with_repairs(repairs))
        }
        // What did not lead to arguments that could run mended nothing.
        None => Err(diagnose::refused(plan, definition, &value)),
    }
}

/// Text as a value, mended where it is nearly JSON, with the fault that it has as it stands.
fn read(
    plan: &Plan,
    text: &str,
    max_bytes: usize,
    mode: RepairMode,
) -> Result<(Value, Vec<Repair>, Option<Fault>), Fault> {
    match parse::value(text, max_bytes) {
        Ok(value) => Ok((value, Vec::new(), None)),
        Err(fault) if mode == RepairMode::Off => Err(fault),
        Err(fault) => {
            let (value, mut repairs) =
                repair::read_text(text, fault.clone(), plan.requires_nothing())?;
            if plan.secrets().is_some() {
                // The text as a whole is what they quote.
                repairs.iter_mut().for_each(secrets::hide);
            }
            Ok((value, repairs, Some(fault)))
        }
    }
}

/// A value that the plan takes, and what was done for that, without the secrets.
fn mend(plan: &Plan, definition: &Definition, value: &Value) -> Option<(Value, Vec<Repair>)> {
    let (mended, mut repairs) = repair::mend(plan, definition, value)?;
    if let Some(secrets) = plan.secrets() {
        let hidden = secrets.hidden(value).and(secrets.hidden(&mended));
        for repair in &mut repairs {
            hidden.hide_in(repair);
        }
    }
    Some((mended, repairs))
}

/// What a type says that does not take its argument. It may quote the value.
fn not_taken(error: &serde_json::Error, hides: bool) -> String {
    if hides {
        "not of the form that the tool takes; the value is secret and not shown".to_owned()
    } else {
        error.to_string()
    }
}

fn unreadable(plan: &Plan, definition: &Definition, fault: Fault) -> ToolError {
    let fault = if plan.secrets().is_some() {
        fault.without_text()
    } else {
        fault
    };
    ToolError::with_kind(
        ErrorKind::InvalidArguments,
        format!("Invalid arguments for tool '{}': {fault}", definition.name),
    )
}

fn normalise(plan: &Plan, definition: &Definition, value: &mut Cow<'_, Value>) {
    if plan.origin() == Origin::Declared && normalise::may_change(value) {
        normalise::normalise(&definition.parameters, value.to_mut());
    }
}
