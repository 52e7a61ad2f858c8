//! Paths that try to leave the root, and what stands below it that is not a plain file.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;
use tool_builtins::files::{FileErrorKind, ReadOptions, list_directory, read_file, write_file};
use tool_builtins::policy::{EntryKind, PathErrorKind};
use tool_builtins::{ControlFiles, Policy};

const SECRET: &str = "TOP SECRET";

/// A root `ws` with traps in it, and beside it what must stay out of reach.
struct Trap {
    outer: TempDir,
    policy: Policy,
}

impl Trap {
    fn set() -> Self {
        let outer = tempfile::tempdir().unwrap();
        let at = |path: &str| outer.path().join(path);
        fs::create_dir_all(at("ws/sub")).unwrap();
        fs::create_dir_all(at("ws-evil")).unwrap();
        fs::create_dir_all(at("outside/dir")).unwrap();
        for secret in [
            "secret.txt",
            "ws-evil/secret.txt",
            "outside/secret.txt",
            "outside/dir/secret.txt",
        ] {
            fs::write(at(secret), SECRET).unwrap();
        }
        fs::write(at("ws/inside.txt"), "inside").unwrap();
        fs::write(at("ws/sub/deep.txt"), "deep").unwrap();
        let link = |target: &Path, name: &str| symlink(target, at(&format!("ws/{name}"))).unwrap();
        link(&at("secret.txt"), "absolute-link");
        link(Path::new("../secret.txt"), "relative-link");
        link(Path::new("../ws-evil"), "sibling-link");
        link(&at("outside"), "directory-link");
        link(Path::new("/"), "root-link");
        link(Path::new("/etc/passwd"), "passwd-link");
        link(Path::new("/proc/self/root"), "magic-link");
        link(Path::new("loop-b"), "loop-a");
        link(Path::new("loop-a"), "loop-b");
        link(&at("created-by-link.txt"), "dangling-link");
        link(Path::new("sub/../../secret.txt"), "winding-link");
        link(Path::new("directory-link/secret.txt"), "chained-link");
        link(Path::new("inside.txt"), "good-link");
        link(Path::new("sub"), "good-directory-link");
        fs::hard_link(at("secret.txt"), at("ws/hard-link.txt")).unwrap();
        mknodat(CWD, at("ws/pipe"), FileType::Fifo, Mode::RWXU, 0).unwrap();
        drop(UnixListener::bind(at("ws/socket")).unwrap());
        let policy = Policy::new().root(at("ws"));
        Self { outer, policy }
    }

    fn at(&self, path: &str) -> String {
        self.outer.path().join(path).to_str().unwrap().to_owned()
    }

    fn secrets_are_intact(&self) {
        for secret in [
            "secret.txt",
            "ws-evil/secret.txt",
            "outside/secret.txt",
            "outside/dir/secret.txt",
        ] {
            assert_eq!(
                fs::read_to_string(self.at(secret)).unwrap(),
                SECRET,
                "{secret} was changed"
            );
        }
        let mut names: Vec<_> = fs::read_dir(self.outer.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["outside", "secret.txt", "ws", "ws-evil"]);
    }

    fn hostile(&self) -> Vec<String> {
        let mut paths: Vec<String> = [
            "../secret.txt",
            "..",
            "../",
            "../..",
            "../ws-evil/secret.txt",
            "../ws/../secret.txt",
            "./../secret.txt",
            ".//..//secret.txt",
            "sub/../../secret.txt",
            "sub/../../ws-evil/secret.txt",
            "missing/../../secret.txt",
            "inside.txt/../../secret.txt",
            "../../../../../../../../etc/passwd",
            "/etc/passwd",
            "//etc/passwd",
            "/etc/../etc/passwd",
            "/proc/self/environ",
            "/dev/zero",
            "/dev/stdin",
            "/",
            "/root/.ssh/id_rsa",
            "absolute-link",
            "relative-link",
            "sibling-link/secret.txt",
            "directory-link/secret.txt",
            "directory-link/dir/secret.txt",
            "directory-link/../secret.txt",
            "root-link/etc/passwd",
            "passwd-link",
            "magic-link/etc/passwd",
            "loop-a",
            "loop-a/x",
            "dangling-link",
            "winding-link",
            "chained-link",
            "good-directory-link/../../secret.txt",
            "sub/../relative-link",
            "./absolute-link",
            "good-link/../../secret.txt",
            "",
            " ",
            "a\0b",
            "../secret.txt\0.md",
            "sub/../../../../../tmp",
            "..//..//..//etc//passwd",
            "directory-link",
            "root-link",
            "sibling-link",
        ]
        .map(str::to_owned)
        .to_vec();
        paths.extend(
            [
                "secret.txt",
                "ws-evil/secret.txt",
                "ws/../secret.txt",
                "ws/absolute-link",
                "ws/sub/../../secret.txt",
            ]
            .map(|path| self.at(path)),
        );
        paths
    }
}

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
        let error = write_file(&trap.policy, &path, &"overwritten".into()).expect_err(&path);
        assert!(is_refusal(error.kind()), "{path:?}: {error}");
        trap.secrets_are_intact();
    }
    assert!(!Path::new(&trap.at("created-by-link.txt")).exists());
}

#[test]
fn no_hostile_path_lists_what_is_outside() {
    let trap = Trap::set();
    for path in trap.hostile() {
        let error = list_directory(&trap.policy, &path).expect_err(&path);
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
    write_file(&trap.policy, &trap.at("ws/new/file.txt"), &"x".into()).unwrap();
    assert!(list_directory(&trap.policy, &trap.at("ws")).is_ok());
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
        let error = write_file(&trap.policy, path, &"x".into()).unwrap_err();
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
        let error = write_file(&trap.policy, path, &"x".into()).unwrap_err();
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
        let error = write_file(&trap.policy, path, &"x".into()).expect_err(path);
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
    write_file(&allowed, ".mcp.json", &"{}".into()).unwrap();
    write_file(&trap.policy, ".gitignore", &"target".into()).unwrap();
    assert_eq!(trap.policy.read(".mcp.json").unwrap(), b"{}");
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
    let error = write_file(&trap.policy, &"x".repeat(300), &"x".into()).unwrap_err();
    assert!(is_refusal(error.kind()), "{error}");
}

#[test]
fn a_directory_is_listed_by_name_with_kind_and_size() {
    let trap = Trap::set();
    let listing = list_directory(&trap.policy, ".").unwrap();
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
        list_directory(&trap.policy, "good-directory-link")
            .unwrap()
            .entries
            .len(),
        1
    );
    assert!(list_directory(&trap.policy, "inside.txt").is_err());
}

#[test]
fn a_long_listing_is_cut_and_says_how_long_it_is() {
    let directory = tempfile::tempdir().unwrap();
    for number in 0..1100 {
        fs::write(directory.path().join(format!("{number:04}")), "").unwrap();
    }
    let listing = list_directory(&Policy::new().root(directory.path()), ".").unwrap();
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
    let listing = list_directory(&Policy::new().root(directory.path()), ".").unwrap();
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
    write_file(&trap.policy, "inside.txt", &"new".into()).unwrap();
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
