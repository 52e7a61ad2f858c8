//! What stands below the root that is not a plain file, and what may not be written.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::{Duration, Instant};

use tool_builtins::files::{
    FileErrorKind, ListOptions, ReadOptions, list_directory, read_file, write_file,
};
use tool_builtins::policy::{EntryKind, PathErrorKind};
use tool_builtins::{ControlFiles, Policy};

use crate::trap::{OVERWRITE, Trap};

#[test]
fn pipes_sockets_devices_and_directories_are_refused_at_once() {
    let trap = Trap::set();
    let started = Instant::now();
    for path in ["pipe", "socket", "sub", "."] {
        let error = read_file(&trap.policy, path, &ReadOptions::default()).unwrap_err();
        assert_eq!(
            error.kind(),
            FileErrorKind::Path(PathErrorKind::WrongKind),
            "{path}: {error}"
        );
        let error = write_file(&trap.policy, path, &"x".into(), &OVERWRITE).unwrap_err();
        assert_eq!(
            error.kind(),
            FileErrorKind::Path(PathErrorKind::WrongKind),
            "{path}: {error}"
        );
    }
    let devices = Policy::new().root("/dev");
    for path in ["zero", "null", "urandom"] {
        let error = read_file(&devices, path, &ReadOptions::default()).unwrap_err();
        assert_eq!(
            error.kind(),
            FileErrorKind::Path(PathErrorKind::WrongKind),
            "{path}: {error}"
        );
    }
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn links_and_files_with_several_names_are_not_written() {
    let trap = Trap::set();
    for path in [
        "hard-link.txt",
        "good-link",
        "relative-link",
        "dangling-link",
    ] {
        let error = write_file(&trap.policy, path, &"x".into(), &OVERWRITE).unwrap_err();
        assert_eq!(
            error.kind(),
            FileErrorKind::Path(PathErrorKind::Protected),
            "{path}: {error}"
        );
    }
    trap.secrets_are_intact();
    assert_eq!(trap.policy.read("inside.txt").unwrap(), b"inside");
}

#[test]
fn files_that_steer_other_programs_are_not_written_by_default() {
    let trap = Trap::set();
    fs::create_dir(trap.at("ws/.git")).unwrap();
    symlink(".git", trap.at("ws/innocent")).unwrap();
    let paths = [
        ".git/hooks/pre-commit",
        ".git/config",
        "sub/.git/config",
        ".GIT/config",
        "innocent/hooks/post-checkout",
        "innocent/config",
        ".mcp.json",
        "sub/.mcp.json",
        ".claude/settings.json",
        ".cursor/rules",
        "AGENTS.md",
        "CLAUDE.md",
        ".bashrc",
        ".zshrc",
        ".profile",
        ".ssh/authorized_keys",
        ".vscode/tasks.json",
        ".envrc",
        ".npmrc",
        ".cargo/config.toml",
        ".config/fish/config.fish",
        "x/../.git/config",
        ".git./config",
        ".git /config",
        ".g\u{200b}it/config",
    ];
    for path in paths {
        let error = write_file(&trap.policy, path, &"x".into(), &OVERWRITE).expect_err(path);
        assert_eq!(
            error.kind(),
            FileErrorKind::Path(PathErrorKind::Protected),
            "{path}: {error}"
        );
        assert!(
            error.to_string().contains("Policy::control_files"),
            "{error}"
        );
    }
    assert_eq!(fs::read_dir(trap.at("ws/.git")).unwrap().count(), 0);
    let allowed = trap.policy.clone().control_files(ControlFiles::Allowed);
    write_file(&allowed, ".mcp.json", &"{}".into(), &OVERWRITE).unwrap();
    write_file(&trap.policy, ".gitignore", &"target".into(), &OVERWRITE).unwrap();
    assert_eq!(trap.policy.read(".mcp.json").unwrap(), b"{}");
}

#[test]
fn a_file_beyond_the_limit_is_refused_however_large_it_claims_to_be() {
    let trap = Trap::set();
    let file = fs::File::create(trap.at("ws/sparse.bin")).unwrap();
    file.set_len(1 << 40).unwrap();
    let error = read_file(&trap.policy, "sparse.bin", &ReadOptions::default()).unwrap_err();
    assert_eq!(error.kind(), FileErrorKind::Path(PathErrorKind::TooLarge));
    assert!(
        error.to_string().contains("Policy::max_file_read"),
        "{error}"
    );
    fs::write(trap.at("ws/exact.txt"), "12345").unwrap();
    assert!(
        trap.policy
            .clone()
            .max_file_read(5)
            .read("exact.txt")
            .is_ok()
    );
    assert!(
        trap.policy
            .clone()
            .max_file_read(4)
            .read("exact.txt")
            .is_err()
    );
    // A file without a size is read up to the limit as well.
    let proc = Policy::new().root("/proc/self").max_file_read(10);
    assert!(proc.read("status").is_err());
}

#[test]
fn a_missing_file_and_a_missing_root_say_so_without_host_paths() {
    let trap = Trap::set();
    let error = read_file(&trap.policy, "missing/file.txt", &ReadOptions::default()).unwrap_err();
    assert_eq!(error.kind(), FileErrorKind::Path(PathErrorKind::NotFound));
    assert!(error.to_string().contains("`missing/file.txt`"), "{error}");
    let nowhere = Policy::new().root(trap.at("nowhere"));
    let error = read_file(&nowhere, "x", &ReadOptions::default()).unwrap_err();
    assert!(
        error.to_string().contains("--root DIR") && !error.to_string().contains("nowhere"),
        "{error}"
    );
    let error = write_file(&trap.policy, &"x".repeat(300), &"x".into(), &OVERWRITE).unwrap_err();
    assert!(matches!(error.kind(), FileErrorKind::Path(_)), "{error}");
}

#[test]
fn a_directory_is_listed_by_name_with_kind_and_size() {
    let trap = Trap::set();
    let listing = list_directory(&trap.policy, ".", &ListOptions::default()).unwrap();
    assert_eq!(listing.total, listing.entries.len());
    assert!(
        listing
            .entries
            .is_sorted_by(|left, right| left.name < right.name)
    );
    let find = |name: &str| {
        listing
            .entries
            .iter()
            .find(|entry| entry.name == name)
            .unwrap()
    };
    assert_eq!(
        (find("inside.txt").kind, find("inside.txt").size),
        (EntryKind::File, Some(6))
    );
    assert_eq!(
        (find("sub").kind, find("sub").size),
        (EntryKind::Directory, None)
    );
    assert_eq!(
        (find("passwd-link").kind, find("passwd-link").size),
        (EntryKind::Link, None)
    );
    assert_eq!(find("pipe").kind, EntryKind::Other);
    assert_eq!(
        list_directory(&trap.policy, "good-directory-link", &ListOptions::default())
            .unwrap()
            .entries
            .len(),
        1
    );
    assert!(list_directory(&trap.policy, "inside.txt", &ListOptions::default()).is_err());
}

#[test]
fn a_long_listing_is_cut_and_says_how_long_it_is() {
    let directory = tempfile::tempdir().unwrap();
    for number in 0..1100 {
        fs::write(directory.path().join(format!("{number:04}")), "").unwrap();
    }
    let listing = list_directory(
        &Policy::new().root(directory.path()),
        ".",
        &ListOptions::default(),
    )
    .unwrap();
    assert_eq!((listing.entries.len(), listing.total), (1000, 1100));
    assert_eq!(
        (
            listing.entries[0].name.as_str(),
            listing.entries[999].name.as_str()
        ),
        ("0000", "0999")
    );
}

#[test]
fn names_in_a_listing_cannot_drive_a_terminal() {
    let directory = tempfile::tempdir().unwrap();
    for name in [
        "a\u{1b}[31mred",
        "b\nnewline",
        "c\u{202e}txt.exe",
        "-rf",
        "ünï 日本",
    ] {
        fs::write(directory.path().join(name), "").unwrap();
    }
    let listing = list_directory(
        &Policy::new().root(directory.path()),
        ".",
        &ListOptions::default(),
    )
    .unwrap();
    let names: Vec<_> = listing
        .entries
        .iter()
        .map(|entry| entry.name.as_str())
        .collect();
    assert_eq!(names, ["-rf", "ared", "b newline", "ctxt.exe", "ünï 日本"]);
}

#[test]
fn an_overwritten_file_keeps_its_permissions_and_leaves_no_draft() {
    let trap = Trap::set();
    fs::set_permissions(trap.at("ws/inside.txt"), fs::Permissions::from_mode(0o640)).unwrap();
    write_file(&trap.policy, "inside.txt", &"new".into(), &OVERWRITE).unwrap();
    let metadata = fs::metadata(trap.at("ws/inside.txt")).unwrap();
    assert_eq!(
        (metadata.permissions().mode() & 0o777, metadata.len()),
        (0o640, 3)
    );
    let drafts = fs::read_dir(trap.at("ws")).unwrap().filter(|entry| {
        entry
            .as_ref()
            .unwrap()
            .file_name()
            .to_string_lossy()
            .contains("draft")
    });
    assert_eq!(drafts.count(), 0);
}
