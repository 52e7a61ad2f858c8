//! A value that was not sent.

use std::fmt;

use serde::de::{self, Deserializer, Visitor};

/// Gives a type nothing: `Option` becomes `None`, everything else is an error.
/// Serde's derive treats a missing field in the same way.
pub(crate) struct Missing;

impl<'de> Deserializer<'de> for Missing {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Self::Error> {
        Err(de::Error::custom("required, but missing"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_none()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

impl fmt::Debug for Missing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Missing")
    }
}

/// Whether a type takes a missing value by itself.
pub fn is_optional<T: de::DeserializeOwned>() -> bool {
    T::deserialize(Missing).is_ok()
}
