//! The process in which documents are read that can bring their reader down.

use std::time::{Duration, Instant};

use serde_json::json;
use tool_builtins::Worker;

use crate::made::{line, pdf};
use crate::{call, error_of, policy, text_of};

fn root() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("a.pdf"), pdf(&[&line("Hello")])).unwrap();
    root
}

#[tokio::test]
async fn without_a_worker_the_message_says_how_to_get_one() {
    let root = root();
    // This test program does not begin with `run_if_asked`, so it must not be started again.
    let policy = policy(root.path()).worker(Worker::ThisProgram);
    let message = error_of(&call(&policy, json!({ "path": "a.pdf" })).await);
    for part in [
        "worker::run_if_asked()",
        "Worker::program",
        "Worker::InProcess",
    ] {
        assert!(message.contains(part), "{message}");
    }
}

#[tokio::test]
async fn a_host_may_read_in_its_own_process() {
    let root = root();
    let policy = policy(root.path()).worker(Worker::InProcess);
    assert!(text_of(&call(&policy, json!({ "path": "a.pdf" })).await).contains("Hello"));
}

#[tokio::test]
async fn a_program_that_is_no_worker_is_an_error() {
    let root = root();
    for program in [
        "/bin/true",
        "/bin/false",
        "/bin/echo",
        "/nowhere/to/be/found",
    ] {
        let policy = policy(root.path()).worker(Worker::program(program));
        let message = error_of(&call(&policy, json!({ "path": "a.pdf" })).await);
        assert!(message.contains("Policy::worker"), "{program}: {message}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_worker_that_hangs_is_killed_and_one_that_floods_is_cut_off() {
    use std::os::unix::fs::PermissionsExt;

    let root = root();
    for (name, script, said) in [
        (
            "hang",
            "#!/bin/sh\nexec sleep 1000\n",
            "it took longer than 0.3 s",
        ),
        (
            "flood",
            "#!/bin/sh\nexec /bin/cat /dev/zero\n",
            "its answer is too long",
        ),
    ] {
        let program = root.path().join(name);
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let time = if name == "hang" {
            Duration::from_millis(300)
        } else {
            Duration::from_secs(60)
        };
        let policy = policy(root.path())
            .worker(Worker::program(&program))
            .document_timeout(time);
        let started = Instant::now();
        let message = error_of(&call(&policy, json!({ "path": "a.pdf" })).await);
        assert!(message.contains(said), "{message}");
        assert!(started.elapsed() < Duration::from_secs(60));
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_worker_has_no_more_memory_than_it_is_given() {
    let root = root();
    let policy = policy(root.path()).max_document_memory(24 << 20);
    let message = error_of(&call(&policy, json!({ "path": "a.pdf" })).await);
    assert!(
        message.contains("Policy::max_document_memory") || message.contains("Policy::worker"),
        "{message}"
    );
}

#[tokio::test]
async fn many_documents_are_read_side_by_side() {
    let root = root();
    let policy = policy(root.path());
    let calls = (0..16).map(|_| call(&policy, json!({ "path": "a.pdf" })));
    for outcome in futures_util::future::join_all(calls).await {
        assert!(text_of(&outcome).contains("Hello"));
    }
}
