//! Parts of files that are replaced.

use proptest::prelude::{ProptestConfig, prop_assert_eq, prop_assume, proptest};
use serde_json::{Value, json};
use tool_builtins::files::{FileErrorKind, Occurrences, edit_file};
use tool_core::ErrorKind;

use crate::root::Root;

fn edit(old: &str, new: &str) -> Value {
    json!({"path": "a.txt", "old_text": old, "new_text": new})
}

async fn edited(content: impl AsRef<[u8]>, old: &str, new: &str) -> Vec<u8> {
    let root = Root::new().with("a.txt", content);
    root.json("files-edit_file", edit(old, new)).await;
    root.bytes("a.txt")
}

async fn refused(content: impl AsRef<[u8]>, old: &str) -> String {
    let root = Root::new().with("a.txt", &content);
    let message = root
        .error("files-edit_file", edit(old, "new"), ErrorKind::Failed)
        .await;
    assert_eq!(root.bytes("a.txt"), content.as_ref(), "{message}");
    message
}

#[tokio::test]
async fn the_one_place_is_replaced_and_told() {
    let root = Root::new().with("a.txt", "one\ntwo\nthree\n");
    let told = root.json("files-edit_file", edit("two", "2")).await;
    assert_eq!(
        told,
        json!({"path": "a.txt", "replacements": 1, "line": 2, "bytes": 12})
    );
    assert_eq!(root.text("a.txt"), "one\n2\nthree\n");
    assert_eq!(edited("one\ntwo", "one\n", "").await, b"two");
}

#[tokio::test]
async fn line_breaks_match_each_other_and_stay_as_the_file_has_them() {
    for (content, old, new, expected) in [
        ("a\r\nb\r\nc\r\n", "a\nb", "a\nx\nb", "a\r\nx\r\nb\r\nc\r\n"),
        ("a\r\nb\r\nc\r\n", "b\r\nc", "x\r\ny", "a\r\nx\r\ny\r\n"),
        ("a\nb\n", "a\r\nb", "x\r\ny", "x\ny\n"),
        ("a\rb\rc", "b\nc", "x\ny", "a\rx\ry"),
        ("a\r\nb\nc\r\nd\r\n", "c", "x\ny", "a\r\nb\nx\r\ny\r\nd\r\n"),
        ("a\r\nb\nc\r\nd\r\n", "b\n", "", "a\r\nc\r\nd\r\n"),
    ] {
        let found = edited(content, old, new).await;
        assert_eq!(
            String::from_utf8(found).unwrap(),
            expected,
            "{content:?} {old:?}"
        );
    }
}

#[tokio::test]
async fn encoding_and_byte_order_mark_stay() {
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    for (content, expected) in [
        (
            "\u{feff}grün".as_bytes().to_vec(),
            "\u{feff}blau".as_bytes().to_vec(),
        ),
        (wide("\u{feff}grün 🎉"), wide("\u{feff}blau 🎉")),
        (wide("das ist grün"), wide("das ist blau")),
        (
            b"caf\xe9, na\xefve, d\xe9j\xe0 vu: gr\xfcn".to_vec(),
            b"caf\xe9, na\xefve, d\xe9j\xe0 vu: blau".to_vec(),
        ),
    ] {
        assert_eq!(
            edited(&content, "grün", "blau").await,
            expected,
            "{content:02x?}"
        );
    }
    let root = Root::new().with("a.txt", b"caf\xe9, na\xefve, d\xe9j\xe0 vu: gr\xfcn");
    let message = root
        .error("files-edit_file", edit("grün", "日本"), ErrorKind::Failed)
        .await;
    assert!(
        message.contains("windows-1252") && message.contains("UTF-8"),
        "{message}"
    );
}

#[tokio::test]
async fn what_is_there_several_times_says_where_and_is_replaced_only_on_demand() {
    let message = refused("x = 1\ny = 2\nx = 1\n", "x = 1").await;
    assert!(
        message.contains("2 times: in the lines that begin at 1, 3"),
        "{message}"
    );
    assert!(message.contains("replace_all"), "{message}");
    let message = refused("aaa", "aa").await;
    assert!(message.contains("2 times"), "{message}");
    let message = refused("a\n".repeat(5000), "a").await;
    assert!(message.contains("1000 times or more"), "{message}");
    assert!(message.len() < 400, "{message}");

    let root = Root::new().with("a.txt", "x = 1\ny = 2\nx = 1\n");
    let mut arguments = edit("x = 1", "x = 3");
    arguments["replace_all"] = true.into();
    let told = root.json("files-edit_file", arguments).await;
    assert_eq!(told["replacements"], 2);
    assert_eq!(root.text("a.txt"), "x = 3\ny = 2\nx = 3\n");
}

