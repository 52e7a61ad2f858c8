//! Files that are written: modes and formats.

use serde_json::{Value, json};
use tool_core::ErrorKind;

use crate::root::Root;

fn write(path: &str, content: Value, mode: &str) -> Value {
    json!({"path": path, "content": content, "mode": mode})
}

#[tokio::test]
async fn each_mode_does_with_an_existing_file_what_it_says() {
    let root = Root::new().with("a.txt", "one\n");
    let message = root
        .error(
            "files-write_file",
            write("a.txt", json!("two"), "create"),
            ErrorKind::Failed,
        )
        .await;
    assert!(
        message.contains("exists already") && message.contains("`overwrite`"),
        "{message}"
    );
    assert_eq!(root.text("a.txt"), "one\n");

    let told = root
        .json("files-write_file", write("a.txt", json!("two\n"), "append"))
        .await;
    assert_eq!(told, json!({"path": "a.txt", "bytes": 8, "lines": 2}));
    assert_eq!(root.text("a.txt"), "one\ntwo\n");

    let told = root
        .json(
            "files-write_file",
            write("a.txt", json!("three"), "overwrite"),
        )
        .await;
    assert_eq!(told, json!({"path": "a.txt", "bytes": 5, "lines": 1}));
    assert_eq!(root.text("a.txt"), "three");

    for mode in ["create", "append", "overwrite"] {
        let path = format!("new/{mode}.txt");
        root.json("files-write_file", write(&path, json!("x"), mode))
            .await;
        assert_eq!(root.text(&path), "x");
    }
}

#[tokio::test]
async fn what_is_added_gets_the_encoding_of_the_file() {
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
    let root = Root::new()
        .with("wide.txt", wide("\u{feff}one"))
        .with("odd.txt", b"caf\xc3\xa9 \xff\n")
        .with("empty.txt", "");
    for path in ["wide.txt", "empty.txt"] {
        root.json("files-write_file", write(path, json!(" é"), "append"))
            .await;
    }
    assert_eq!(root.bytes("wide.txt"), wide("\u{feff}one é"));
    assert_eq!(root.text("empty.txt"), " é");
    root.json(
        "files-write_file",
        write("odd.txt", json!("plain"), "append"),
    )
    .await;
    assert_eq!(root.bytes("odd.txt"), b"caf\xc3\xa9 \xff\nplain");
}

#[tokio::test]
async fn rows_that_are_added_fit_the_table_that_is_there() {
    let root = Root::new().with("team.csv", "name;year\nAda;1815");
    let rows = json!([{"year": 1912, "name": "Alan"}, {"name": "Grace"}]);
    root.json("files-write_file", write("team.csv", rows, "append"))
        .await;
    assert_eq!(
        root.text("team.csv"),
        "name;year\nAda;1815\nAlan;1912\nGrace;\n"
    );
    root.json(
        "files-write_file",
        write("team.csv", json!([["Joan", 1917]]), "append"),
    )
    .await;
    assert!(root.text("team.csv").ends_with("Grace;\nJoan;1917\n"));
    let message = root
        .error(
            "files-write_file",
            write("team.csv", json!([{"name": "Eve", "age": 5}]), "append"),
            ErrorKind::Failed,
        )
        .await;
    assert!(message.contains("no column `age`"), "{message}");
}

#[tokio::test]
async fn a_format_counts_more_than_the_name() {
    let root = Root::new();
    let table = json!({"path": "team.txt", "content": [["a", 1]], "format": "table"});
    root.json("files-write_file", table).await;
    assert_eq!(root.text("team.txt"), "a,1\n");
    let bytes = json!({"path": "a.bin", "content": "AAEC\n/w==", "format": "base64"});
    let told = root.json("files-write_file", bytes).await;
    assert_eq!(told, json!({"path": "a.bin", "bytes": 4}));
    assert_eq!(root.bytes("a.bin"), [0, 1, 2, 255]);
    for (content, format, expected) in [
        (json!("***"), "base64", "no base64"),
        (json!([1]), "base64", "base64 is a string"),
        (json!("a,b"), "table", "a table is an array"),
    ] {
        let arguments = json!({"path": "b.csv", "content": content, "format": format});
        let message = root
            .error("files-write_file", arguments, ErrorKind::Failed)
            .await;
        assert!(message.contains(expected), "{message}");
        assert!(!root.at("b.csv").exists());
    }
}

#[tokio::test]
async fn a_table_that_is_mostly_empty_is_not_made() {
    let rows: Vec<Value> = (0..5000).map(|key| json!({format!("k{key}"): 1})).collect();
    let root = Root::new();
    let arguments = json!({"path": "wide.csv", "content": rows});
    let message = root
        .error("files-write_file", arguments, ErrorKind::Failed)
        .await;
    assert!(message.contains("cells"), "{message}");
}

#[tokio::test]
async fn content_beyond_the_limit_is_refused_with_the_setting() {
    let mut root = Root::new().with("a.txt", "12345678");
    root.policy = root.policy.clone().max_file_write(10);
    for (path, content, mode, is_fine) in [
        ("b.txt", "1234567890", "create", true),
        ("c.txt", "12345678901", "create", false),
        ("a.txt", "12", "append", true),
        ("a.txt", "3", "append", false),
        ("a.txt", "12345678901", "overwrite", false),
    ] {
        let arguments = write(path, json!(content), mode);
        if is_fine {
            root.json("files-write_file", arguments).await;
        } else {
            let message = root
                .error("files-write_file", arguments, ErrorKind::Failed)
                .await;
            assert!(message.contains("Policy::max_file_write"), "{message}");
        }
    }
    assert_eq!(root.text("a.txt"), "1234567812");
    assert!(!root.at("c.txt").exists());
}

#[cfg(unix)]
#[tokio::test]
async fn a_replaced_file_keeps_its_permissions_but_none_to_run_as_its_owner() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;
    let root = Root::new().with("a.sh", "old").with("b.sh", "old");
    for (path, mode, expected) in [("a.sh", 0o4751, 0o751), ("b.sh", 0o600, 0o600)] {
        set_permissions(root.at(path), Permissions::from_mode(mode)).unwrap();
        root.json("files-write_file", write(path, json!("new"), "overwrite"))
            .await;
        let metadata = std::fs::metadata(root.at(path)).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o7777, expected, "{path}");
    }
    set_permissions(root.at("a.sh"), Permissions::from_mode(0o4755)).unwrap();
    root.json("files-copy_file", json!({"path": "a.sh", "to": "c.sh"}))
        .await;
    let metadata = std::fs::metadata(root.at("c.sh")).unwrap();
    assert_eq!(metadata.permissions().mode() & 0o7777, 0o755);
}
