//! A root directory full of traps.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;
use tool_builtins::Policy;
use tool_builtins::files::{WriteMode, WriteOptions};

/// Writes whether or not something is there.
pub(crate) static OVERWRITE: std::sync::LazyLock<WriteOptions> =
    std::sync::LazyLock::new(|| WriteOptions::default().mode(WriteMode::Overwrite));

pub(crate) const SECRET: &str = "TOP SECRET";

/// A root `ws` with traps in it, and beside it what must stay out of reach.
pub(crate) struct Trap {
    pub(crate) outer: TempDir,
    pub(crate) policy: Policy,
}

impl Trap {
    pub(crate) fn set() -> Self {
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

    pub(crate) fn at(&self, path: &str) -> String {
        self.outer.path().join(path).to_str().unwrap().to_owned()
    }

    pub(crate) fn secrets_are_intact(&self) {
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

    pub(crate) fn hostile(&self) -> Vec<String> {
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
