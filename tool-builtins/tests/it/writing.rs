//! Files that are written.

use serde_json::{Value, json};
use tempfile::TempDir;
use tool_builtins::Policy;
use tool_builtins::files::{
    Content, FileErrorKind, ReadOptions, WriteMode, WriteOptions, read_file, write_file,
};

fn overwrite() -> WriteOptions {
    WriteOptions::default().mode(WriteMode::Overwrite)
}

fn root() -> (TempDir, Policy) {
    let directory = tempfile::tempdir().unwrap();
    let policy = Policy::new().root(directory.path());
    (directory, policy)
}

fn written(name: &str, content: &Value) -> String {
    let (directory, policy) = root();
    let written = write_file(&policy, name, content, &overwrite()).unwrap();
    let text = std::fs::read_to_string(directory.path().join(name)).unwrap();
    assert_eq!(written.bytes, text.len());
    text
}

#[test]
fn a_string_is_written_as_it_is_whatever_the_name() {
    for name in [
        "a.txt",
        "a.json",
        "a.csv",
        "noextension",
        "ünï 日本.md",
        "-rf",
        "a\nb",
    ] {
        for text in [
            "",
            "plain",
            "{\"a\": 1}",
            "=1+1",
            "line\r\nline\n",
            "\u{feff}x\u{0}\u{202e}",
        ] {
            assert_eq!(written(name, &text.into()), text);
        }
    }
}

#[test]
fn other_values_are_written_as_indented_json_that_reads_back() {
    let value = json!({"b": [1, 2.5, null], "a": {"x": "é"}});
    let text = written("a.json", &value);
    assert_eq!(
        text,
        "{\n  \"b\": [\n    1,\n    2.5,\n    null\n  ],\n  \"a\": {\n    \"x\": \"é\"\n  }\n}\n"
    );
    let (_directory, policy) = root();
    write_file(&policy, "deep/er/a.json", &value, &overwrite()).unwrap();
    let read = read_file(&policy, "deep/er/a.json", &ReadOptions::default()).unwrap();
    assert_eq!(read.content, Content::Json(value));
}

#[test]
fn rows_are_written_as_a_table_that_reads_back() {
    let rows =
        json!([{"name": "Ann, A.", "zip": "00123"}, {"name": "Bob", "age": 40, "zip": null}]);
    assert_eq!(
        written("a.csv", &rows),
        "name,zip,age\n\"Ann, A.\",00123,\nBob,,40\n"
    );
    assert_eq!(
        written("a.tsv", &json!([["a", "b"], [1, "x\ty"]])),
        "a\tb\n1\t\"x\ty\"\n"
    );
    assert_eq!(written("a.csv", &json!([])), "");
}

#[test]
fn a_cell_that_a_spreadsheet_would_run_is_made_text_and_a_number_is_not() {
    let rows = json!([[
        "=1+1", "+1", "-2.5", "@SUM(A1)", "+cmd|x", "\t=1", "＝1", "a=b", -3
    ]]);
    assert_eq!(
        written("a.csv", &rows),
        "'=1+1,+1,-2.5,'@SUM(A1),'+cmd|x,'\t=1,'＝1,a=b,-3\n"
    );
}

#[test]
fn a_value_that_is_no_table_is_not_written_as_one() {
    let (directory, policy) = root();
    for value in [
        json!({"a": 1}),
        json!(5),
        json!([1, 2]),
        json!([{"a": 1}, [2]]),
        json!([[1], {"a": 2}]),
    ] {
        let error = write_file(&policy, "a.csv", &value, &overwrite()).unwrap_err();
        assert_eq!(error.kind(), FileErrorKind::Unwritable, "{value}");
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn a_reader_sees_the_old_file_or_the_new_one_and_nothing_between() {
    let (directory, policy) = root();
    let path = directory.path().join("a.txt");
    let versions = ["a".repeat(200_000), "b".repeat(100_000)];
    std::fs::write(&path, &versions[0]).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0..100 {
                write_file(
                    &policy,
                    "a.txt",
                    &versions[round % 2].as_str().into(),
                    &overwrite(),
                )
                .unwrap();
            }
        });
        for _ in 0..300 {
            let seen = std::fs::read_to_string(&path).unwrap();
            assert!(versions.contains(&seen), "{} bytes", seen.len());
        }
    });
}
