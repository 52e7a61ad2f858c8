//! How the arguments of one tool are checked, made once a tool.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::check::{Check, Members};
use super::{Slot, parse};

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
        })
    }

    pub(crate) fn origin(&self) -> Origin {
        self.origin
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
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let slots = Reader { members }.deserialize(&mut deserializer).ok()?;
        deserializer.end().ok()?;
        Some(slots)
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

/// The arguments of one call: on the stack for most tools.
#[expect(clippy::large_enum_variant, reason = "the large one is the one that is used")]
pub(crate) enum Slots<'a> {
    Few([Slot<'a>; FEW], usize),
    Many(Vec<Slot<'a>>),
}

/// How many parameters a tool may have before its slots go to the heap.
const FEW: usize = 6;

impl<'a> Slots<'a> {
    fn new(length: usize) -> Self {
        if length <= FEW {
            Self::Few([const { Slot::Absent }; FEW], length)
        } else {
            Self::Many((0..length).map(|_| Slot::Absent).collect())
        }
    }

    pub(crate) fn as_slice(&self) -> &[Slot<'a>] {
        match self {
            Self::Few(slots, length) => slots.get(..*length).unwrap_or(slots),
            Self::Many(slots) => slots,
        }
    }

    fn get_mut(&mut self, index: usize) -> Option<&mut Slot<'a>> {
        match self {
            Self::Few(slots, _) => slots.get_mut(index),
            Self::Many(slots) => slots.get_mut(index),
        }
    }
}

/// Reads an object into slots. Its errors are only ever "look closer".
struct Reader<'m> {
    members: &'m Members,
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Slots<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Slots<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let closer = || A::Error::custom("");
        let properties = &self.members.properties;
        // The set of the keys seen is one word.
        if properties.len() > 64 {
            return Err(closer());
        }
        let mut slots = Slots::new(properties.len());
        let mut seen = 0_u64;
        while let Some(index) = members.next_key_seed(Key(self.members))? {
            let raw = members.next_value::<&RawValue>()?.get();
            let Some(index) = index else {
                return Err(closer());
            };
            let bit = 1_u64 << index;
            let (Some(property), Some(slot)) = (properties.get(index), slots.get_mut(index)) else {
                return Err(closer());
            };
            if seen & bit != 0 {
                return Err(closer());
            }
            seen |= bit;
            if property.null_is_absent && raw == "null" {
                continue;
            }
            *slot = match property.check.accepts_raw(raw) {
                Some(true) => Slot::Raw(raw),
                Some(false) => return Err(closer()),
                None => {
                    let value = parse::value(raw, raw.len()).map_err(|_| closer())?;
                    if !property.check.accepts(&value) {
                        return Err(closer());
                    }
                    Slot::Parsed(value)
                }
            };
        }
        for (index, property) in properties.iter().enumerate() {
            if property.required && seen & (1_u64 << index) == 0 {
                return Err(closer());
            }
        }
        Ok(slots)
    }
}

/// A key, as the index of its property.
struct Key<'m>(&'m Members);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Option<usize>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.position(key))
    }
}
