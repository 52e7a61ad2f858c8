//! A JSON value out of any deserialiser, with a bound on how much of it there is: a few bytes of YAML can stand for a
//! billion values.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// How many values a document may stand for.
const VALUES: usize = 200_000;

/// How many bytes of text all its strings may have together.
const BYTES: usize = 16 * 1024 * 1024;

/// How deep they may be nested.
const LEVELS: usize = 128;

/// What is said of a document that stands for more.
pub(super) const TOO_MUCH: &str = "it stands for too many values, or nests them too deep";

/// Counts the values of one document.
#[derive(Debug)]
pub(super) struct Budget {
    values: Cell<usize>,
    bytes: Cell<usize>,
}

impl Budget {
    pub(super) fn new() -> Self {
        Self {
            values: Cell::new(VALUES),
            bytes: Cell::new(BYTES),
        }
    }

    /// Whether the bound was reached.
    pub(super) fn is_spent(&self) -> bool {
        self.values.get() == 0 || self.bytes.get() == 0
    }

    /// A seed for one value.
    pub(super) fn tree(&self) -> Tree<'_> {
        Tree {
            budget: self,
            level: 0,
        }
    }

    fn spend<E: Error>(&self, bytes: usize, level: usize) -> Result<(), E> {
        self.values.set(self.values.get().saturating_sub(1));
        self.bytes.set(self.bytes.get().saturating_sub(bytes));
        if level > LEVELS {
            self.values.set(0);
        }
        if self.is_spent() {
            Err(E::custom(TOO_MUCH))
        } else {
            Ok(())
        }
    }
}

/// One value, at a depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tree<'a> {
    budget: &'a Budget,
    level: usize,
}

impl Tree<'_> {
    fn inner(self) -> Self {
        Self {
            level: self.level + 1,
            ..self
        }
    }

    fn leaf<E: Error>(self, value: Value, bytes: usize) -> Result<Value, E> {
        self.budget.spend(bytes, self.level)?;
        Ok(value)
    }
}

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        self.leaf(Value::Bool(value), 0)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        self.leaf(value.into(), 0)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        self.leaf(value.into(), 0)
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Value, E> {
        self.leaf(Value::String(value.to_string()), 40)
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Value, E> {
        self.leaf(Value::String(value.to_string()), 40)
    }

    /// JSON has no `nan` and no infinity: they become text.
    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value).map(Value::Number);
        self.leaf(
            number.unwrap_or_else(|| Value::String(value.to_string())),
            0,
        )
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        self.budget.spend(value.len(), self.level)?;
        Ok(Value::String(crate::text::clean::clean(value)))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.leaf(Value::Null, 0)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        self.leaf(Value::Null, 0)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        self.budget.spend(0, self.level)?;
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(self.inner())? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        self.budget.spend(0, self.level)?;
        let mut values = Map::new();
        while let Some(key) = members.next_key_seed(self.inner())? {
            let key = match key {
                Value::String(key) => key,
                key => key.to_string(),
            };
            values.insert(key, members.next_value_seed(self.inner())?);
        }
        Ok(Value::Object(values))
    }

    /// A tagged value of YAML: its tag and what it tags.
    fn visit_enum<A: serde::de::EnumAccess<'de>>(self, tagged: A) -> Result<Value, A::Error> {
        use serde::de::VariantAccess;

        let (tag, content) = tagged.variant_seed(self.inner())?;
        let value = content.newtype_variant_seed(self.inner())?;
        let tag = tag.as_str().unwrap_or_default().to_owned();
        Ok(Value::Object(Map::from_iter([(tag, value)])))
    }
}
