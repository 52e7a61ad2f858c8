//! The bounds of Rust's integer types, which schemars leaves to `format`.

use serde_json::{Map, Number, Value};

/// Takes a numeric `format` out and puts the type's own bounds in, where none
/// are closer. The formats are no JSON Schema formats, and without bounds an
/// overflow would be accepted by the schema and refused by the type.
pub(super) fn replace_format(schema: &mut Map<String, Value>) {
    let Some(format) = schema.get("format").and_then(Value::as_str) else {
        return;
    };
    let bounds: Option<(Number, Number)> = match format {
        "int8" => Some((i8::MIN.into(), i8::MAX.into())),
        "int16" => Some((i16::MIN.into(), i16::MAX.into())),
        "int32" => Some((i32::MIN.into(), i32::MAX.into())),
        "int64" | "int" => Some((i64::MIN.into(), i64::MAX.into())),
        // JSON numbers beyond 64 bits do not survive parsers, ours included.
        "int128" => Some((i64::MIN.into(), u64::MAX.into())),
        "uint8" => Some((0.into(), u8::MAX.into())),
        "uint16" => Some((0.into(), u16::MAX.into())),
        "uint32" => Some((0.into(), u32::MAX.into())),
        "uint64" | "uint" | "uint128" => Some((0.into(), u64::MAX.into())),
        "float" | "double" => None,
        _ => return,
    };
    schema.remove("format");
    if let Some((minimum, maximum)) = bounds {
        if !schema.contains_key("exclusiveMinimum") {
            schema
                .entry("minimum")
                .or_insert_with(|| Value::Number(minimum));
        }
        if !schema.contains_key("exclusiveMaximum") {
            schema
                .entry("maximum")
                .or_insert_with(|| Value::Number(maximum));
        }
    }
}
