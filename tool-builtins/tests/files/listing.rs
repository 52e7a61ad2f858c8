//! Directories that are listed, and what is known of one file.

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use tool_core::ErrorKind;

use crate::root::Root;

fn names(listing: &Value) -> Vec<&str> {
    let entries = listing["entries"].as_array().unwrap();
    entries
        .iter()
        .map(|entry| entry["name"].as_str().unwrap())
        .collect()
}

fn age(root: &Root, path: &str, days: u64) {
    let file = std::fs::File::options()
        .write(true)
        .open(root.at(path))
        .unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(days * 86_400))
        .unwrap();
}

fn tree() -> Root {
    let root = Root::new()
        .with("b.txt", "12345")
        .with("a/c.txt", "1")
        .with("a/deep/d.txt", "123")
        .with(".hidden", "x")
        .with("a/.also", "x");
    age(&root, "b.txt", 1);
    age(&root, "a/c.txt", 3);
    age(&root, "a/deep/d.txt", 2);
    root
}

#[tokio::test]
async fn depth_hidden_names_and_limits_are_the_callers_choice() {
    let root = tree();
    let list = async |arguments: Value| root.json("files-list_directory", arguments).await;
    let listing = list(json!({})).await;
    assert_eq!(names(&listing), ["a", "b.txt"]);
    assert_eq!(
        (&listing["total"], &listing["hidden"]),
        (&json!(2), &json!(1))
    );
    let listing = list(json!({"depth": 2})).await;
    assert_eq!(names(&listing), ["a", "a/c.txt", "a/deep", "b.txt"]);
    let listing = list(json!({"depth": 128, "hidden": true})).await;
    assert_eq!(
        names(&listing),
        [
            ".hidden",
            "a",
            "a/.also",
            "a/c.txt",
            "a/deep",
            "a/deep/d.txt",
            "b.txt"
        ]
    );
    assert_eq!(listing.get("hidden"), None);
    let listing = list(json!({"depth": 9, "limit": 2})).await;
    assert_eq!((names(&listing).len(), &listing["total"]), (2, &json!(5)));
}

#[tokio::test]
async fn the_order_is_by_name_size_or_time() {
    let root = tree();
    let list = async |order: &str| {
        let arguments = json!({"depth": 3, "order": order});
        root.json("files-list_directory", arguments).await
    };
    let files = |listing: &Value| -> Vec<String> {
        let names = names(listing).into_iter();
        names
            .filter(|name| name.contains(".txt"))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(
        files(&list("name").await),
        ["a/c.txt", "a/deep/d.txt", "b.txt"]
    );
    assert_eq!(
        files(&list("size").await),
        ["b.txt", "a/deep/d.txt", "a/c.txt"]
    );
    let newest = list("newest").await;
    assert_eq!(files(&newest), ["a/c.txt", "a/deep/d.txt", "b.txt"]);
    let entries = newest["entries"].as_array().unwrap();
    let last = entries
        .iter()
        .find(|entry| entry["name"] == "b.txt")
        .unwrap();
    assert_eq!(last["modified"], "1970-01-02T00:00:00Z");
}

#[tokio::test]
async fn what_is_known_of_a_file_is_told() {
    let root = Root::new()
        .with("notes.md", "eins\r\nzwei\n")
        .with("a.bin", b"\0\x01\x02\x03\0\0\0\x07")
        .with("photo.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
        .with(
            "wide.csv",
            "a,b"
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<_>>(),
        );
    age(&root, "notes.md", 10);
    let mut info = root
        .json(
            "files-file_info",
            json!({"path": "notes.md", "sha256": true}),
        )
        .await;
    info.as_object_mut().unwrap().remove("created");
    assert_eq!(
        info,
        json!({
            "path": "notes.md",
            "kind": "file",
            "size": 11,
            "modified": "1970-01-11T00:00:00Z",
            "mime_type": "text/markdown",
            "encoding": "UTF-8",
            "lines": 2,
            "sha256": "7e4de28a78f4c483e7a95367ea96ee3d64a1b85f2b4617e88e98484b7dcf202d",
        })
    );
    let info = root.json("files-file_info", json!({"path": "a.bin"})).await;
    assert_eq!(info["mime_type"], "application/octet-stream");
    assert_eq!((info.get("lines"), info.get("sha256")), (None, None));
    let info = root
        .json("files-file_info", json!({"path": "photo.txt"}))
        .await;
    assert_eq!(info["mime_type"], "image/png");
    let info = root
        .json("files-file_info", json!({"path": "wide.csv"}))
        .await;
    assert_eq!(
        (&info["mime_type"], &info["encoding"]),
        (&json!("text/csv"), &json!("UTF-16LE"))
    );
    let info = root.json("files-file_info", json!({"path": "."})).await;
    assert_eq!(
        (&info["kind"], info.get("size")),
        (&json!("directory"), None)
    );
    let message = root
        .error(
            "files-file_info",
            json!({"path": "none"}),
            ErrorKind::Failed,
        )
        .await;
    assert!(message.contains("does not exist"), "{message}");
}

#[tokio::test]
async fn a_file_beyond_the_limit_of_reading_still_has_a_size() {
    let mut root = Root::new().with("large.txt", "x".repeat(100));
    root.policy = root.policy.clone().max_file_read(10);
    let arguments = json!({"path": "large.txt", "sha256": true});
    let info = root.json("files-file_info", arguments).await;
    assert_eq!(info["size"], 100);
    assert_eq!((info.get("lines"), info.get("sha256")), (None, None));
}