#[tokio::test]
async fn what_is_not_there_tells_what_is_nearest() {
    let file = "fn main() {\n\tlet total = sum(&prices);\n\tprintln!(\"{total}\");\n}\n";
    for (old, expected) in [
        (
            "    let total = sum(&prices);",
            "line 2 differs in white space only: the file has `\\tlet total",
        ),
        (
            "\tlet  total = sum(&prices);",
            "line 2 differs in white space only",
        ),
        (
            "fn main() {\n    let total",
            "line 2 differs in white space only",
        ),
        (
            "\tlet total = sum(&costs);",
            "nearest to its first line is line 2: `let total = sum(&prices);`",
        ),
        ("nothing like it", "read the file"),
    ] {
        let message = refused(file, old).await;
        assert!(
            message.contains("the old text is not in `a.txt`"),
            "{message}"
        );
        assert!(message.contains(expected), "{old:?}: {message}");
    }
    let message = refused("pass\u{200b}word = 1", "password = 1").await;
    assert!(message.contains("invisible"), "{message}");
    let hostile = "\u{1b}[31mlet total = 2\u{202e}\u{1b}[0m";
    let message = refused(hostile, "let total = 3").await;
    assert!(
        !message.contains('\u{1b}') && !message.contains('\u{202e}'),
        "{message:?}"
    );
}

#[tokio::test]
async fn what_cannot_be_edited_says_why() {
    for (content, old, expected) in [
        (
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(),
            "PNG",
            "image/png",
        ),
        (
            [
                b"plain".as_slice(),
                &b"\xff\xfe text and \xc3\x28".repeat(20),
            ]
            .concat(),
            "plain",
            "a part",
        ),
    ] {
        let root = Root::new().with("a.txt", &content);
        let outcome = root.call("files-edit_file", edit(old, "x")).await;
        // The second may be taken for a legacy encoding that gives each byte back.
        match outcome.result {
            Err(error) => assert!(error.to_model().contains(expected), "{}", error.to_model()),
            Ok(_) => assert_ne!(root.bytes("a.txt"), content),
        }
    }
    let root = Root::new().with("a.txt", "text").with("b/c.txt", "");
    for (path, old, new, expected) in [
        ("none.txt", "a", "b", "`none.txt` does not exist"),
        ("none/none.txt", "a", "b", "does not exist"),
        ("b", "a", "b", "is a directory"),
        ("a.txt", "text", "text", "nothing would change"),
    ] {
        let arguments = json!({"path": path, "old_text": old, "new_text": new});
        let message = root
            .error("files-edit_file", arguments, ErrorKind::Failed)
            .await;
        assert!(message.contains(expected), "{message}");
    }
    let message = root
        .error(
            "files-edit_file",
            edit("", "x"),
            ErrorKind::InvalidArguments,
        )
        .await;
    assert!(message.contains("old_text"), "{message}");
    assert!(
        !root.at("none").exists(),
        "a failed edit makes no directory"
    );
}

#[test]
fn an_edit_that_would_fill_the_memory_is_refused_before_it_does() {
    let root = Root::new().with("a.txt", "a".repeat(1 << 20));
    let new = "b".repeat(1 << 20);
    let error = edit_file(&root.policy, "a.txt", "a", &new, Occurrences::All).unwrap_err();
    assert_eq!(error.kind(), FileErrorKind::Unmatched, "{error}");
    assert_eq!(root.bytes("a.txt").len(), 1 << 20);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// All around the replaced text stays byte for byte, and editing back gives the old file.
    #[test]
    fn an_edit_changes_its_place_and_nothing_else(
        before in "[a-z \t\r\n\u{e9}]{0,40}",
        after in "[a-z \t\r\n\u{e9}]{0,40}",
        mark in proptest::bool::ANY,
    ) {
        let mark = if mark { "\u{feff}" } else { "" };
        let content = format!("{mark}{before}<OLD>{after}");
        let root = Root::new().with("a.txt", &content);
        let edited = edit_file(&root.policy, "a.txt", "<OLD>", "<NEW>", Occurrences::One).unwrap();
        let expected = format!("{mark}{before}<NEW>{after}");
        prop_assert_eq!(edited.bytes, expected.len());
        prop_assert_eq!(root.text("a.txt"), expected);
        edit_file(&root.policy, "a.txt", "<NEW>", "<OLD>", Occurrences::One).unwrap();
        prop_assert_eq!(root.text("a.txt"), content);
    }

    /// What is matched is what a plain search finds, and the file is untouched when it finds none or several.
    #[test]
    fn exactly_one_place_is_needed(content in "[ab\n]{0,30}", old in "[ab]{1,3}") {
        prop_assume!(!old.is_empty());
        let places = (0..content.len()).filter(|place| content[*place..].starts_with(&old)).count();
        let root = Root::new().with("a.txt", &content);
        let result = edit_file(&root.policy, "a.txt", &old, "c", Occurrences::One);
        prop_assert_eq!(result.is_ok(), places == 1);
        let expected = if places == 1 { content.replacen(&old, "c", 1) } else { content };
        prop_assert_eq!(root.text("a.txt"), expected);
    }
}
