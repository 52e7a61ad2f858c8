//! Lines that are found in files.

use serde_json::{Value, json};
use tool_builtins::OUTSIDE_NOTE;
use tool_core::ErrorKind;

use crate::root::Root;

async fn search(root: &Root, arguments: Value) -> String {
    let outcome = root.call("files-search_files", arguments).await;
    assert!(outcome.is_ok(), "{}", outcome.text());
    outcome.text().into_owned()
}

fn tree() -> Root {
    Root::new()
        .with(
            "a.rs",
            "fn one() {}\n\nfn two() {\n    one()\n}\n\n// the end\n",
        )
        .with("sub/b.txt", "ONE\r\nzwei\r\n")
        .with(
            "sub/wide.txt",
            "eins one drei"
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<_>>(),
        )
        .with("photo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR one")
        .with(".hidden.txt", "one")
        .with("skip/c.txt", "one")
        .with(".gitignore", "skip/\n")
}

#[tokio::test]
async fn lines_are_given_with_their_files_and_numbers() {
    let root = tree();
    let text = search(&root, json!({"pattern": "one"})).await;
    let expected = "a.rs\n1: fn one() {}\n4:     one()\n\nsub/wide.txt\n1: eins one drei\n[3 lines in 2 files, of 3 \
                    searched; 1 passed over: not text, too large or not readable]\n";
    assert_eq!(text, format!("{expected}{OUTSIDE_NOTE}"));
    let text = search(&root, json!({"pattern": "^one$", "ignore_case": true})).await;
    assert!(text.starts_with("sub/b.txt\n1: ONE\n["), "{text}");
    let text = search(
        &root,
        json!({"pattern": "one", "path": "sub/b.txt", "ignore_case": true}),
    )
    .await;
    assert!(
        text.starts_with("sub/b.txt\n1: ONE\n[1 line in 1 file"),
        "{text}"
    );
    let text = search(&root, json!({"pattern": "one", "glob": "*.rs"})).await;
    assert!(text.contains("of 1 searched"), "{text}");
    let text = search(&root, json!({"pattern": "nowhere"})).await;
    assert!(text.starts_with("No line matches."), "{text}");
    let text = search(
        &root,
        json!({"pattern": "one", "hidden": true, "ignored": true}),
    )
    .await;
    assert!(
        text.contains(".hidden.txt\n") && text.contains("skip/c.txt\n"),
        "{text}"
    );
}

#[tokio::test]
async fn the_lines_around_a_match_come_once_each() {
    let root = tree();
    let text = search(
        &root,
        json!({"pattern": "one", "path": "a.rs", "context": 1}),
    )
    .await;
    assert!(
        text.starts_with("a.rs\n1: fn one() {}\n2- \n3- fn two() {\n4:     one()\n5- }\n[2 lines"),
        "{text}"
    );
    let text = search(
        &root,
        json!({"pattern": "fn one|the end", "path": "a.rs", "context": 1}),
    )
    .await;
    assert!(
        text.starts_with("a.rs\n1: fn one() {}\n2- \n--\n6- \n7: // the end\n[2 lines"),
        "{text}"
    );
    let text = search(
        &root,
        json!({"pattern": ".", "path": "a.rs", "context": 10}),
    )
    .await;
    let numbers: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split([':', '-']).next())
        .take(8)
        .collect();
    assert_eq!(
        numbers,
        ["a.rs", "1", "2", "3", "4", "5", "6", "7"],
        "{text}"
    );
}

#[tokio::test]
async fn long_lines_are_cut_around_the_match_and_nothing_drives_a_terminal() {
    let line = format!("{}needle{}", "x".repeat(10_000), "é".repeat(10_000));
    let root = Root::new()
        .with("long.txt", &line)
        .with("a\u{1b}[31mb.txt", "needle \u{1b}[2J\u{202e}hidden");
    let text = search(&root, json!({"pattern": "needle"})).await;
    assert!(
        text.contains("1: …xxx") && text.contains("needleééé") && text.contains("é…\n"),
        "{text}"
    );
    assert!(
        text.len() < 1200 && !text.contains(['\u{1b}', '\u{202e}']),
        "{text:?}"
    );
}

#[tokio::test]
async fn the_number_of_lines_is_limited_and_the_rest_announced() {
    let root = Root::new()
        .with("a.txt", "x\n".repeat(500))
        .with("b.txt", "x\n");
    let text = search(&root, json!({"pattern": "x", "limit": 10})).await;
    assert!(
        text.contains("10: x\n[10 lines in 1 file") && text.contains("there may be more"),
        "{text}"
    );
    let root = Root::new().with("a.txt", "x\n".repeat(10));
    let text = search(&root, json!({"pattern": "x", "limit": 10})).await;
    assert!(!text.contains("there may be more"), "{text}");
}

#[tokio::test]
async fn an_expression_that_is_wrong_or_too_large_says_so() {
    let root = tree();
    for (pattern, expected) in [
        ("(", "unclosed group"),
        ("a(?=b)", "look-around"),
        ("(a)\\1", "backreferences are not supported"),
        ("\\pL{1000}{1000}", "too large"),
        (&("(".repeat(400) + "a" + &")".repeat(400)), "nest"),
    ] {
        let message = root
            .error(
                "files-search_files",
                json!({"pattern": pattern}),
                ErrorKind::Failed,
            )
            .await;
        assert!(message.contains("is no regular expression"), "{message}");
        assert!(message.contains(expected), "{pattern}: {message}");
        assert!(message.len() < 700, "{message}");
    }
}

#[tokio::test]
async fn an_expression_that_ruins_other_engines_takes_no_time() {
    let root = Root::new().with("a.txt", "a".repeat(100_000) + "!");
    for pattern in [
        "(a+)+$",
        "(a|aa)+$",
        "(.*a){12}$",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
    ] {
        search(&root, json!({"pattern": pattern})).await;
    }
}
