//! Lines made at random of programs, options and hostile operands: whatever is taken of them reaches nothing outside.

use std::fs;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tool_builtins::Policy;
use tool_builtins::command_line::{Request, run_command};
use tool_builtins::policy::{Commands, Sandbox};

use crate::root::{Root, SECRET};

const PROGRAMS: &[&str] = &[
    "ls",
    "cat",
    "head",
    "tail",
    "sort",
    "uniq",
    "grep",
    "diff",
    "find",
    "du",
    "stat",
    "file",
    "sed",
    "cp",
    "mv",
    "rm",
    "mkdir",
    "touch",
    "tee",
    "rmdir",
    "wc",
    "cut",
    "comm",
    "nl",
    "paste",
    "tac",
    "rev",
    "cd",
    "echo",
    "date",
    "sha256sum",
];

const WORDS: &[&str] = &[
    "-r",
    "-R",
    "-n",
    "-f",
    "-i",
    "-a",
    "-e",
    "-t",
    "-p",
    "-L",
    "-o",
    "-d",
    "-c",
    "-s",
    "-T",
    "-exec",
    "-delete",
    "-name",
    "-newer",
    "-fprint",
    "--",
    "-",
    "--reference",
    "--output",
    "--files0-from",
    "-rf",
    "-la",
    "-x1",
    "p",
    "w",
    "'w ../x'",
    "'s/a/b/w ../x'",
    "'1e id'",
    "a.txt",
    "b.txt",
    "sub",
    "sub/c.txt",
    ".",
    "..",
    "../",
    "/",
    "../secret.txt",
    "../x",
    "*",
    "*/*",
    "../*",
    "link-*",
    "link-out",
    "link-dir",
    "link-dir/x",
    "link-dir/secret.txt",
    "link-root",
    "link-new",
    "link-in",
    "OUTER",
    "OUTER/x",
    "OUTER/secret.txt",
    "OUTER/ws-evil",
    "/etc/passwd",
    "/proc/self/environ",
    "''",
    "x",
    "new/../../x",
    "\"a b\"",
    "+%F",
    "5",
    "1,1",
    "> x",
    "> ../x",
    ">> ../secret.txt",
    "> link-out",
    "> link-new",
    "< ../secret.txt",
    "2> ../x",
    "2>&1",
    "< a.txt",
    "OUTER/ws/../x",
    "sub/../../x",
    "./-rf",
];

fn lines() -> impl Strategy<Value = String> {
    let command = (
        prop::sample::select(PROGRAMS),
        prop::collection::vec(prop::sample::select(WORDS), 0..5),
    )
        .prop_map(|(program, words)| format!("{program} {}", words.join(" ")));
    let joint = prop::sample::select(vec![" | ", " && ", " ; ", " || "]);
    (
        command.clone(),
        prop::collection::vec((joint, command), 0..3),
    )
        .prop_map(|(first, rest)| {
            rest.iter()
                .fold(first, |line, (joint, command)| line + joint + command)
        })
}

/// Gives how many of the lines ran.
fn nothing_outside_is_reached(cases: u32, change: impl Fn(Policy) -> Policy) -> usize {
    let ran = std::cell::Cell::new(0);
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 200,
        ..Config::default()
    };
    let checked = TestRunner::new(config).run(&lines(), |line| {
        let root = Root::new();
        // A name of the secret inside the root, which may be read.
        fs::remove_file(root.at("ws/hard.txt")).unwrap();
        let line = line.replace("OUTER", root.outer.path().to_str().unwrap());
        let policy = change(root.policy.clone());
        if let Ok(answer) = run_command(&policy, &Request::new(&line), &|| false) {
            prop_assert!(
                !answer.stdout.contains(SECRET) && !answer.stdout.contains("root:"),
                "{}",
                line
            );
            prop_assert_eq!(answer.stopped, None, "{}", line);
            ran.set(ran.get() + 1);
        }
        root.outside_is_intact(&line);
        Ok(())
    });
    assert!(checked.is_ok(), "{checked:?}");
    ran.get()
}

#[test]
fn lines_at_random_reach_nothing_outside() {
    let ran = nothing_outside_is_reached(600, |policy| {
        policy.commands(Commands::standard().recursive_removal(true))
    });
    assert!(ran > 30, "{ran}");
}

#[test]
fn the_rules_alone_keep_lines_at_random_inside() {
    let ran = nothing_outside_is_reached(600, |policy| {
        policy
            .commands(Commands::standard().recursive_removal(true))
            .sandbox(Sandbox::Off)
    });
    assert!(ran > 30, "{ran}");
}
