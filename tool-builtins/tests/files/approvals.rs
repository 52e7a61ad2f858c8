//! Which calls a person is asked about.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tool_builtins::files;
use tool_core::{Call, Catalogue, Decision, ErrorKind, Executor, Rule, Selector};

use crate::root::Root;

fn cases() -> Vec<(&'static str, Value, bool)> {
    vec![
        ("files-read_file", json!({"path": "a.txt"}), false),
        ("files-list_directory", json!({}), false),
        ("files-find_files", json!({"pattern": "*"}), false),
        ("files-search_files", json!({"pattern": "x"}), false),
        ("files-file_info", json!({"path": "a.txt"}), false),
        ("files-create_directory", json!({"path": "new"}), false),
        (
            "files-write_file",
            json!({"path": "b.txt", "content": "x"}),
            false,
        ),
        (
            "files-write_file",
            json!({"path": "a.txt", "content": "x", "mode": "append"}),
            false,
        ),
        (
            "files-write_file",
            json!({"path": "a.txt", "content": "one", "mode": "overwrite"}),
            true,
        ),
        (
            "files-edit_file",
            json!({"path": "a.txt", "old_text": "one", "new_text": "two"}),
            true,
        ),
        (
            "files-copy_file",
            json!({"path": "a.txt", "to": "c.txt"}),
            false,
        ),
        (
            "files-copy_file",
            json!({"path": "a.txt", "to": "c.txt", "overwrite": true}),
            true,
        ),
        (
            "files-move_file",
            json!({"path": "a.txt", "to": "d.txt"}),
            false,
        ),
        (
            "files-move_file",
            json!({"path": "d.txt", "to": "c.txt", "overwrite": true}),
            true,
        ),
        ("files-delete_file", json!({"path": "c.txt"}), true),
    ]
}

#[tokio::test]
async fn replacing_and_deleting_is_asked_about_and_nothing_else() {
    let root = Root::new().with("a.txt", "one");
    let asked = Arc::new(Mutex::new(0));
    let count = Arc::clone(&asked);
    let executor = Executor::builder(Catalogue::new(files::TOOLS).unwrap())
        .state(root.policy.clone())
        .approval(move |_| {
            *count.lock().unwrap() += 1;
            async { Decision::Allow }
        })
        .build()
        .unwrap();
    for (tool, arguments, is_asked) in cases() {
        let shown = format!("{tool} {arguments}");
        let outcome = executor.call(Call::new("1", tool, arguments)).await;
        assert!(outcome.is_ok(), "{shown}: {}", outcome.text());
        let times = std::mem::take(&mut *asked.lock().unwrap());
        assert_eq!(times, usize::from(is_asked), "{shown}");
    }
}

#[tokio::test]
async fn with_nobody_to_ask_they_are_denied_and_nothing_changes() {
    let root = Root::new()
        .with("a.txt", "one")
        .with("c.txt", "three")
        .with("d.txt", "four");
    let executor = Executor::builder(Catalogue::new(files::TOOLS).unwrap())
        .state(root.policy.clone())
        .build()
        .unwrap();
    for (tool, arguments, is_asked) in cases() {
        if is_asked {
            let outcome = executor.call(Call::new("1", tool, arguments)).await;
            assert_eq!(outcome.result.unwrap_err().kind(), ErrorKind::Denied);
        }
    }
    for (path, content) in [("a.txt", "one"), ("c.txt", "three"), ("d.txt", "four")] {
        assert_eq!(root.text(path), content);
    }
}

#[tokio::test]
async fn a_rule_of_the_host_allows_them_without_a_question() {
    let root = Root::new().with("a.txt", "one");
    let executor = Executor::builder(Catalogue::new(files::TOOLS).unwrap())
        .state(root.policy.clone())
        .rule(Rule::allow(Selector::named("files")))
        .build()
        .unwrap();
    let arguments = json!({"path": "a.txt", "old_text": "one", "new_text": "two"});
    let outcome = executor
        .call(Call::new("1", "files-edit_file", arguments))
        .await;
    assert!(outcome.is_ok(), "{}", outcome.text());
    assert_eq!(root.text("a.txt"), "two");
}
