//! Paths that try to leave the root, through every parameter of every tool.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};
use tool_builtins::ControlFiles;
use tool_builtins::policy::RecursiveDelete;
use tool_core::{ErrorKind, Outcome};

use crate::calls::call;
use crate::trap::{SECRET, Trap};

/// Spellings that mean something to other programs. Here they are odd names below the root, or nothing.
fn odd() -> Vec<String> {
    let mut paths: Vec<String> = [
        "%2e%2e/secret.txt",
        "%2e%2e%2fsecret.txt",
        "..%2fsecret.txt",
        "..%c0%afsecret.txt",
        "..%252fsecret.txt",
        "..\\secret.txt",
        "..\\..\\secret.txt",
        ".\\..\\secret.txt",
        "sub\\..\\..\\secret.txt",
        "....//secret.txt",
        "..../secret.txt",
        ".../secret.txt",
        "..;/secret.txt",
        ".. /secret.txt",
        " ../secret.txt",
        "..\t/secret.txt",
        "..\u{200b}/secret.txt",
        "\u{202e}../secret.txt",
        "\u{ff0e}\u{ff0e}/secret.txt",
        "..\u{2215}secret.txt",
        "..\u{2044}secret.txt",
        "\u{feff}../secret.txt",
        "~/secret.txt",
        "~root/.bashrc",
        "$HOME/secret.txt",
        "${PWD}/../secret.txt",
        "$(cat ../secret.txt)",
        "`cat ../secret.txt`",
        "file:///etc/passwd",
        "file://localhost/etc/passwd",
        "http://localhost/secret.txt",
        "C:\\Windows\\win.ini",
        "C:/Windows/win.ini",
        "\\\\server\\share\\secret.txt",
        "//?/C:/Windows/win.ini",
        "\\\\.\\PhysicalDrive0",
        "secret.txt::$DATA",
        "CON",
        "NUL",
        "aux.txt",
        "-rf",
        "--help",
        "*",
        "[a-z]*",
        "{inside,sub}.txt",
        "root:/etc/passwd",
        "ws:/../secret.txt",
        "inside.txt/",
        "inside.txt/x",
        "inside.txt/.",
        "pipe",
        "socket",
        "hard-link.txt/x",
    ]
    .map(str::to_owned)
    .to_vec();
    paths.push("a/".repeat(60) + "b");
    paths.push("a/".repeat(5000) + "b");
    paths.push("../".repeat(5000) + "etc/passwd");
    paths.push("sub/../".repeat(60) + "../secret.txt");
    paths.push("x".repeat(255));
    paths.push("x".repeat(100_000));
    paths.push("é".repeat(3000));
    paths
}

/// Every tool with a path in each of its path parameters.
fn calls(path: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("files-read_file", json!({"path": path})),
        ("files-list_directory", json!({"path": path, "depth": 3})),
        (
            "files-find_files",
            json!({"path": path, "pattern": "*", "kind": "any", "hidden": true}),
        ),
        ("files-search_files", json!({"path": path, "pattern": "."})),
        ("files-file_info", json!({"path": path, "sha256": true})),
        (
            "files-edit_file",
            json!({"path": path, "old_text": SECRET, "new_text": "stolen"}),
        ),
        (
            "files-write_file",
            json!({"path": path, "content": "stolen"}),
        ),
        (
            "files-write_file",
            json!({"path": path, "content": "stolen", "mode": "append"}),
        ),
        (
            "files-write_file",
            json!({"path": path, "content": "stolen", "mode": "overwrite"}),
        ),
        ("files-copy_file", json!({"path": path, "to": "stolen.txt"})),
        ("files-copy_file", json!({"path": "inside.txt", "to": path})),
        (
            "files-copy_file",
            json!({"path": "inside.txt", "to": path, "overwrite": true}),
        ),
        (
            "files-move_file",
            json!({"path": "inside.txt", "to": path, "overwrite": true}),
        ),
        ("files-move_file", json!({"path": "sub", "to": path})),
        ("files-create_directory", json!({"path": path})),
        (
            "files-move_file",
            json!({"path": path, "to": "moved/there"}),
        ),
        ("files-delete_file", json!({"path": path})),
        (
            "files-delete_file",
            json!({"path": path, "recursive": true}),
        ),
    ]
}

