use proptest::prelude::*;

use super::super::note::NOTE_BYTES;
use super::{bytes, fit, json_piece, note, output, shortened, size};
use crate::output::{Content, Output};
use crate::results::ResultStore;

fn shown(output: &Output) -> Vec<String> {
    output
        .content()
        .iter()
        .map(|piece| format!("{piece:?}"))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_result_is_never_over_its_budget(output in output(), max_bytes in 0..4_000_usize, kept in any::<bool>()) {
        let before = output;
        let mut after = before.clone();
        let store = ResultStore::new();
        fit(&mut after, &bytes(max_bytes), kept.then_some(&store));

        prop_assert_eq!(after.files().count(), before.files().count());
        if size(&before) <= max_bytes {
            // The tool's own notes are small here.
            prop_assert_eq!(shown(&after), shown(&before));
            prop_assert!(store.is_empty());
        } else {
            prop_assert!(size(&after) <= max_bytes);
            prop_assert!(note(&after).len() <= NOTE_BYTES);
            prop_assert_eq!(store.len(), usize::from(kept));
            let notes = |output: &Output| output.content().iter().filter(|piece| matches!(piece, Content::Note(_))).count();
            prop_assert_eq!(notes(&after), notes(&before) + 1);
        }
    }
}

#[test]
fn no_room_leaves_the_note_alone() {
    for max_bytes in [0, 1] {
        for content in [
            Content::from("é".repeat(50)),
            json_piece(&serde_json::json!({ "a": 1 })),
        ] {
            let output = shortened(content, max_bytes);
            assert_eq!(output.content().len(), 1, "{output:?}");
            assert!(note(&output).contains("Not shown at all: 1 of its 1 pieces (1)."));
        }
    }
}

#[test]
fn pieces_share_the_room_and_small_ones_are_whole() {
    let mut output: Output = [
        Content::from("a".repeat(10_000)),
        Content::from("small"),
        Content::from("b".repeat(10_000)),
    ]
    .into_iter()
    .collect();
    fit(&mut output, &bytes(1_005), None);
    let text = output.text();
    let pieces: Vec<&str> = text.split("\nsmall\n").collect();
    assert!(pieces[0].len() > 450 && pieces[0].len() <= 500);
    assert!(pieces[1].contains("bytes left out"));
}

#[test]
fn a_piece_without_room_is_told() {
    let mut output: Output = (0..100).map(|_| Content::from("x".repeat(100))).collect();
    fit(&mut output, &bytes(640), None);
    assert_eq!(output.content().len(), 11);
    assert!(
        note(&output).contains("Not shown at all: 90 of its 100 pieces (11, 12, 13, 14, 15, …).")
    );
}

#[test]
fn the_notes_of_a_tool_have_a_bound_too() {
    let mut output: Output = [Content::from("text"), Content::Note("n".repeat(100_000))]
        .into_iter()
        .collect();
    fit(&mut output, &bytes(2_000), None);
    assert!(output.text().len() <= 2_000 + NOTE_BYTES);
    assert!(output.text().starts_with("text\nnnn"));
}
