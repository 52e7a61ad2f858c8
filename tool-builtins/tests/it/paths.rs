//! Paths that try to leave the root.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use rustix::fs::CWD;
use tool_builtins::Policy;
use tool_builtins::files::{
    FileErrorKind, ListOptions, ReadOptions, list_directory, read_file, write_file,
};
use tool_builtins::policy::PathErrorKind;

use crate::trap::{OVERWRITE, SECRET, Trap};

fn is_refusal(kind: FileErrorKind) -> bool {
    matches!(kind, FileErrorKind::Path(_))
}

#[test]
fn no_hostile_path_reads_what_is_outside() {
    let trap = Trap::set();
    let paths = trap.hostile();
    assert!(paths.len() >= 40);
    for path in paths {
        let error = read_file(&trap.policy, &path, &ReadOptions::default()).expect_err(&path);
        assert!(is_refusal(error.kind()), "{path:?}: {error}");
        let message = error.to_string();
        assert!(
            !message.contains(SECRET) && !message.contains("root:"),
            "{message}"
        );
    }
}

#[test]
fn no_hostile_path_writes_what_is_outside() {
    let trap = Trap::set();
    for path in trap.hostile() {
        let error =
            write_file(&trap.policy, &path, &"overwritten".into(), &OVERWRITE).expect_err(&path);
        assert!(is_refusal(error.kind()), "{path:?}: {error}");
        trap.secrets_are_intact();
    }
    assert!(!Path::new(&trap.at("created-by-link.txt")).exists());
}

#[test]
fn no_hostile_path_lists_what_is_outside() {
    let trap = Trap::set();
    for path in trap.hostile() {
        let error = list_directory(&trap.policy, &path, &ListOptions::default()).expect_err(&path);
        assert!(is_refusal(error.kind()), "{path:?}: {error}");
    }
}

#[test]
fn a_path_that_leaves_the_root_is_told_so_with_the_setting_and_no_host_path() {
    let trap = Trap::set();
    for path in [
        "../secret.txt",
        "/etc/passwd",
        "relative-link",
        "absolute-link",
        "directory-link/secret.txt",
        "good-directory-link/../../secret.txt",
    ] {
        let error = read_file(&trap.policy, path, &ReadOptions::default()).unwrap_err();
        assert_eq!(
            error.kind(),
            FileErrorKind::Path(PathErrorKind::Outside),
            "{path}: {error}"
        );
        let message = error.to_string();
        assert!(
            message.contains("Policy::root") && message.contains("--root DIR"),
            "{message}"
        );
        assert!(
            !message.contains(trap.outer.path().to_str().unwrap()),
            "{message}"
        );
    }
}

#[test]
fn ordinary_paths_and_links_inside_the_root_work() {
    let trap = Trap::set();
    for path in [
        "inside.txt",
        "./inside.txt",
        "sub/../inside.txt",
        "good-link",
        "./sub/.././inside.txt",
    ] {
        assert_eq!(trap.policy.read(path).unwrap(), b"inside", "{path}");
    }
    for path in [
        "sub/deep.txt",
        "good-directory-link/deep.txt",
        "sub//deep.txt",
    ] {
        assert_eq!(trap.policy.read(path).unwrap(), b"deep", "{path}");
    }
}

#[test]
fn an_absolute_path_inside_the_root_is_taken_as_relative() {
    let trap = Trap::set();
    assert_eq!(
        trap.policy.read(&trap.at("ws/inside.txt")).unwrap(),
        b"inside"
    );
    assert_eq!(
        trap.policy.read(&trap.at("ws/sub/deep.txt")).unwrap(),
        b"deep"
    );
    write_file(
        &trap.policy,
        &trap.at("ws/new/file.txt"),
        &"x".into(),
        &OVERWRITE,
    )
    .unwrap();
    assert!(list_directory(&trap.policy, &trap.at("ws"), &ListOptions::default()).is_ok());
    // A root that is reached through a link can be spelled both ways.
    symlink(trap.at("ws"), trap.at("outside/alias")).unwrap();
    let policy = Policy::new().root(trap.at("outside/alias"));
    assert_eq!(
        policy.read(&trap.at("outside/alias/inside.txt")).unwrap(),
        b"inside"
    );
    assert_eq!(policy.read(&trap.at("ws/inside.txt")).unwrap(), b"inside");
}

#[test]
fn a_directory_that_turns_into_a_link_never_leads_outside() {
    let trap = Trap::set();
    fs::create_dir(trap.at("ws/flip")).unwrap();
    fs::write(trap.at("ws/flip/secret.txt"), "harmless").unwrap();
    symlink(trap.at("outside"), trap.at("ws/flop")).unwrap();
    let (directory, link) = (trap.at("ws/flip"), trap.at("ws/flop"));
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let flag = std::sync::Arc::clone(&stop);
    let flipper = std::thread::spawn(move || {
        while !flag.load(std::sync::atomic::Ordering::Relaxed) {
            let _ = rustix::fs::renameat_with(
                CWD,
                &directory,
                CWD,
                &link,
                rustix::fs::RenameFlags::EXCHANGE,
            );
        }
    });
    for round in 0..3000 {
        if let Ok(content) = trap.policy.read("flip/secret.txt") {
            assert_eq!(content, b"harmless");
        }
        let _ = write_file(
            &trap.policy,
            &format!("flip/new-{}.txt", round % 10),
            &"x".into(),
            &OVERWRITE,
        );
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    flipper.join().unwrap();
    assert_eq!(
        fs::read_dir(trap.at("outside")).unwrap().count()
            + fs::read_dir(trap.at("outside/dir")).unwrap().count(),
        3
    );
    trap.secrets_are_intact();
}
