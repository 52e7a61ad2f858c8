//! Starts a binary under test and takes what it says.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Once;
use std::time::SystemTime;

use serde_json::Value;

/// What a program said, and how it ended.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Answer {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }
}

/// The binary `tool`.
pub(crate) fn tool(arguments: &[&str]) -> Answer {
    answer(
        Command::new(env!("CARGO_BIN_EXE_tool")).args(arguments),
        b"",
    )
}

/// The example with tools of its own.
pub(crate) fn own(arguments: &[&str]) -> Answer {
    own_with_input(arguments, b"")
}

pub(crate) fn own_with_input(arguments: &[&str], input: &[u8]) -> Answer {
    answer(Command::new(example("own_tools")).args(arguments), input)
}

/// Runs a command to its end, with this stdin.
pub(crate) fn answer(command: &mut Command, input: &[u8]) -> Answer {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // A program that does not read all of it is no failure of the test.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Answer {
        code: output.status.code(),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The path of an example. `cargo test` builds the examples too; where only
/// this test was asked for, they are built now.
pub(crate) fn example(name: &str) -> PathBuf {
    static BUILT: Once = Once::new();

    let test = std::env::current_exe().unwrap();
    let profile = test.ancestors().nth(2).unwrap();
    let path = |name: &str| {
        let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        profile.join("examples").join(file)
    };
    BUILT.call_once(|| {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let sources = [
            "src",
            "src/commands",
            "src/commands/check",
            "examples",
            "tests/fixtures",
        ];
        let newest = sources
            .iter()
            .flat_map(|folder| modified_in(&package.join(folder)))
            .max();
        let current = |name: &str| modified(&path(name)) > newest;
        if current("own_tools") && current("missing_state") {
            return;
        }
        let mut build = Command::new(env!("CARGO"));
        build
            .current_dir(package)
            .args(["build", "--quiet", "--examples"]);
        if profile.ends_with("release") {
            build.arg("--release");
        }
        if !cfg!(feature = "builtins") {
            build.arg("--no-default-features");
        }
        assert!(
            build.status().unwrap().success(),
            "the examples do not build"
        );
    });
    path(name)
}

fn modified_in(folder: &Path) -> Vec<SystemTime> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries
        .filter_map(|entry| modified(&entry.unwrap().path()))
        .collect()
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}
