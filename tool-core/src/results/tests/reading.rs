use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::reads_results;
use super::{ResultStore, bytes, fit, json, json_piece, read, text, way_on};
use crate::output::{Content, Output};
use crate::{Catalogue, Dialect};

/// Keeps a result and gives its id and the offset to read on from.
fn kept(store: &ResultStore, content: Content, max_bytes: usize) -> (String, usize) {
    let mut output = Output::from(content);
    fit(&mut output, &bytes(max_bytes), Some(store));
    way_on(&output)
}

/// The text of an answer, and the offset to go on from.
fn answer(store: &ResultStore, arguments: &Value) -> (String, Option<usize>) {
    let output = read(store, arguments).unwrap();
    let mut pieces = output.content().iter();
    let text = match pieces.next() {
        Some(Content::Text(text)) => text.clone(),
        other => panic!("no text: {other:?}"),
    };
    let Some(Content::Note(note)) = pieces.next() else {
        panic!("no note: {output:?}");
    };
    let next = note
        .split("next_offset: ")
        .nth(1)
        .map(|next| next.trim_end_matches(']').parse().unwrap());
    (text, next)
}

/// All of a kept result, answer by answer, each of at most so many bytes.
fn all(store: &ResultStore, id: &str, limit: Option<usize>, max_bytes: usize) -> String {
    let mut whole = String::new();
    let mut offset = Some(0);
    while let Some(from) = offset {
        let mut arguments = json!({ "id": id, "offset": from });
        if let Some(limit) = limit {
            arguments["limit"] = json!(limit);
        }
        let (text, next) = answer(store, &arguments);
        assert!(
            !text.is_empty() && text.len() <= max_bytes,
            "{}",
            text.len()
        );
        assert!(next.is_none_or(|next| next > from));
        whole.push_str(&text);
        offset = next;
    }
    whole
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn all_answers_in_turn_are_the_whole_text(text in text(), max_bytes in 0..300_usize, limit in prop::option::of(1..9_usize)) {
        prop_assume!(text.len() > max_bytes);
        let store = ResultStore::new();
        let (id, _) = kept(&store, Content::from(text.clone()), max_bytes);
        prop_assert_eq!(all(&store, &id, limit, max_bytes.max(5)), text);
    }

    #[test]
    fn all_answers_in_turn_are_the_whole_json(value in json(), max_bytes in 0..300_usize) {
        prop_assume!(value.to_string().len() > max_bytes);
        let store = ResultStore::new();
        let (id, _) = kept(&store, json_piece(&value), max_bytes);
        let whole = all(&store, &id, None, max_bytes.max(5));
        prop_assert_eq!(serde_json::from_str::<Value>(&whole).unwrap(), value);
    }
}

#[test]
fn the_offset_of_the_note_is_where_the_shown_rows_end() {
    let rows: Vec<Value> = (0..3_000)
        .map(|id| json!({ "id": id, "tags": ["a", "b"] }))
        .collect();
    let store = ResultStore::new();
    let mut output = Output::from(json_piece(&json!(rows)));
    fit(&mut output, &bytes(2_000), Some(&store));
    let shown: Vec<Value> = serde_json::from_str(output.json().unwrap().as_str()).unwrap();
    let (id, offset) = way_on(&output);
    assert_eq!(offset, shown.len());
    let (row, next) = answer(&store, &json!({ "id": id, "offset": offset, "limit": 1 }));
    assert_eq!(row, format!("{},\n", rows[offset]));
    assert_eq!(next, Some(offset + 1));
}

#[test]
fn the_offset_of_the_note_is_where_the_head_of_a_log_ends() {
    let log: String = (0..5_000)
        .map(|line| format!("line {line}\n"))
        .collect::<Vec<_>>()
        .concat();
    let store = ResultStore::new();
    let mut output = Output::from(log);
    fit(&mut output, &bytes(1_000), Some(&store));
    let (id, offset) = way_on(&output);
    let head = output.text();
    let last = head
        .lines()
        .take_while(|line| line.starts_with("line"))
        .count();
    assert_eq!(offset, last);
    let (line, _) = answer(&store, &json!({ "id": id, "offset": offset, "limit": 1 }));
    assert_eq!(line, format!("line {offset}\n"));
}

#[test]
fn one_line_without_end_is_read_in_parts() {
    let store = ResultStore::new();
    let text = "0123456789".repeat(100_000);
    let (id, offset) = kept(&store, Content::from(text.clone()), 20_000);
    assert!(offset > 0);
    assert_eq!(all(&store, &id, None, 20_000), text);
}