fn is_harmless(trap: &Trap, outcome: &Outcome, shown: &str) {
    let text = outcome.text();
    assert!(
        !text.contains(SECRET) && !text.contains("root:x:"),
        "{shown}: {text}"
    );
    let host = trap.outer.path().join("outside");
    assert!(
        !text.contains(host.to_str().unwrap()) || shown.contains(host.to_str().unwrap()),
        "{shown}: {text}"
    );
    assert!(
        !text.contains(['\u{1b}', '\u{202e}', '\u{200b}']),
        "{shown}: {text:?}"
    );
    trap.secrets_are_intact();
    assert_eq!(
        fs::read_dir(trap.at("outside")).unwrap().count(),
        2,
        "{shown}"
    );
    assert_eq!(
        fs::read_dir(trap.at("outside/dir")).unwrap().count(),
        1,
        "{shown}"
    );
    assert_eq!(
        fs::read_dir(trap.at("ws-evil")).unwrap().count(),
        1,
        "{shown}"
    );
}

#[tokio::test]
async fn no_path_in_any_tool_touches_or_shows_what_is_outside() {
    let mut trap = Trap::set();
    let (hostile, odd) = (trap.hostile(), odd());
    assert!(
        hostile.len() + odd.len() >= 100,
        "{}",
        hostile.len() + odd.len()
    );
    // Those that lead nowhere but to a link, which itself may be moved and deleted.
    let is_link = |path: &str| {
        !path
            .trim_start_matches("./")
            .trim_start_matches("sub/../")
            .contains('/')
            && path.contains("-link")
    };
    let names = [hostile.clone(), odd].concat();
    for (number, path) in names.iter().enumerate() {
        for (tool, arguments) in calls(path) {
            let outcome = call(
                &trap
                    .policy
                    .clone()
                    .recursive_delete(RecursiveDelete::Allowed),
                tool,
                arguments.clone(),
            )
            .await;
            let shown: String = format!("{tool} {arguments}").chars().take(300).collect();
            is_harmless(&trap, &outcome, &shown);
            let changes_links =
                tool == "files-delete_file" && (is_link(path) || path.starts_with("loop-a"));
            if number < hostile.len() && !changes_links {
                let error = outcome.result.expect_err(&shown);
                let expected = [
                    ErrorKind::Denied,
                    ErrorKind::Failed,
                    ErrorKind::InvalidArguments,
                ];
                assert!(expected.contains(&error.kind()), "{shown}: {error}");
            }
        }
        // What was moved or deleted is there again for the next path.
        if !fs::exists(trap.at("ws/inside.txt")).unwrap()
            || !fs::exists(trap.at("ws/sub/deep.txt")).unwrap()
            || number % 10 == 0
            || is_link(path)
        {
            let absolute = path.starts_with(trap.outer.path().to_str().unwrap());
            if !absolute {
                let next = Trap::set();
                trap = next;
            }
        }
    }
}

