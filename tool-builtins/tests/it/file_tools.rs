//! The file tools as a model calls them.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;
use tool_builtins::{OUTSIDE_NOTE, Policy};
use tool_core::{Content, ErrorKind, Outcome};

use crate::calls::{call, error_of};

/// A root directory with a secret beside it.
struct Root {
    outer: TempDir,
    policy: Policy,
}

impl Root {
    fn new() -> Self {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        fs::create_dir(&root).unwrap();
        fs::write(outer.path().join("secret.txt"), "swordfish").unwrap();
        let policy = Policy::new().root(root);
        Self { outer, policy }
    }

    fn with(self, path: &str, content: &str) -> Self {
        fs::write(self.outer.path().join("root").join(path), content).unwrap();
        self
    }

    async fn read(&self, arguments: Value) -> Outcome {
        call(&self.policy, "files-read_file", arguments).await
    }

    async fn write(&self, path: &str, content: Value) -> Outcome {
        let arguments = json!({ "path": path, "content": content });
        call(&self.policy, "files-write_file", arguments).await
    }

    fn content(&self, path: &str) -> String {
        fs::read_to_string(self.outer.path().join("root").join(path)).unwrap()
    }
}

/// What a model reads of the content of a file.
fn told(content: &str) -> String {
    format!("{content}\n{OUTSIDE_NOTE}")
}

fn json_of(outcome: &Outcome) -> Value {
    let output = outcome.result.as_ref().unwrap();
    serde_json::from_str(output.json().unwrap().as_str()).unwrap()
}

#[tokio::test]
async fn a_whole_text_comes_as_it_is() {
    let root = Root::new().with("notes.txt", "one\ntwo\n");
    let outcome = root.read(json!({ "path": "notes.txt" })).await;
    assert_eq!(outcome.text(), told("one\ntwo\n"));
}

#[tokio::test]
async fn a_text_can_be_read_part_by_part() {
    let root = Root::new().with("notes.txt", "one\ntwo\nthree\n");
    let read = |offset: usize| json!({ "path": "notes.txt", "offset": offset, "limit": 2 });
    let first = root.read(read(0)).await;
    assert_eq!(
        first.text(),
        told("one\ntwo\n[lines 1 to 2 of 3; next_offset: 2]")
    );
    // A host can tell the note from the file.
    let pieces = first.result.as_ref().unwrap().content();
    assert!(
        matches!(pieces, [Content::Text(text), Content::Note(_), Content::Note(_)] if text == "one\ntwo")
    );
    assert_eq!(root.read(read(2)).await.text(), told("three\n"));
    assert_eq!(
        root.read(read(3)).await.text(),
        told("[nothing at offset 3: the file has 3 lines]")
    );
}

#[tokio::test]
async fn an_empty_file_is_not_an_empty_answer() {
    let root = Root::new()
        .with("empty.txt", "")
        .with("blank.txt", "\n\n\n");
    let outcome = root.read(json!({ "path": "empty.txt" })).await;
    assert_eq!(outcome.text(), told("[the file is empty]"));
    let outcome = root
        .read(json!({ "path": "blank.txt", "offset": 1, "limit": 1 }))
        .await;
    assert_eq!(outcome.text(), told("[lines 2 to 2 of 3; next_offset: 2]"));
}

