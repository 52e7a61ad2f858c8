//! Who is asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use tool_builtins::command_line;
use tool_builtins::policy::Commands;
use tool_core::{Call, Catalogue, Decision, ErrorKind, Executor};

use crate::root::Root;

async fn asked(root: &Root, command: &str) -> usize {
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    let executor = Executor::builder(Catalogue::new(command_line::TOOLS).unwrap())
        .state(root.policy.clone())
        .approval(move |_| {
            counter.fetch_add(1, Ordering::Relaxed);
            async { Decision::Deny("no".to_owned()) }
        })
        .build()
        .unwrap();
    let arguments = json!({ "command": command });
    let outcome = executor
        .call(Call::new("call_1", "command_line-run_command", arguments))
        .await;
    let asked = count.load(Ordering::Relaxed);
    assert!(asked == 0 || outcome.result.is_err());
    asked
}

#[tokio::test]
async fn a_line_that_writes_is_asked_about_and_one_that_reads_is_not() {
    let root = Root::new();
    for command in [
        "ls",
        "cat a.txt | sort",
        "grep -rn x . 2>/dev/null",
        "sed p a.txt",
        "cd sub && ls",
        "echo hi",
        "pwd",
        "ls > /dev/null 2>&1",
        "find . -name x",
        // These are refused, and so nobody is asked.
        "find . -delete",
        "curl x",
        "ls $(id)",
        "rm --no-preserve-root x",
    ] {
        assert_eq!(asked(&root, command).await, 0, "{command}");
    }
    for command in [
        "rm a.txt",
        "ls; rm a.txt",
        "false && rm a.txt",
        "ls | tee x",
        "echo x > y",
        "ls 2> y",
        "sed -i p a.txt",
        "sed -n -i p a.txt",
        "sed --in-place p a.txt",
        "mkdir x",
        "touch x",
        "cp a.txt b",
        "mv a.txt b",
        "rmdir empty",
        "cd sub && rm c.txt",
        "rm -r sub",
        "\"rm\" a.txt",
        "r\\m a.txt",
    ] {
        assert_eq!(asked(&root, command).await, 1, "{command}");
    }
    assert!(root.at("ws/a.txt").exists());
}

#[tokio::test]
async fn a_program_of_the_host_is_always_asked_about() {
    let mut root = Root::new();
    root.policy = root
        .policy
        .commands(Commands::read_only().allow("md5sum: PATH...".parse().unwrap()));
    assert_eq!(asked(&root, "md5sum a.txt").await, 1);
    assert_eq!(asked(&root, "sha256sum a.txt").await, 0);
}

#[tokio::test]
async fn without_anybody_to_ask_nothing_is_written() {
    let root = Root::new();
    let executor = Executor::builder(Catalogue::new(command_line::TOOLS).unwrap())
        .state(root.policy.clone())
        .build()
        .unwrap();
    let call = |command: &str| {
        Call::new(
            "1",
            "command_line-run_command",
            json!({ "command": command }),
        )
    };
    let outcome = executor.call(call("rm a.txt")).await;
    assert_eq!(outcome.result.unwrap_err().kind(), ErrorKind::Denied);
    assert!(executor.call(call("cat a.txt")).await.result.is_ok());
    assert!(root.at("ws/a.txt").exists());
}
