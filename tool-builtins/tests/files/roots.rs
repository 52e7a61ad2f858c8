//! Several roots, and what may be done below each.

use serde_json::{Value, json};
use tempfile::TempDir;
use tool_builtins::policy::Access;
use tool_core::ErrorKind;

use crate::root::Root;

fn roots() -> (Root, TempDir) {
    let outer = tempfile::tempdir().unwrap();
    std::fs::create_dir(outer.path().join("manuals")).unwrap();
    std::fs::write(outer.path().join("manuals/intro.md"), "Welcome").unwrap();
    std::fs::write(outer.path().join("secret.txt"), "swordfish").unwrap();
    let mut root = Root::new()
        .with("a.txt", "main")
        .with("odd:name.txt", "odd");
    root.policy = root
        .policy
        .clone()
        .add_root("manuals", outer.path().join("manuals"), Access::ReadOnly)
        .add_root("gone", outer.path().join("gone"), Access::ReadWrite);
    (root, outer)
}

#[tokio::test]
async fn a_further_root_is_read_by_its_name() {
    let (root, _outer) = roots();
    for path in [
        "manuals:/intro.md",
        "manuals:intro.md",
        "manuals:///intro.md",
        "manuals:/./intro.md",
    ] {
        let text = root
            .call("files-read_file", json!({"path": path}))
            .await
            .text()
            .into_owned();
        assert!(text.starts_with("Welcome"), "{path}: {text}");
    }
    let found = root
        .json(
            "files-find_files",
            json!({"path": "manuals:/", "pattern": "*.md"}),
        )
        .await;
    assert_eq!(found["paths"], json!(["manuals:/intro.md"]));
    let text = root
        .call(
            "files-search_files",
            json!({"path": "manuals:", "pattern": "Wel"}),
        )
        .await
        .text()
        .into_owned();
    assert!(text.starts_with("manuals:/intro.md\n1: Welcome"), "{text}");
    let listing = root.json("files-list_directory", json!({})).await;
    assert_eq!(listing["roots"], json!(["manuals:/ (read only)", "gone:/"]));
    let text = root
        .call("files-read_file", json!({"path": "odd:name.txt"}))
        .await
        .text()
        .into_owned();
    assert!(
        text.starts_with("odd"),
        "a name that is no root's is a name: {text}"
    );
    root.json(
        "files-copy_file",
        json!({"path": "manuals:/intro.md", "to": "copy.md"}),
    )
    .await;
    assert_eq!(root.text("copy.md"), "Welcome");
}

#[tokio::test]
async fn a_root_to_read_is_changed_by_no_tool() {
    let (root, outer) = roots();
    let mut closed = Root::new().with("a.txt", "main");
    closed.policy = closed.policy.clone().root_access(Access::ReadOnly);
    for (root, path) in [(&root, "manuals:/intro.md"), (&closed, "a.txt")] {
        let calls: [(&str, Value); 8] = [
            (
                "files-write_file",
                json!({"path": path, "content": "x", "mode": "overwrite"}),
            ),
            (
                "files-write_file",
                json!({"path": path, "content": "x", "mode": "append"}),
            ),
            (
                "files-edit_file",
                json!({"path": path, "old_text": "main", "new_text": "x"}),
            ),
            ("files-delete_file", json!({"path": path})),
            ("files-move_file", json!({"path": path, "to": "b.txt"})),
            (
                "files-move_file",
                json!({"path": "a.txt", "to": format!("{path}2")}),
            ),
            (
                "files-copy_file",
                json!({"path": "a.txt", "to": format!("{path}2")}),
            ),
            (
                "files-create_directory",
                json!({"path": format!("{path}3")}),
            ),
        ];
        for (tool, arguments) in calls {
            let message = root.error(tool, arguments, ErrorKind::Denied).await;
            assert!(message.contains("Access::ReadWrite"), "{tool}: {message}");
        }
    }
    assert_eq!(
        std::fs::read_dir(outer.path().join("manuals"))
            .unwrap()
            .count(),
        1
    );
    assert_eq!(root.text("a.txt"), "main");
}

#[tokio::test]
async fn no_root_leads_out_of_itself() {
    let (root, outer) = roots();
    for path in [
        "manuals:/../secret.txt",
        "manuals:../secret.txt",
        "manuals:/../manuals/intro.md",
        "manuals:manuals:/intro.md",
    ] {
        let outcome = root.call("files-read_file", json!({"path": path})).await;
        let error = outcome.result.unwrap_err().to_model();
        assert!(!error.contains("swordfish"), "{error}");
        assert!(!error.contains(outer.path().to_str().unwrap()), "{error}");
    }
    let message = root
        .error(
            "files-read_file",
            json!({"path": "gone:/x"}),
            ErrorKind::Failed,
        )
        .await;
    assert!(message.contains("cannot be opened"), "{message}");
    for path in ["other:/intro.md", ":/intro.md", "Manuals:/intro.md"] {
        root.error("files-read_file", json!({"path": path}), ErrorKind::Failed)
            .await;
    }
}
