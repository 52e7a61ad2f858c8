use std::mem::discriminant;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{json, json_piece, note, shortened};
use crate::JsonText;
use crate::output::Content;

/// Whether one value is the other with less in it.
fn is_less(less: &Value, whole: &Value) -> bool {
    match (less, whole) {
        (Value::Array(less), Value::Array(whole)) => {
            less.len() <= whole.len()
                && less
                    .iter()
                    .zip(whole)
                    .all(|(less, whole)| is_less(less, whole))
        }
        (Value::Object(less), Value::Object(whole)) => less
            .iter()
            .zip(whole)
            .all(|((key, less), (name, whole))| key == name && is_less(less, whole)),
        (Value::String(less), Value::String(whole)) => {
            let Some((head, tail)) = less.split_once('…') else {
                return less == whole || less.is_empty();
            };
            let tail = tail.split_once("]…").map_or("", |(_, tail)| tail);
            whole.starts_with(head) && whole.ends_with(tail)
        }
        (less, whole) => less == whole,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn json_stays_json_of_its_type_with_less_in_it(value in json(), room in 2..2_000_usize) {
        let text = value.to_string();
        prop_assume!(text.len() > room);
        let output = shortened(json_piece(&value), room);
        match output.json() {
            Some(short) => {
                prop_assert!(short.as_str().len() <= room);
                let short: Value = serde_json::from_str(short.as_str()).unwrap();
                prop_assert_eq!(discriminant(&short), discriminant(&value));
                prop_assert!(is_less(&short, &value), "{} of {}", short, value);
            }
            // Only what has no smaller form is left out.
            None => prop_assert!(!value.is_array() && !value.is_object() && !value.is_string()),
        }
    }

    #[test]
    fn pretty_json_is_shortened_too(value in json(), room in 2..2_000_usize) {
        let text = format!(" {} ", serde_json::to_string_pretty(&value).unwrap());
        prop_assume!(text.len() > room && (value.is_array() || value.is_object()));
        let output = shortened(Content::Json(JsonText::trusted(text)), room);
        let short: Value = serde_json::from_str(output.json().unwrap().as_str()).unwrap();
        prop_assert!(is_less(&short, &value), "{} of {}", short, value);
    }
}

#[test]
fn an_array_keeps_its_first_rows_whole_and_the_note_counts_them() {
    let rows: Vec<Value> = (0..12_345)
        .map(|id| json!({ "id": id, "name": "somebody" }))
        .collect();
    let output = shortened(json_piece(&json!(rows)), 1_000);
    let short: Vec<Value> = serde_json::from_str(output.json().unwrap().as_str()).unwrap();
    assert_eq!(short, rows[..short.len()]);
    assert!(output.json().unwrap().as_str().len() > 950);
    assert!(
        note(&output).contains(&format!("Shown: rows 1–{} of 12,345.", short.len())),
        "{}",
        note(&output)
    );
}

#[test]
fn few_large_rows_are_all_shown_cut() {
    let pages: Vec<Value> = (0..5)
        .map(|page| json!({ "page": page, "text": "word ".repeat(2_000) }))
        .collect();
    let output = shortened(json_piece(&json!(pages)), 2_000);
    let short: Vec<Value> = serde_json::from_str(output.json().unwrap().as_str()).unwrap();
    assert_eq!(short.len(), 5);
    for (page, short) in short.iter().enumerate() {
        assert_eq!(short["page"], page);
        assert!(short["text"].as_str().unwrap().len() > 300);
    }
}

#[test]
fn the_note_tells_where_the_largest_arrays_are() {
    let value = json!({
        "total": 3,
        "orders": [{ "lines": (0..2_000).collect::<Vec<u32>>() }],
        "map": (0..500).map(|key| (format!("key {key}"), json!(key))).collect::<serde_json::Map<_, _>>(),
    });
    let output = shortened(json_piece(&value), 1_000);
    let short: Value = serde_json::from_str(output.json().unwrap().as_str()).unwrap();
    assert_eq!(short["total"], 3);
    let lines = short["orders"][0]["lines"].as_array().unwrap().len();
    let members = short["map"].as_object().unwrap().len();
    assert!(lines > 50 && members > 20);
    assert!(note(&output).contains(&format!(
        "Shown of `orders[0].lines`: rows 1–{lines} of 2,000. Shown of `map`: members 1–{members} of 500."
    )), "{}", note(&output));
}

#[test]
fn escapes_are_not_parted() {
    let text = format!(r#""{}""#, r"\ud83d\ude00\n\u00e9".repeat(500));
    for room in 2..200 {
        let output = shortened(Content::Json(JsonText::trusted(text.clone())), room);
        let short: Result<String, _> = serde_json::from_str(output.json().unwrap().as_str());
        assert!(short.is_ok(), "{room}: {output:?}");
    }
}

#[test]
fn nesting_without_end_is_no_recursion_without_end() {
    let depth = 200_000;
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        let text = format!("{}1{}", open.repeat(depth), close.repeat(depth));
        let output = shortened(Content::Json(JsonText::trusted(text)), 1_000);
        let short: Value = serde_json::from_str(output.json().unwrap().as_str()).unwrap();
        assert!(short.is_array() || short.is_object());
    }
}

#[test]
fn what_is_no_json_or_too_large_is_cut_as_text() {
    let broken = format!("[{}", "1,".repeat(1_000));
    let large = format!("[{}1]", "1,".repeat(8 * 1024 * 1024));
    for text in [broken, large] {
        let output = shortened(Content::Json(JsonText::trusted(text)), 500);
        assert!(output.json().is_none());
        assert!(output.text().starts_with("[1,1,"));
        assert!(output.text().contains("bytes left out]"));
    }
}

#[test]
fn a_number_longer_than_the_room_is_left_out() {
    let text = format!(r#"{{"a":1,"b":{}}}"#, "7".repeat(1_000));
    let output = shortened(Content::Json(JsonText::trusted(text)), 100);
    assert_eq!(output.json().unwrap().as_str(), r#"{"a":1}"#);
    assert!(note(&output).contains("members 1–1 of 2"));
}
