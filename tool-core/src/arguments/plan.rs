//! How the arguments of one tool are checked, made once a tool.

use std::fmt;

use serde_json::Value;

use super::check::{Check, Members};
use super::read::{self, Slots};
use super::{SecretPaths, Slot};

/// Who made the schema, which decides what `null` and `format` mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// `#[tool]`, from types: a format is checked, and `null` for a property
    /// that may be absent counts as absent.
    Declared,
    /// Somebody else: the schema means exactly what JSON Schema says.
    Imported,
}

/// Why a schema cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaError {
    /// It is no JSON Schema, or it refers to something that is not there.
    Invalid(String),
    /// It says more than types, bounds and enums, and the `validator` feature is off.
    NeedsValidator,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(reason) => write!(formatter, "not a usable JSON Schema: {reason}"),
            Self::NeedsValidator => formatter.write_str(
                "the schema needs the general validator; switch on the `validator` feature of `tool-core`",
            ),
        }
    }
}

impl std::error::Error for SchemaError {}

/// How the arguments of one tool are checked.
pub(crate) struct Plan {
    origin: Origin,
    judge: Judge,
    /// The names of the properties, in the order of the declaration.
    names: Vec<String>,
    secrets: Option<SecretPaths>,
}

enum Judge {
    Quick(Box<Members>),
    #[cfg(feature = "validator")]
    General(Box<super::validate::Validator>),
}

impl Plan {
    pub(crate) fn new(parameters: &Value, origin: Origin) -> Result<Self, SchemaError> {
        let names = parameters
            .get("properties")
            .and_then(Value::as_object)
            .map(|properties| properties.keys().cloned().collect())
            .unwrap_or_default();
        let judge = match Check::compile(parameters, origin) {
            Some(Check::Object(members)) => Judge::Quick(members),
            // A root without a type takes objects; the arguments always are one.
            _ => general(parameters, origin)?,
        };
        Ok(Self {
            origin,
            judge,
            names,
            secrets: SecretPaths::new(parameters),
        })
    }

    pub(crate) fn origin(&self) -> Origin {
        self.origin
    }

    /// Where the arguments hold secrets, if they do.
    pub(crate) fn secrets(&self) -> Option<&SecretPaths> {
        self.secrets.as_ref()
    }

    /// Whether an empty object is complete.
    pub(crate) fn requires_nothing(&self) -> bool {
        self.accepts(&Value::Object(serde_json::Map::new()))
    }

    pub(crate) fn name(&self, index: usize) -> &str {
        self.names.get(index).map_or("", String::as_str)
    }

    pub(crate) fn accepts(&self, value: &Value) -> bool {
        let Value::Object(object) = value else {
            return false;
        };
        match &self.judge {
            Judge::Quick(members) => members.accept(object),
            #[cfg(feature = "validator")]
            Judge::General(validator) => validator.accepts(value),
        }
    }

    #[cfg(feature = "validator")]
    pub(crate) fn validator(&self) -> Option<&super::validate::Validator> {
        match &self.judge {
            Judge::Quick(_) => None,
            Judge::General(validator) => Some(validator),
        }
    }

    /// The quick way: cuts each argument out of the text and checks it.
    /// `None` means "look closer", not "refused".
    pub(crate) fn read<'a>(&self, text: &'a str) -> Option<Slots<'a>> {
        #[cfg_attr(not(feature = "validator"), expect(irrefutable_let_patterns))]
        let Judge::Quick(members) = &self.judge else {
            return None;
        };
        read::slots(text, members)
    }

    /// The arguments of a value that has been accepted, one a property.
    pub(crate) fn slots<'a>(&self, value: &'a Value) -> Vec<Slot<'a>> {
        self.names
            .iter()
            .map(|name| value.get(name).map_or(Slot::Absent, Slot::Borrowed))
            .collect()
    }
}

#[cfg(feature = "validator")]
fn general(parameters: &Value, origin: Origin) -> Result<Judge, SchemaError> {
    let validator = super::validate::Validator::new(parameters, origin)?;
    Ok(Judge::General(Box::new(validator)))
}

#[cfg(not(feature = "validator"))]
fn general(_parameters: &Value, _origin: Origin) -> Result<Judge, SchemaError> {
    Err(SchemaError::NeedsValidator)
}
