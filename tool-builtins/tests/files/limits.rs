//! Trees, files and file systems at their limits.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use serde_json::json;
use tool_builtins::Policy;
use tool_builtins::files::{WriteOptions, write_file};
use tool_builtins::policy::RecursiveDelete;
use tool_core::ErrorKind;

use crate::root::Root;

#[tokio::test]
async fn ten_thousand_files_in_one_directory_are_listed_found_and_searched() {
    let root = Root::new();
    for number in 0..10_000 {
        fs::write(
            root.at(&format!("{number:05}.txt")),
            format!("number {number}"),
        )
        .unwrap();
    }
    let listing = root.json("files-list_directory", json!({})).await;
    assert_eq!(listing["entries"].as_array().unwrap().len(), 1000);
    assert_eq!(listing["total"], 10_000);
    let found = root
        .json(
            "files-find_files",
            json!({"pattern": "*99.txt", "limit": 5}),
        )
        .await;
    assert_eq!(found["paths"].as_array().unwrap().len(), 5);
    assert_eq!(found["total"], 100);
    let arguments = json!({"pattern": "number 99(98|99)$"});
    let text = root
        .call("files-search_files", arguments)
        .await
        .text()
        .into_owned();
    assert!(
        text.contains("2 lines in 2 files, of 10000 searched"),
        "{text}"
    );
    let arguments = json!({"path": ".", "pattern": "."});
    let text = root
        .call("files-search_files", arguments)
        .await
        .text()
        .into_owned();
    assert!(text.contains("there may be more"), "{text}");
}

/// Makes a tree so deep that no path reaches its end.
fn deep(root: &Root, levels: usize) {
    let mut directory =
        cap_std::fs::Dir::open_ambient_dir(root.directory.path(), cap_std::ambient_authority())
            .unwrap();
    for _ in 0..levels {
        directory.create_dir("d").unwrap();
        directory = directory.open_dir("d").unwrap();
    }
    directory.write("needle.txt", "needle").unwrap();
}

#[tokio::test]
async fn ten_thousand_levels_are_walked_as_far_as_a_path_leads() {
    let mut root = Root::new().with("d/needle.txt", "needle");
    fs::remove_dir_all(root.at("d")).unwrap();
    deep(&root, 10_000);
    root.put("e/needle.txt", "needle");
    root.policy = root
        .policy
        .clone()
        .recursive_delete(RecursiveDelete::Allowed);
    let listing = root
        .json(
            "files-list_directory",
            json!({"depth": 128, "limit": 10_000}),
        )
        .await;
    assert_eq!(listing["total"], 130);
    let found = root
        .json("files-find_files", json!({"pattern": "needle.txt"}))
        .await;
    assert_eq!(found["paths"], json!(["e/needle.txt"]));
    assert_eq!(found["incomplete"], true);
    let text = root
        .call("files-search_files", json!({"pattern": "needle"}))
        .await
        .text()
        .into_owned();
    assert!(
        text.contains("e/needle.txt") && text.contains("there may be more"),
        "{text}"
    );
    // What cannot be looked through is not moved and not deleted.
    for (tool, arguments) in [
        ("files-move_file", json!({"path": "d", "to": "f"})),
        ("files-delete_file", json!({"path": "d", "recursive": true})),
    ] {
        let message = root.error(tool, arguments, ErrorKind::Failed).await;
        assert!(message.contains("too much to look through"), "{message}");
    }
    let path = "d/".repeat(300) + "new.txt";
    let arguments = json!({"path": path, "content": "x"});
    let message = root
        .error("files-write_file", arguments, ErrorKind::Failed)
        .await;
    assert!(message.contains("128 parts"), "{message}");
    let path = "x/".repeat(126) + "new.txt";
    root.json("files-write_file", json!({"path": path, "content": "x"}))
        .await;
    // The directory's own clean-up recurses; a program of its own has its own stack.
    let removed = Command::new("rm").arg("-rf").arg(root.at("d")).status();
    assert!(removed.is_ok_and(|status| status.success()));
}

#[tokio::test]
async fn what_the_operating_system_forbids_says_so() {
    let root = Root::new()
        .with("locked/a.txt", "text")
        .with("secret.txt", "text");
    fs::set_permissions(root.at("secret.txt"), fs::Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(root.at("locked"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(root.at("secret.txt")).is_ok() {
        println!("skipped: this user may read everything");
    } else {
        for (tool, arguments) in [
            ("files-read_file", json!({"path": "secret.txt"})),
            ("files-read_file", json!({"path": "locked/a.txt"})),
            ("files-list_directory", json!({"path": "locked"})),
            (
                "files-write_file",
                json!({"path": "locked/b.txt", "content": "x"}),
            ),
            ("files-delete_file", json!({"path": "locked/a.txt"})),
        ] {
            let message = root.error(tool, arguments, ErrorKind::Failed).await;
            assert!(message.contains("not permitted"), "{message}");
        }
        let listing = root.json("files-list_directory", json!({"depth": 3})).await;
        assert_eq!(listing["unreadable"], 1);
    }
    fs::set_permissions(root.at("locked"), fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn a_full_disk_leaves_the_old_file_and_no_draft() {
    let directory = tempfile::tempdir().unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=64k", "none"])
        .arg(directory.path())
        .output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        println!("skipped: nothing can be mounted");
        return;
    }
    let policy = Policy::new().root(directory.path());
    let write = |path: &str, size: usize| {
        let content = "x".repeat(size).into();
        let options = WriteOptions::default().mode(tool_builtins::files::WriteMode::Overwrite);
        write_file(&policy, path, &content, &options)
    };
    let kept = write("a.txt", 1000).map(|written| written.bytes);
    let error = write("a.txt", 1 << 20).map_err(|error| error.to_string());
    let other = write("b.txt", 1 << 20).is_err();
    let names: Vec<_> = fs::read_dir(directory.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    let content = fs::read(directory.path().join("a.txt"));
    // It holds the directory open.
    drop(policy);
    let unmounted = Command::new("umount").arg(directory.path()).status();
    assert!(unmounted.is_ok_and(|status| status.success()));
    assert_eq!(kept.unwrap(), 1000);
    assert!(error.unwrap_err().contains("storage"), "the reason is told");
    assert!(other);
    assert_eq!(names, ["a.txt"]);
    assert_eq!(content.unwrap().len(), 1000);
}
