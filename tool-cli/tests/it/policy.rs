#![cfg(feature = "builtins")]

use std::process::Command;

use crate::program::{answer, example, tool};

#[test]
fn the_options_change_the_policy_of_the_program_and_keep_the_rest() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().to_str().unwrap();
    let describe = |options: &[&str]| {
        let mut call = Command::new(example("policy"));
        call.args(["call", "policy-describe_policy"]).args(options);
        answer(&mut call, b"").exits(0).text().to_owned()
    };
    assert_eq!(describe(&[]), "None Public 3");
    assert_eq!(
        describe(&["--root", root]),
        format!("Some({root:?}) Public 3")
    );
    assert_eq!(
        describe(&["--allow-private-network"]),
        "None PrivateAllowed 3"
    );
}

#[test]
fn the_root_must_be_a_directory() {
    let answer = tool(&["list", "--root", "/no/such/folder"]).exits(2);
    assert!(
        answer.stderr.contains("--root is not a directory"),
        "{}",
        answer.stderr
    );
}
