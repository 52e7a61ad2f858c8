//! Results that are too long, and reading them on.

use serde_json::{Value, json};
use tool_core::{Call, Catalogue, Content, Executor, File, ResultStore, tool, tools};

/// Give a long text.
#[tool(name = "long-text")]
fn text(
    /// How many lines.
    lines: usize,
) -> String {
    (1..=lines).map(|line| format!("line {line}\n")).collect()
}

/// Give many rows.
#[tool(name = "long-rows")]
fn rows(
    /// How many.
    count: usize,
) -> Value {
    let row = |index| json!({"index": index, "text": "x".repeat(50)});
    (0..count).map(row).collect()
}

/// Give a large file.
#[tool(name = "long-file")]
fn file() -> (String, Vec<File>) {
    let file = File::new("a.bin", "application/octet-stream", vec![7; 1_000_000]);
    ("one file".to_owned(), vec![file])
}

/// Give a bit, at most.
#[tool(name = "long-own", max_output = 100)]
fn own() -> String {
    "word ".repeat(100)
}

fn catalogue() -> Catalogue {
    Catalogue::new(tools![text, rows, file, own]).unwrap()
}

fn call(name: &str, arguments: Value) -> Call {
    Call::new("1", name, arguments)
}

#[tokio::test]
async fn a_result_within_the_budget_is_left_alone() {
    let executor = Executor::new(catalogue()).unwrap();
    let outcome = executor
        .call(call("long-text", json!({"lines": 5000})))
        .await;
    assert_eq!(outcome.text().lines().count(), 5000);
    assert!(!outcome.text().contains("results-read_result"));
    let outcome = executor.call(call("long-file", json!({}))).await;
    assert_eq!(outcome.text(), "one file");
    assert_eq!(outcome.files().next().unwrap().content.len(), 1_000_000);
}

#[tokio::test]
async fn a_long_text_keeps_its_head_and_tail_and_can_be_read_on() {
    let store = ResultStore::new();
    let executor = Executor::builder(catalogue())
        .max_output_bytes(2_000)
        .keep_results(store.clone())
        .build()
        .unwrap();
    assert!(executor.catalogue().get("results-read_result").is_some());
    let outcome = executor
        .call(call("long-text", json!({"lines": 10_000})))
        .await;
    let text = outcome.text().into_owned();
    assert!(text.starts_with("line 1\nline 2\n"));
    assert!(text.contains("line 10000\n"));
    assert!(text.len() < 2_000 + 1_024, "{}", text.len());
    assert_eq!(store.len(), 1);
    let id = text
        .split(|character: char| !(character.is_alphanumeric() || "_-".contains(character)))
        .find(|word| word.starts_with("r_"))
        .unwrap_or_else(|| panic!("no id in {text}"));

    let found = call(
        "results-read_result",
        json!({"id": id, "search": "line 5432"}),
    );
    let found = executor.call(found).await;
    assert!(found.text().contains("line 5432"), "{}", found.text());
    assert_eq!(store.len(), 1, "reading keeps nothing more");

    let wrong = call(
        "results-read_result",
        json!({"id": "r_AAAAAAAAAAAAAAAAAAAAAA"}),
    );
    let outcome = executor.call(wrong).await;
    assert!(!outcome.is_ok());
}

#[tokio::test]
async fn rows_stay_json_and_the_total_is_told() {
    let executor = Executor::builder(catalogue())
        .max_output_bytes(1_000)
        .build()
        .unwrap();
    let outcome = executor
        .call(call("long-rows", json!({"count": 12_345})))
        .await;
    let output = outcome.result.as_ref().unwrap();
    let kept: Vec<Value> = serde_json::from_str(output.json().unwrap().as_str()).unwrap();
    assert!(!kept.is_empty() && kept[0]["index"] == 0, "{kept:?}");
    let note = output.content().iter().find_map(|content| match content {
        Content::Note(note) => Some(note.as_str()),
        _ => None,
    });
    let note = note.unwrap();
    assert!(note.contains("12,345"), "{note}");
}

#[tokio::test]
async fn a_tool_has_its_own_budget_and_tokens_count_where_they_are_counted() {
    let executor = Executor::builder(catalogue())
        .max_output_tokens(50, |text| text.split_whitespace().count())
        .build()
        .unwrap();
    let outcome = executor.call(call("long-own", json!({}))).await;
    let output = outcome.result.unwrap();
    let [Content::Text(text), Content::Note(_)] = output.content() else {
        panic!("{output:?}");
    };
    assert!(text.len() <= 100, "{text}");
    let outcome = executor
        .call(call("long-text", json!({"lines": 500})))
        .await;
    let output = outcome.result.unwrap();
    let Content::Text(text) = &output.content()[0] else {
        panic!("{output:?}");
    };
    assert!(text.split_whitespace().count() <= 50, "{text}");
}