#[tokio::test]
async fn json_and_tables_come_as_json() {
    let root = Root::new()
        .with("data.json", r#"{"b": [1, 2], "a": null}"#)
        .with("team.csv", "name;year\nAda;1815\nAlan;1912\nGrace;1906\n");
    let outcome = root.read(json!({ "path": "data.json" })).await;
    assert_eq!(outcome.text(), told(r#"{"b":[1,2],"a":null}"#));

    let outcome = root.read(json!({ "path": "team.csv", "limit": 2 })).await;
    assert_eq!(
        json_of(&outcome),
        json!({
            "delimiter": ";",
            "columns": ["name", "year"],
            "row_count": 3,
            "rows": [["Ada", "1815"], ["Alan", "1912"]],
            "next_offset": 2,
        })
    );
    let arguments = json!({ "path": "team.csv", "offset": 2 });
    let rest = json_of(&root.read(arguments).await);
    assert_eq!(rest["rows"], json!([["Grace", "1906"]]));
    assert_eq!(rest.get("next_offset"), None);

    let arguments = json!({ "path": "data.json", "format": "text" });
    let outcome = root.read(arguments).await;
    assert_eq!(outcome.text(), told(r#"{"b": [1, 2], "a": null}"#));
}

#[tokio::test]
async fn a_string_is_written_as_it_is_and_any_other_value_as_json() {
    let root = Root::new();
    for (path, content, expected) in [
        ("a/b/notes.txt", json!("one\ntwo"), "one\ntwo"),
        ("text.json", json!("{\"a\":1}"), "{\"a\":1}"),
        ("object.json", json!({ "a": 1 }), "{\n  \"a\": 1\n}\n"),
        ("list.json", json!([1]), "[\n  1\n]\n"),
        ("number.json", json!(1.5), "1.5\n"),
        ("flag.json", json!(true), "true\n"),
        ("null.json", json!(null), "null\n"),
        ("team.tsv", json!([{ "name": "Ada" }]), "name\nAda\n"),
    ] {
        let outcome = root.write(path, content).await;
        assert_eq!(
            json_of(&outcome),
            json!({ "path": path, "bytes": expected.len(), "lines": expected.lines().count() })
        );
        assert_eq!(root.content(path), expected);
    }
}

#[tokio::test]
async fn a_directory_is_listed_with_kinds_and_sizes() {
    let root = Root::new().with("b.txt", "12345");
    root.write("a/c.txt", json!("x")).await;
    let outcome = call(&root.policy, "files-list_directory", json!({})).await;
    assert_eq!(
        json_of(&outcome),
        json!({
            "entries": [
                { "name": "a", "kind": "directory" },
                { "name": "b.txt", "kind": "file", "size": 5 },
            ],
            "total": 2,
        })
    );
    let outcome = call(&root.policy, "files-list_directory", json!({ "path": "a" })).await;
    assert_eq!(json_of(&outcome)["entries"][0]["name"], "c.txt");
}

#[tokio::test]
async fn wrong_arguments_are_all_named() {
    let root = Root::new();
    let arguments = json!({ "path": 5, "format": "xml", "limit": 0 });
    let outcome = root.read(arguments).await;
    let problems = error_of(&outcome, ErrorKind::InvalidArguments).problems();
    assert_eq!(problems.len(), 3, "{}", outcome.text());
    assert!(
        outcome
            .text()
            .contains(r#""auto", "text", "json", "table""#),
        "{}",
        outcome.text()
    );

    for (tool, arguments, missing) in [
        ("files-write_file", json!({ "path": "a.txt" }), "content"),
        ("files-list_directory", json!({ "path": ["a"] }), "path"),
    ] {
        let outcome = call(&root.policy, tool, arguments).await;
        error_of(&outcome, ErrorKind::InvalidArguments);
        assert!(outcome.text().contains(missing), "{}", outcome.text());
    }
    let outcome = root.read(json!({ "path": "none.txt" })).await;
    let error = error_of(&outcome, ErrorKind::Failed);
    assert_eq!(
        error.message(),
        "`none.txt` does not exist below the root directory"
    );
}

#[tokio::test]
async fn what_the_policy_refuses_is_denied_with_the_setting_that_allows_it() {
    let root = Root::new();
    let host = root.outer.path().to_str().unwrap();
    for (tool, arguments) in [
        ("files-read_file", json!({ "path": "../secret.txt" })),
        (
            "files-write_file",
            json!({ "path": "../secret.txt", "content": "x" }),
        ),
        ("files-list_directory", json!({ "path": ".." })),
    ] {
        let outcome = call(&root.policy, tool, arguments).await;
        let error = error_of(&outcome, ErrorKind::Denied);
        let hint = error.hint().unwrap();
        assert!(hint.contains("Policy::root"), "{hint}");
        assert!(hint.contains("--root DIR"), "{hint}");
        let text = outcome.text();
        assert!(
            !text.contains(host) && !text.contains("swordfish"),
            "{text}"
        );
    }
    let outcome = root.write(".mcp.json", json!({})).await;
    let error = error_of(&outcome, ErrorKind::Denied);
    assert_eq!(
        error.hint(),
        Some("to allow it use `Policy::control_files(ControlFiles::Allowed)`")
    );
    assert_eq!(
        fs::read_to_string(root.outer.path().join("secret.txt")).unwrap(),
        "swordfish"
    );
}
