//! The laws of shortening, of keeping and of reading on.

mod fitting;
mod json;
mod keeping;
mod reading;
mod tokens;

use proptest::prelude::*;
use serde_json::Value;

use super::{Budget, ResultStore, fit};
use crate::output::{Content, Output};
use crate::{File, JsonText};

/// A budget of bytes alone.
fn bytes(max_bytes: usize) -> Budget {
    Budget {
        max_bytes,
        tokens: None,
    }
}

/// A shortened result.
fn shortened(content: impl Into<Content>, max_bytes: usize) -> Output {
    let mut output = Output::from(content.into());
    fit(&mut output, &bytes(max_bytes), None);
    output
}

/// The note at the end, where there is one.
fn note(output: &Output) -> &str {
    match output.content().last() {
        Some(Content::Note(note)) => note,
        other => panic!("no note: {other:?}"),
    }
}

/// The id and the offset that the note tells.
fn way_on(output: &Output) -> (String, usize) {
    let note = note(output);
    let id = note.split('"').nth(1).unwrap().to_owned();
    let offset = note.split("`offset` ").nth(1).unwrap();
    let offset = offset.split(',').next().unwrap().parse().unwrap();
    (id, offset)
}

/// Calls the store's tool.
fn read(store: &ResultStore, arguments: &Value) -> Result<Output, crate::ToolError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let context = crate::Context::new();
    runtime.block_on(store.tool().call(arguments.clone(), &context))
}

/// The bytes of text and JSON.
fn size(output: &Output) -> usize {
    let sizes = output.content().iter().map(|piece| match piece {
        Content::Text(text) => text.len(),
        Content::Json(json) => json.as_str().len(),
        _ => 0,
    });
    sizes.sum()
}

fn json_piece(value: &Value) -> Content {
    Content::Json(JsonText::new(value).unwrap())
}

/// Text of every kind that makes trouble.
fn text() -> impl Strategy<Value = String> {
    r#"([a-z ]{1,30}|\n|\r\n|é|👩‍💻|e\u{301}|\\|"|[|]|\{|\u{1}){0,60}"#
}

/// Any JSON, of some size.
fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        // Exact, so that they come back the same without `float_roundtrip`.
        any::<i32>().prop_map(|number| Value::from(f64::from(number) / 8.0)),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 200, 30, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..30).prop_map(Value::from),
            prop::collection::vec((text(), inner), 0..12)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Any result.
fn output() -> impl Strategy<Value = Output> {
    let piece = prop_oneof![
        3 => text().prop_map(Content::Text),
        3 => json().prop_map(|value| json_piece(&value)),
        1 => text().prop_map(Content::Note),
        1 => Just(Content::from(File::new("a.bin", "application/octet-stream", vec![0; 5_000]))),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.into_iter().collect())
}