#[tokio::test]
async fn what_steers_other_programs_is_neither_written_nor_moved_nor_deleted() {
    let trap = Trap::set();
    fs::create_dir_all(trap.at("ws/.git/hooks")).unwrap();
    fs::create_dir_all(trap.at("ws/project/.vscode")).unwrap();
    fs::write(trap.at("ws/.git/config"), "[core]").unwrap();
    fs::write(trap.at("ws/AGENTS.md"), "Be kind.").unwrap();
    fs::write(trap.at("ws/project/.vscode/tasks.json"), "{}").unwrap();
    symlink(".git", trap.at("ws/innocent")).unwrap();
    let policy = trap
        .policy
        .clone()
        .recursive_delete(RecursiveDelete::Allowed);
    for (tool, arguments) in [
        (
            "files-write_file",
            json!({"path": "innocent/hooks/pre-commit", "content": "x"}),
        ),
        (
            "files-write_file",
            json!({"path": "AGENTS.md", "content": "x", "mode": "append"}),
        ),
        (
            "files-edit_file",
            json!({"path": "AGENTS.md", "old_text": "kind", "new_text": "evil"}),
        ),
        (
            "files-edit_file",
            json!({"path": "innocent/config", "old_text": "core", "new_text": "x"}),
        ),
        (
            "files-copy_file",
            json!({"path": "inside.txt", "to": ".git/hooks/pre-commit"}),
        ),
        (
            "files-copy_file",
            json!({"path": "inside.txt", "to": "CLAUDE.md"}),
        ),
        (
            "files-move_file",
            json!({"path": "inside.txt", "to": ".mcp.json"}),
        ),
        (
            "files-move_file",
            json!({"path": "sub", "to": ".git/hooks/x"}),
        ),
        ("files-move_file", json!({"path": "sub", "to": ".claude"})),
        (
            "files-move_file",
            json!({"path": "sub", "to": "innocent/hooks/x"}),
        ),
        ("files-move_file", json!({"path": ".git", "to": "old"})),
        (
            "files-move_file",
            json!({"path": "project", "to": "workspace"}),
        ),
        (
            "files-move_file",
            json!({"path": "innocent/config", "to": "config"}),
        ),
        ("files-create_directory", json!({"path": ".claude"})),
        ("files-create_directory", json!({"path": "innocent/x"})),
        ("files-delete_file", json!({"path": "AGENTS.md"})),
        (
            "files-delete_file",
            json!({"path": ".git", "recursive": true}),
        ),
        ("files-delete_file", json!({"path": "innocent/config"})),
        (
            "files-delete_file",
            json!({"path": "project", "recursive": true}),
        ),
        (
            "files-delete_file",
            json!({"path": "project/.vscode/tasks.json"}),
        ),
    ] {
        let shown = format!("{tool} {arguments}");
        let outcome = call(&policy, tool, arguments).await;
        let error = outcome.result.expect_err(&shown);
        assert_eq!(error.kind(), ErrorKind::Denied, "{shown}: {error}");
        let hint = error.hint().unwrap_or_default();
        assert!(hint.contains("Policy::control_files"), "{shown}: {hint}");
    }
    assert_eq!(
        fs::read_to_string(trap.at("ws/.git/config")).unwrap(),
        "[core]"
    );
    assert_eq!(fs::read_dir(trap.at("ws/.git/hooks")).unwrap().count(), 0);
    assert_eq!(
        fs::read_to_string(trap.at("ws/AGENTS.md")).unwrap(),
        "Be kind."
    );

    let allowed = policy.control_files(ControlFiles::Allowed);
    let arguments = json!({"path": "project", "to": "workspace"});
    assert!(call(&allowed, "files-move_file", arguments).await.is_ok());
    assert!(fs::exists(trap.at("ws/workspace/.vscode/tasks.json")).unwrap());
}

#[tokio::test]
async fn special_files_and_files_with_several_names_are_not_changed_through() {
    let trap = Trap::set();
    for (tool, arguments) in [
        ("files-copy_file", json!({"path": "pipe", "to": "x"})),
        ("files-copy_file", json!({"path": "socket", "to": "x"})),
        ("files-copy_file", json!({"path": "sub", "to": "x"})),
        ("files-move_file", json!({"path": "pipe", "to": "x"})),
        ("files-move_file", json!({"path": "good-link", "to": "x"})),
        (
            "files-edit_file",
            json!({"path": "pipe", "old_text": "a", "new_text": "b"}),
        ),
        (
            "files-edit_file",
            json!({"path": "hard-link.txt", "old_text": "TOP", "new_text": "b"}),
        ),
        (
            "files-edit_file",
            json!({"path": "good-link", "old_text": "inside", "new_text": "b"}),
        ),
        (
            "files-write_file",
            json!({"path": "hard-link.txt", "content": "x", "mode": "append"}),
        ),
        (
            "files-copy_file",
            json!({"path": "inside.txt", "to": "hard-link.txt", "overwrite": true}),
        ),
        (
            "files-copy_file",
            json!({"path": "inside.txt", "to": "pipe", "overwrite": true}),
        ),
        (
            "files-move_file",
            json!({"path": "inside.txt", "to": "hard-link.txt", "overwrite": true}),
        ),
        (
            "files-move_file",
            json!({"path": "inside.txt", "to": "sub", "overwrite": true}),
        ),
        ("files-create_directory", json!({"path": "inside.txt"})),
        ("files-create_directory", json!({"path": "absolute-link"})),
    ] {
        let shown = format!("{tool} {arguments}");
        let outcome = call(&trap.policy, tool, arguments).await;
        assert!(!outcome.is_ok(), "{shown}: {}", outcome.text());
        trap.secrets_are_intact();
        assert_eq!(
            fs::read_to_string(trap.at("ws/inside.txt")).unwrap(),
            "inside",
            "{shown}"
        );
    }
    // A link goes, and what it leads to stays.
    for path in ["directory-link", "absolute-link", "hard-link.txt", "pipe"] {
        let outcome = call(&trap.policy, "files-delete_file", json!({"path": path})).await;
        assert!(outcome.is_ok(), "{path}: {}", outcome.text());
        trap.secrets_are_intact();
    }
}
