//! Processes that do not want to end, and many of them.

use std::fs;
use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, timeout};
use tool_builtins::command_line::{Request, run_command};
use tool_builtins::policy::Commands;
use tool_core::{Call, ErrorKind};

use crate::root::Root;

/// A root in which `perl` may run any script.
pub(crate) fn with_perl() -> Root {
    let mut root = Root::new();
    let perl = "perl: -e=TEXT; TEXT...; writes; forks".parse().unwrap();
    root.policy = root.policy.commands(Commands::standard().allow(perl));
    root
}

/// How many processes have this word among their arguments.
fn processes(mark: &str) -> usize {
    fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| fs::read(entry.path().join("cmdline")).ok())
        .filter(|line| {
            String::from_utf8_lossy(line)
                .split('\0')
                .any(|word| word == mark)
        })
        .count()
}

/// Waits until none is left. The kernel takes its time.
async fn none_is_left(mark: &str) {
    let gone = async {
        while processes(mark) > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(20), gone)
        .await
        .expect("a process is left");
}

fn mark(root: &Root, name: &str) -> String {
    let unique = root.outer.path().file_name().unwrap().to_str().unwrap();
    format!("{name}{unique}")
}

#[tokio::test]
async fn a_process_that_ignores_its_end_forks_and_leaves_its_session_is_ended_with_all_its_children()
 {
    let root = with_perl();
    let mark = mark(&root, "stubborn");
    let script = "$SIG{TERM}=IGNORE; use POSIX; for (1..5) { if (!fork) { POSIX::setsid(); setpgrp(0,0); if (!fork) \
                  { $SIG{TERM}=IGNORE; close STDOUT; close STDERR; sleep 1000 } sleep 1000 } } print STDERR \"ready\"; sleep 1000";
    let outcome = root
        .call(json!({ "command": format!("perl -e '{script}' {mark}"), "timeout_seconds": 2 }))
        .await;
    let answer = Root::answer(&outcome);
    assert_eq!(answer["stopped"], "timed out after 2 seconds");
    assert_eq!(answer["stderr"], "ready");
    assert_eq!(answer.get("exit_code"), None);
    none_is_left(&mark).await;
}

#[tokio::test]
async fn what_is_left_in_the_background_ends_with_the_command() {
    let root = with_perl();
    let mark = mark(&root, "background");
    let script = "if (!fork) { sleep 1000 } print \"done\"";
    let ran = Root::ran(&root.run(&format!("perl -e '{script}' {mark}")).await);
    assert_eq!((ran.0, ran.1.as_str()), (0, "done"));
    none_is_left(&mark).await;
}

#[tokio::test]
async fn a_bomb_of_forks_ends_at_the_timeout() {
    let root = with_perl();
    let mark = mark(&root, "bomb");
    // A few hundred: the machine has other work too.
    let script = "for (1..8) { fork } sleep 1000";
    let outcome = root
        .call(json!({ "command": format!("perl -e '{script}' {mark}"), "timeout_seconds": 3 }))
        .await;
    assert_eq!(
        Root::answer(&outcome)["stopped"],
        "timed out after 3 seconds"
    );
    none_is_left(&mark).await;
}

#[tokio::test]
async fn a_flood_is_stopped_in_bounded_memory() {
    let root = Root::new();
    let outcome = root
        .call(json!({ "command": "seq 1e12", "timeout_seconds": 120 }))
        .await;
    let answer = Root::answer(&outcome);
    assert_eq!(
        answer["stopped"],
        "stopped after more than 256 MiB of output"
    );
    assert!(answer["stdout"].as_str().unwrap().len() < 40_000);
    // Into a pipe that nobody reads any more, it ends by itself.
    let ran = Root::ran(&root.run("seq 1e12 | head -n 1").await);
    assert_eq!((ran.0, ran.1.as_str()), (0, "1\n"));
}

#[tokio::test]
async fn closed_streams_and_input_that_nobody_reads_do_not_hang() {
    let root = with_perl();
    let script = "close STDOUT; close STDERR; exit 3";
    assert_eq!(
        Root::ran(&root.run(&format!("perl -e '{script}'")).await).0,
        3
    );
    let big = "x".repeat(1_000_000);
    let outcome = root.call(json!({ "command": "true", "input": big })).await;
    assert_eq!(Root::ran(&outcome).0, 0);
    assert_eq!(Root::ran(&root.run("perl -e 'kill 9, $$'").await).0, 137);
}

#[test]
fn many_at_once_get_each_their_own_answer() {
    let root = Root::new();
    std::thread::scope(|scope| {
        for number in 0..64 {
            let policy = &root.policy;
            scope.spawn(move || {
                let line = format!("echo {number} | cat | tr 0-9 a-j; seq {number} | tail -n 1");
                let ran = run_command(policy, &Request::new(line), &|| false).unwrap();
                let letters: String = (number.to_string().bytes())
                    .map(|digit| char::from(digit - b'0' + b'a'))
                    .collect();
                let last = if number == 0 {
                    String::new()
                } else {
                    format!("{number}\n")
                };
                assert_eq!(ran.stdout, format!("{letters}\n{last}"));
            });
        }
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_commands_of_one_batch_run_in_the_order_of_the_batch() {
    let root = Root::new();
    let call = |command: &str| {
        Call::new(
            command,
            "command_line-run_command",
            json!({ "command": command }),
        )
    };
    let calls = [
        "mkdir made",
        "echo x > made/x",
        "cat made/x",
        "rm made/x made",
        "ls",
    ]
    .map(call);
    let outcomes = root.executor().run(calls.to_vec()).await;
    for (outcome, expected) in outcomes.iter().zip(["", "", "x\n", ""]) {
        assert_eq!(Root::ran(outcome), (0, expected.to_owned(), String::new()));
    }
    assert!(!Root::ran(&outcomes[4]).1.contains("made"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_command_is_ended() {
    let root = with_perl();
    let mark = mark(&root, "cancelled");
    let session = root.executor().session();
    let arguments =
        json!({ "command": format!("perl -e 'sleep 1000' {mark}"), "timeout_seconds": 300 });
    let call = session.call(Call::new("call_1", "command_line-run_command", arguments));
    let cancel = async {
        while processes(&mark) == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        session.cancel();
    };
    let (outcome, ()) = tokio::join!(call, cancel);
    assert_eq!(outcome.result.unwrap_err().kind(), ErrorKind::Cancelled);
    none_is_left(&mark).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_nobody_waits_for_is_ended() {
    let root = with_perl();
    let mark = mark(&root, "dropped");
    let command = format!("perl -e 'sleep 1000' {mark}");
    {
        let call = root.run(&command);
        tokio::pin!(call);
        while processes(&mark) == 0 {
            assert!(timeout(Duration::from_millis(5), &mut call).await.is_err());
        }
    }
    none_is_left(&mark).await;
}

#[test]
fn the_function_itself_can_be_cancelled() {
    let root = Root::new();
    let request = Request::new("seq 1e12 > /dev/null").timeout(Duration::from_secs(300));
    let started = Instant::now();
    let error = run_command(&root.policy, &request, &|| {
        started.elapsed() > Duration::from_millis(100)
    })
    .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
}
