//! A root with traps in it, and what must stay out of reach beside it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;
use tool_builtins::{Policy, command_line};
use tool_core::{Call, Catalogue, Decision, Executor, Outcome};

pub(crate) const SECRET: &str = "TOP SECRET";

pub(crate) struct Root {
    pub(crate) outer: TempDir,
    pub(crate) policy: Policy,
}

impl Root {
    pub(crate) fn new() -> Self {
        let outer = tempfile::tempdir().unwrap();
        let at = |path: &str| outer.path().join(path);
        fs::create_dir_all(at("ws/sub/deep")).unwrap();
        fs::create_dir_all(at("ws/empty")).unwrap();
        fs::create_dir_all(at("ws-evil")).unwrap();
        for path in ["secret.txt", "ws-evil/secret.txt"] {
            fs::write(at(path), SECRET).unwrap();
        }
        fs::write(at("ws/a.txt"), "one\ntwo\nthree\n").unwrap();
        fs::write(at("ws/b.txt"), "one\n2\n").unwrap();
        fs::write(at("ws/sub/c.txt"), "see\n").unwrap();
        symlink(at("secret.txt"), at("ws/link-out")).unwrap();
        symlink("../secret.txt", at("ws/link-up")).unwrap();
        symlink("../ws-evil", at("ws/link-dir")).unwrap();
        symlink("/", at("ws/link-root")).unwrap();
        symlink(at("made.txt"), at("ws/link-new")).unwrap();
        symlink("a.txt", at("ws/link-in")).unwrap();
        fs::hard_link(at("secret.txt"), at("ws/hard.txt")).unwrap();
        let policy = Policy::new().root(at("ws"));
        Self { outer, policy }
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.outer.path().join(path)
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at("ws").join(path)).unwrap()
    }

    /// The executor, in which a person approves everything.
    pub(crate) fn executor(&self) -> Executor {
        Executor::builder(Catalogue::new(command_line::TOOLS).unwrap())
            .state(self.policy.clone())
            .approval(|_| async { Decision::Allow })
            .build()
            .unwrap()
    }

    pub(crate) async fn call(&self, arguments: Value) -> Outcome {
        let call = Call::new("call_1", "command_line-run_command", arguments);
        self.executor().call(call).await
    }

    pub(crate) async fn run(&self, command: &str) -> Outcome {
        self.call(json!({ "command": command })).await
    }

    /// What a command gave: its exit code, stdout and stderr.
    #[track_caller]
    pub(crate) fn ran(outcome: &Outcome) -> (i64, String, String) {
        let answer = Self::answer(outcome);
        let text = |key: &str| answer[key].as_str().unwrap().to_owned();
        (
            answer["exit_code"].as_i64().unwrap_or(-1),
            text("stdout"),
            text("stderr"),
        )
    }

    #[track_caller]
    pub(crate) fn answer(outcome: &Outcome) -> Value {
        match &outcome.result {
            Ok(output) => serde_json::from_str(output.json().unwrap().as_str()).unwrap(),
            Err(error) => panic!("{error}: {:?}", error.hint()),
        }
    }

    /// That nothing outside has changed, and nothing new is there.
    #[track_caller]
    pub(crate) fn outside_is_intact(&self, after: &str) {
        for path in ["secret.txt", "ws-evil/secret.txt"] {
            assert_eq!(
                fs::read_to_string(self.at(path)).unwrap(),
                SECRET,
                "after {after}"
            );
        }
        for (directory, expected) in [
            ("", &["secret.txt", "ws", "ws-evil"][..]),
            ("ws-evil", &["secret.txt"]),
        ] {
            let mut names: Vec<_> = fs::read_dir(self.at(directory))
                .unwrap()
                .map(|entry| entry.unwrap().file_name())
                .collect();
            names.sort();
            assert_eq!(names, expected, "after {after}");
        }
    }

    /// All that is below the root, with the content of files.
    pub(crate) fn inside(&self) -> Vec<(PathBuf, Option<Vec<u8>>)> {
        let mut all = Vec::new();
        let mut waiting = vec![self.at("ws")];
        while let Some(directory) = waiting.pop() {
            for entry in fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                let kind = fs::symlink_metadata(&path).unwrap().file_type();
                if kind.is_dir() {
                    waiting.push(path.clone());
                }
                let content = kind.is_file().then(|| fs::read(&path).unwrap());
                all.push((path, content));
            }
        }
        all.sort();
        all
    }
}
