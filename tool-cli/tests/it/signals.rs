#![cfg(unix)]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::example;

#[test]
fn ctrl_c_stops_the_calls_and_exits_with_130() {
    let mut child = Command::new(example("own_tools"))
        .args(["call", "demo-wait", r#"{"seconds":600}"#])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Only a process that listens already ends with 130, so the signal may come too early.
    std::thread::sleep(Duration::from_millis(800));
    let started = Instant::now();
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    assert!(started.elapsed() < Duration::from_secs(5));
}