#[test]
fn a_search_finds_every_line_in_any_case_and_can_be_gone_on_with() {
    let text: String = (0..2_000)
        .map(|line| match line % 100 {
            7 => format!("line {line}: connection RESET by ÄPFEL and reset again\n"),
            _ => format!("line {line}: fine\n"),
        })
        .collect();
    let store = ResultStore::new();
    let (id, _) = kept(&store, Content::from(text), 4_000);
    for words in ["Reset", "äpfel", "ÄPFEL"] {
        let mut found = Vec::new();
        let mut offset = Some(0);
        while let Some(from) = offset {
            let arguments = json!({ "id": id, "search": words, "offset": from, "limit": 6 });
            let (text, next) = answer(&store, &arguments);
            assert!(text.len() <= 4_000);
            for line in text.lines() {
                let (place, excerpt) = line.split_once(": ").unwrap();
                let place: usize = place.strip_prefix("offset ").unwrap().parse().unwrap();
                assert!(excerpt.starts_with(&format!("line {place}: connection")));
                found.push(place);
            }
            offset = next;
        }
        let wanted: Vec<usize> = (0..20).map(|hundred| hundred * 100 + 7).collect();
        assert_eq!(found, wanted, "{words}");
    }
}

#[test]
fn a_search_shows_what_is_around_a_place_in_one_long_line() {
    let store = ResultStore::new();
    let text = format!("{}needle{}", "é".repeat(20_000), "ü".repeat(20_000));
    let (id, _) = kept(&store, Content::from(text), 4_000);
    let (found, next) = answer(&store, &json!({ "id": id, "search": "NEEDLE" }));
    assert_eq!(next, None);
    assert!(found.contains("ééneedleüü") && found.len() < 300, "{found}");
    let place: usize = found
        .strip_prefix("offset ")
        .unwrap()
        .split(':')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let (line, _) = answer(&store, &json!({ "id": id, "offset": place, "limit": 1 }));
    assert!(line.contains("needle"));
}

#[test]
fn what_is_not_there_is_said() {
    let store = ResultStore::new();
    let (id, _) = kept(&store, Content::from("x\n".repeat(1_000)), 100);
    let said = |arguments: &Value| read(&store, arguments).unwrap().text().into_owned();
    assert_eq!(
        said(&json!({ "id": id, "search": "y" })),
        "[nothing found; the result has 1000 lines]"
    );
    assert_eq!(
        said(&json!({ "id": id, "offset": 1_000 })),
        "[nothing at offset 1000: the result has 1000 lines]"
    );
    assert_eq!(
        said(&json!({ "id": id, "offset": u64::MAX, "search": "x" })),
        format!(
            "[nothing found from offset {} on; the result has 1000 lines]",
            u64::MAX
        )
    );
    let error = read(&store, &json!({ "id": id, "search": "x".repeat(201) })).unwrap_err();
    assert_eq!(error.message(), "`search` has more than 200 characters");
    let error = read(&store, &json!({ "id": "r_\n".repeat(1_000) })).unwrap_err();
    assert!(
        error
            .message()
            .starts_with("no result with this id is kept")
    );
    let error = read(&store, &json!({ "id": "r_AAAA" })).unwrap_err();
    assert!(
        error
            .message()
            .starts_with("no result with the id `r_AAAA` is kept")
    );
}

#[test]
fn an_id_is_found_with_the_quotes_around_it() {
    let store = ResultStore::new();
    let (id, _) = kept(&store, Content::from("x".repeat(200)), 100);
    assert!(read(&store, &json!({ "id": format!(" `{id}`") })).is_ok());
}

#[test]
fn numbers_beyond_all_bounds_are_the_end() {
    let store = ResultStore::new();
    let (id, _) = kept(&store, Content::from("x".repeat(200)), 100);
    for number in ["3.0", "1e2", "1e15", "18446744073709551615"] {
        let arguments: Value = serde_json::from_str(&format!(
            r#"{{"id":"{id}","offset":{number},"limit":{number}}}"#
        ))
        .unwrap();
        let answer = read(&store, &arguments).unwrap();
        assert!(answer.text().contains("lines"), "{}", answer.text());
    }
}

#[test]
fn the_tool_is_known_under_any_name_and_every_provider_takes_it() {
    let tools = Catalogue::new([ResultStore::new().tool()]).unwrap();
    assert!(tools.lint().is_empty(), "{:?}", tools.lint());
    let renamed = tools.prefixed("other-");
    for tool in tools.iter().chain(renamed.iter()) {
        assert!(reads_results(tool.definition()));
    }
    for dialect in Dialect::ALL {
        assert!(!dialect.definitions(&tools).tools.is_empty());
    }
}
