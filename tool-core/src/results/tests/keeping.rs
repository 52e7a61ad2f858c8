use std::time::Duration;

use serde_json::json;

use super::{ResultStore, bytes, fit, note, read, way_on};
use crate::output::{Content, Output};

fn keep(store: &ResultStore, text: &str) -> Output {
    let mut output = Output::from(text);
    fit(&mut output, &bytes(100), Some(store));
    output
}

#[test]
fn the_oldest_go_first() {
    let store = ResultStore::new().max_entries(2);
    let ids: Vec<String> = (0..3)
        .map(|digit| way_on(&keep(&store, &digit.to_string().repeat(1_000))).0)
        .collect();
    assert_eq!(store.len(), 2);
    let known: Vec<bool> = ids
        .iter()
        .map(|id| read(&store, &json!({ "id": id })).is_ok())
        .collect();
    assert_eq!(known, [false, true, true]);
}

#[test]
fn the_bytes_of_all_have_a_bound() {
    let store = ResultStore::new().max_bytes(10_000);
    for _ in 0..50 {
        keep(&store, &"x".repeat(2_000));
        assert!(store.bytes() <= 10_000);
    }
    assert_eq!(store.len(), 4);
    let store = store.max_bytes(3_000);
    assert_eq!(store.len(), 1);
    store.clear();
    assert_eq!((store.len(), store.bytes()), (0, 0));
}

#[test]
fn of_one_that_is_too_large_the_beginning_is_kept_and_the_model_is_told() {
    let store = ResultStore::new().max_bytes(4_000);
    let output = keep(&store, &"é".repeat(5_000));
    assert!(
        note(&output).contains("Only its first 1,000 bytes are kept."),
        "{}",
        note(&output)
    );
    let (id, _) = way_on(&output);
    let answer = read(&store, &json!({ "id": id, "limit": 1 })).unwrap();
    assert!(answer.text().starts_with("éé"));
}

#[test]
fn a_store_without_room_keeps_nothing_and_the_note_gives_no_id() {
    for store in [
        ResultStore::new().max_entries(0),
        ResultStore::new().max_bytes(0),
        ResultStore::new().max_bytes(3),
    ] {
        let output = keep(&store, &"x".repeat(1_000));
        assert!(store.is_empty());
        assert!(note(&output).contains("The rest is not kept"));
    }
}

#[test]
fn what_is_too_old_is_gone() {
    let store = ResultStore::new();
    let (id, _) = way_on(&keep(&store, &"x".repeat(1_000)));
    assert!(read(&store, &json!({ "id": id })).is_ok());
    let store = store.max_age(Duration::ZERO);
    assert!(store.is_empty());
    let error = read(&store, &json!({ "id": id })).unwrap_err();
    assert!(error.message().contains("it may have expired"));
}

#[test]
fn a_clone_is_the_same_store_and_shows_nothing_of_what_it_holds() {
    let store = ResultStore::new();
    let clone = store.clone();
    let (id, _) = way_on(&keep(&store, &"a private matter ".repeat(100)));
    assert_eq!(clone.len(), 1);
    let shown = format!("{clone:?}");
    assert_eq!(
        shown,
        format!("ResultStore {{ results: 1, bytes: {}, .. }}", clone.bytes())
    );
    assert!(!shown.contains(&id));
}

#[test]
fn notes_are_no_part_of_what_is_kept() {
    let store = ResultStore::new();
    let mut output: Output = [
        Content::from("x".repeat(200)),
        Content::Note("a remark".to_owned()),
        Content::from("y".repeat(200)),
    ]
    .into_iter()
    .collect();
    fit(&mut output, &bytes(300), Some(&store));
    let (id, offset) = way_on(&output);
    assert_eq!(offset, 0);
    let answer = read(&store, &json!({ "id": id })).unwrap();
    let whole = format!("{}\n{}", "x".repeat(200), "y".repeat(200));
    assert!(whole.starts_with(answer.text().split("\n[").next().unwrap()));
    assert!(output.text().contains("a remark"));
}
