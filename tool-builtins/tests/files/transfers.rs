//! Files and directories that are copied, moved, made and deleted.

use serde_json::json;
use tool_builtins::policy::RecursiveDelete;
use tool_core::ErrorKind;

use crate::root::Root;

#[tokio::test]
async fn a_copy_has_the_content_and_leaves_the_original() {
    let content = [0, 159, 146, 150, 10];
    let root = Root::new().with("a.bin", content).with("taken.bin", "old");
    let told = root
        .json(
            "files-copy_file",
            json!({"path": "a.bin", "to": "new/deep/b.bin"}),
        )
        .await;
    assert_eq!(
        told,
        json!({"path": "a.bin", "to": "new/deep/b.bin", "bytes": 5})
    );
    assert_eq!(
        (root.bytes("a.bin"), root.bytes("new/deep/b.bin")),
        (content.to_vec(), content.to_vec())
    );
    let message = root
        .error(
            "files-copy_file",
            json!({"path": "a.bin", "to": "taken.bin"}),
            ErrorKind::Failed,
        )
        .await;
    assert!(
        message.contains("`taken.bin` exists already") && message.contains("overwrite"),
        "{message}"
    );
    root.json(
        "files-copy_file",
        json!({"path": "a.bin", "to": "taken.bin", "overwrite": true}),
    )
    .await;
    assert_eq!(root.bytes("taken.bin"), content);
    root.json(
        "files-copy_file",
        json!({"path": "a.bin", "to": "a.bin", "overwrite": true}),
    )
    .await;
    assert_eq!(
        root.bytes("a.bin"),
        content,
        "a copy over itself changes nothing"
    );
}

#[tokio::test]
async fn a_copy_beyond_the_limit_is_refused_and_leaves_nothing() {
    let mut root = Root::new().with("a.txt", "12345678901");
    root.policy = root.policy.clone().max_file_write(10);
    let arguments = json!({"path": "a.txt", "to": "b.txt"});
    let message = root
        .error("files-copy_file", arguments, ErrorKind::Failed)
        .await;
    assert!(message.contains("Policy::max_file_write"), "{message}");
    assert_eq!(std::fs::read_dir(root.directory.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn files_and_directories_are_moved_and_nothing_is_replaced_unasked() {
    let root = Root::new()
        .with("a.txt", "a")
        .with("b.txt", "b")
        .with("dir/c.txt", "c")
        .with("other/d.txt", "d");
    let told = root
        .json(
            "files-move_file",
            json!({"path": "a.txt", "to": "new/e.txt"}),
        )
        .await;
    assert_eq!(
        told,
        json!({"path": "a.txt", "to": "new/e.txt", "kind": "file"})
    );
    assert_eq!(root.text("new/e.txt"), "a");
    assert!(!root.at("a.txt").exists());
    for (path, to, overwrite, expected) in [
        ("new/e.txt", "b.txt", false, "exists already"),
        ("dir", "other", false, "exists already"),
        ("dir", "other", true, "exists already"),
        ("dir", "b.txt", true, "exists already"),
        ("b.txt", "dir", true, "exists already"),
        ("dir", "dir/inside", false, "into itself"),
        ("dir", "dir/../dir/inside", false, "into itself"),
        ("none.txt", "x", false, "does not exist"),
        (".", "x", false, "without a name"),
        ("dir/..", "x", false, "without a name"),
        ("b.txt", "dir/", true, "is a directory"),
    ] {
        let arguments = json!({"path": path, "to": to, "overwrite": overwrite});
        let message = root
            .error("files-move_file", arguments, ErrorKind::Failed)
            .await;
        assert!(message.contains(expected), "{path} {to}: {message}");
    }
    let told = root
        .json("files-move_file", json!({"path": "dir", "to": "moved/dir"}))
        .await;
    assert_eq!(told["kind"], "directory");
    assert_eq!(root.text("moved/dir/c.txt"), "c");
    root.json(
        "files-move_file",
        json!({"path": "new/e.txt", "to": "b.txt", "overwrite": true}),
    )
    .await;
    assert_eq!(root.text("b.txt"), "a");
}

#[tokio::test]
async fn a_directory_is_deleted_with_its_content_only_where_the_policy_allows_it() {
    let mut root = Root::new()
        .with("a.txt", "a")
        .with("dir/b.txt", "b")
        .with("dir/sub/c.txt", "c");
    std::fs::create_dir(root.at("empty")).unwrap();
    let delete =
        async |root: &Root, path: &str| root.json("files-delete_file", json!({"path": path})).await;
    assert_eq!(
        delete(&root, "a.txt").await,
        json!({"kind": "file", "entries": 1})
    );
    assert_eq!(
        delete(&root, "empty").await,
        json!({"kind": "directory", "entries": 1})
    );
    assert!(!root.at("a.txt").exists() && !root.at("empty").exists());

    let message = root
        .error(
            "files-delete_file",
            json!({"path": "dir"}),
            ErrorKind::Failed,
        )
        .await;
    assert!(message.contains("not empty"), "{message}");
    let whole = json!({"path": "dir", "recursive": true});
    let message = root
        .error("files-delete_file", whole.clone(), ErrorKind::Denied)
        .await;
    assert!(message.contains("Policy::recursive_delete"), "{message}");
    assert_eq!(root.text("dir/sub/c.txt"), "c");

    root.policy = root
        .policy
        .clone()
        .recursive_delete(RecursiveDelete::Allowed);
    let told = root.json("files-delete_file", whole).await;
    assert_eq!(told, json!({"kind": "directory", "entries": 4}));
    assert!(!root.at("dir").exists());
    for path in [".", "./", "x/.."] {
        let arguments = json!({"path": path, "recursive": true});
        let message = root
            .error("files-delete_file", arguments, ErrorKind::Failed)
            .await;
        assert!(message.contains("without a name"), "{message}");
    }
    let message = root
        .error(
            "files-delete_file",
            json!({"path": "dir"}),
            ErrorKind::Failed,
        )
        .await;
    assert!(message.contains("does not exist"), "{message}");
}

#[tokio::test]
async fn a_directory_is_made_once() {
    let root = Root::new().with("file", "x");
    let make = json!({"path": "a/b/c"});
    let told = root.json("files-create_directory", make.clone()).await;
    assert_eq!(told, json!({"path": "a/b/c", "created": true}));
    assert!(root.at("a/b/c").is_dir());
    assert_eq!(
        root.json("files-create_directory", make).await["created"],
        false
    );
    for path in ["file", "file/x"] {
        root.error(
            "files-create_directory",
            json!({"path": path}),
            ErrorKind::Failed,
        )
        .await;
    }
}
