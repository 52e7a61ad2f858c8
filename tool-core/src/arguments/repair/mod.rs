//! Mending what models get wrong, where there is one way to read it.
//!
//! It begins only after strict decoding has failed. It never completes a text
//! that was cut off, never turns `true` into a number or a fraction into an
//! integer, never brings a value into range, never touches a string where a
//! string is taken or a value that is right in its place, and of two readings
//! takes none. What it did is told, with before and after.

mod text;
mod value;

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use super::Plan;
use super::parse::Fault;
use crate::definition::Definition;
use crate::redact::REDACTED;
use crate::schema::describe;

/// Whether arguments that the schema does not accept are mended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RepairMode {
    /// Never: the call is refused.
    Off,
    /// The call is refused, and the outcome tells what would have mended it.
    Report,
    /// The call runs with the mended arguments, and the outcome tells what was done.
    #[default]
    On,
}

/// One thing that was mended in the arguments of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Repair {
    /// What was wrong.
    pub kind: RepairKind,
    /// Where: `limit`, `address.zip`, `tags[2]`; empty for the whole text.
    pub path: String,
    /// What the model sent, shortened.
    pub before: String,
    /// What it was read as, shortened.
    pub after: String,
}

impl fmt::Display for Repair {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(formatter, "`{}`: ", self.path)?;
        }
        write!(formatter, "{}: {} → {}", self.kind, self.before, self.after)
    }
}

macro_rules! repair_kinds {
    ($($(#[$docs:meta])* $kind:ident = $name:literal,)*) => {
        /// What was wrong with a call's arguments, and could be mended.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum RepairKind {
            $($(#[$docs])* $kind,)*
        }

        impl RepairKind {
            /// The kind in snake case, for logs and JSON.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

repair_kinds! {
    /// Nothing or `null`, for a tool that requires nothing.
    Empty = "empty",
    /// A byte-order mark before the text.
    ByteOrderMark = "byte_order_mark",
    /// A code fence around the text.
    CodeFence = "code_fence",
    /// Prose around one object.
    Prose = "prose",
    /// JSON text inside a JSON string.
    DoubleEncoding = "double_encoding",
    /// A comma after the last item.
    TrailingComma = "trailing_comma",
    /// No comma between two items.
    MissingComma = "missing_comma",
    /// Strings in single quotes.
    SingleQuotes = "single_quotes",
    /// Keys without quotes.
    UnquotedKey = "unquoted_key",
    /// `True`, `False` and `None`.
    PythonLiteral = "python_literal",
    /// Comments.
    Comment = "comment",
    /// Line breaks and the like inside a string.
    ControlCharacter = "control_character",
    /// An escape that JSON does not have.
    Escape = "escape",
    /// An object inside another, under its own name, `arguments` or `parameters`.
    Wrapped = "wrapped",
    /// A property's name in another case or with other separators.
    PropertyName = "property_name",
    /// `null` for a property that may be absent and cannot be null.
    NullForOptional = "null_for_optional",
    /// A number as a string.
    NumberAsText = "number_as_text",
    /// A boolean as a string.
    BooleanAsText = "boolean_as_text",
    /// `null` as a string.
    NullAsText = "null_as_text",
    /// A list or an object as a string, in JSON or as Python writes it.
    StructureAsText = "structure_as_text",
    /// One value where a list of such values is taken.
    ValueForList = "value_for_list",
    /// A value of an enum in another case, with other separators, or begun.
    EnumSpelling = "enum_spelling",
}

impl fmt::Display for RepairKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Serialize for RepairKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Repair {
    fn of_value(kind: RepairKind, path: &str, before: &Value, after: &Value) -> Self {
        let is_secret = before.is_string()
            && kind != RepairKind::PropertyName
            && describe::names_a_secret(path);
        if is_secret {
            return Self {
                kind,
                path: path.to_owned(),
                before: REDACTED.to_owned(),
                after: REDACTED.to_owned(),
            };
        }
        Self {
            kind,
            path: path.to_owned(),
            before: describe::shown(&before.to_string()),
            after: describe::shown(&after.to_string()),
        }
    }
}

/// Reads a text that is no JSON object as it stands.
///
/// # Errors
///
/// The fault to tell the model: the text was cut off, or has no one reading.
pub(super) fn read_text(
    text: &str,
    strict: Fault,
    requires_nothing: bool,
) -> Result<(Value, Vec<Repair>), Fault> {
    if matches!(
        strict,
        Fault::TooLong { .. } | Fault::TooDeep | Fault::Duplicate(_)
    ) {
        return Err(strict);
    }
    if requires_nothing && text.trim().is_empty() {
        let value = Value::Object(serde_json::Map::new());
        let repair = Repair::of_value(RepairKind::Empty, "", &Value::from(text), &value);
        return Ok((value, vec![repair]));
    }
    match text::read(text) {
        Ok((value, kinds)) => {
            let after = describe::shown(&value.to_string());
            let repairs = kinds
                .into_iter()
                .map(|kind| Repair {
                    kind,
                    path: String::new(),
                    before: describe::shown(text),
                    after: after.clone(),
                })
                .collect();
            Ok((value, repairs))
        }
        Err(text::Unreadable::CutOff) => Err(Fault::cut_off(text)),
        Err(text::Unreadable::Unclear) => Err(strict),
    }
}

/// Mends a value that the plan refuses; `None` where that cannot be done in one way.
pub(super) fn mend(
    plan: &Plan,
    definition: &Definition,
    value: &Value,
) -> Option<(Value, Vec<Repair>)> {
    let mut mender = value::Mender::new(&definition.parameters, &definition.name);
    let mended = mender.root(value)?;
    plan.accepts(&mended)
        .then(|| (mended, mender.into_repairs()))
}
