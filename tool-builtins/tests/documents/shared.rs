//! Real and hostile documents, where the shared data is at hand.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;
use tool_core::ErrorKind;

use crate::shared_data::{data, files};
use crate::{call, policy};

/// The most memory that this process ever had, in bytes.
fn peak() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace()
        .nth(1)?
        .parse::<usize>()
        .ok()
        .map(|kilobytes| kilobytes * 1024)
}

/// Reads every file; gives how many could be read.
async fn read_all(root: &Path) -> (usize, usize) {
    let policy = policy(root);
    let (mut read, mut all) = (0, 0);
    for file in files(root) {
        let path = file.strip_prefix(root).unwrap().to_str().unwrap();
        let started = Instant::now();
        let outcome = call(&policy, json!({ "path": path })).await;
        let took = started.elapsed();
        all += 1;
        match &outcome.result {
            Ok(_) => read += 1,
            Err(error) => {
                println!("{path}: {error}");
                assert_ne!(error.kind(), ErrorKind::Panicked, "{error}");
                assert!(
                    !error.to_string().contains(root.to_str().unwrap()),
                    "{error}"
                );
            }
        }
        // The worker's own clock is 10 s; the rest is for a busy machine.
        assert!(took < Duration::from_secs(60), "{path} took {took:?}");
        if took > Duration::from_secs(1) {
            println!("{path}: {took:?}");
        }
    }
    (read, all)
}

#[tokio::test]
async fn real_documents_are_read() {
    let Some(root) = data("documents") else {
        return;
    };
    let (read, all) = read_all(&root).await;
    println!("{read} of {all} documents read");
    // The others are encrypted or broken on purpose.
    assert!(read * 100 >= all * 85, "{read} of {all}");
}

#[tokio::test]
async fn hostile_documents_are_read_or_refused_in_bounded_time_and_memory() {
    let Some(generator) = data("hostile/gen.py") else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("python3")
        .arg(&generator)
        .current_dir(directory.path())
        .output();
    if !made.is_ok_and(|made| made.status.success()) {
        println!("skipped: the generator needs python3");
        return;
    }
    let (read, all) = read_all(directory.path()).await;
    println!(
        "{read} of {all} hostile files read, peak memory {:?}",
        peak()
    );
    assert!(peak().is_none_or(|peak| peak < 768 << 20), "{:?}", peak());
}
