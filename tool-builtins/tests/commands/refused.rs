//! Hostile commands: each is refused for the right reason, before anything of it runs.

use std::fs;

use tool_builtins::policy::{Access, Commands};
use tool_core::ErrorKind;

use crate::attacks;
use crate::root::{Root, SECRET};

/// Runs a table: every command is refused, its message holds the words, and no file has changed.
async fn refused(root: &Root, table: &[(&str, &str)]) {
    let before = root.inside();
    for (command, words) in table {
        let outer = root.outer.path().to_str().unwrap();
        let command = command.replace("OUTER", outer);
        let outcome = root.run(&command).await;
        let text = outcome.text();
        assert!(outcome.result.is_err(), "{command:?} ran: {text}");
        assert!(text.contains(words), "{command:?}: {text}");
        assert!(!text.contains(SECRET), "{command:?}: {text}");
        root.outside_is_intact(&command);
        assert!(root.inside() == before, "{command:?} changed something");
    }
}

#[tokio::test]
async fn the_language_of_a_shell() {
    refused(&Root::new(), attacks::LANGUAGE).await;
    let many = vec!["ls"; 33].join(";");
    refused(&Root::new(), &[(&many, "more than 32 commands")]).await;
}

#[tokio::test]
async fn programs_that_are_not_allowed() {
    let table: Vec<(&str, &str)> = attacks::PROGRAMS
        .iter()
        .map(|command| (*command, "is not an allowed command"))
        .collect();
    refused(&Root::new(), &table).await;
    // Wherever it stands.
    for line in [
        "ls | sh",
        "ls && sh",
        "ls; sh",
        "ls || sh",
        "ls | cat | sh | cat",
        "false && sh",
    ] {
        refused(&Root::new(), &[(line, "`sh` is not an allowed command")]).await;
    }
    let outcome = Root::new().run("curl http://x").await;
    assert!(
        outcome.text().contains("--allow-command"),
        "{}",
        outcome.text()
    );
}

#[tokio::test]
async fn options_that_run_write_follow_or_wait() {
    refused(&Root::new(), attacks::OPTIONS).await;
}

#[tokio::test]
async fn scripts_of_sed() {
    refused(&Root::new(), attacks::SED).await;
}

#[tokio::test]
async fn paths_that_lead_out() {
    refused(&Root::new(), attacks::PATHS).await;
}

#[tokio::test]
async fn files_that_steer_other_programs() {
    let root = Root::new();
    fs::create_dir_all(root.at("ws/vendor/.git/hooks")).unwrap();
    fs::create_dir_all(root.at("ws/.git")).unwrap();
    refused(&root, attacks::STEERING).await;
}

#[tokio::test]
async fn pipes_and_devices_do_not_hang() {
    let root = Root::new();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        root.at("ws/pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RWXU,
        0,
    )
    .unwrap();
    let words = "is a device, pipe or socket";
    for command in [
        "cat pipe",
        "cat < pipe",
        "head -n1 a.txt pipe",
        "cp pipe x",
        "grep x p*",
    ] {
        let outcome = root.run(command).await;
        let text = outcome.text();
        assert!(text.contains(words), "{command}: {text}");
    }
    let outcome = root.run("echo x > pipe").await;
    let text = outcome.text();
    assert!(text.starts_with("Error: "), "{text}");
}

#[tokio::test]
async fn a_policy_without_commands_runs_none() {
    let mut root = Root::new();
    root.policy = root.policy.commands(Commands::none());
    let outcome = root.run("ls").await;
    assert_eq!(
        outcome.result.as_ref().unwrap_err().kind(),
        ErrorKind::Denied
    );
    root.policy = root.policy.clone().commands(Commands::read_only());
    for command in ["rm a.txt", "touch x", "sed -i s/a/b/ a.txt", "cp a.txt b"] {
        let outcome = root.run(command).await;
        let text = outcome.text();
        assert!(
            text.contains("not allowed") || text.contains("not an allowed"),
            "{text}"
        );
    }
    assert_eq!(Root::ran(&root.run("sed -n 1p a.txt").await).1, "one\n");
    root.policy = root
        .policy
        .clone()
        .commands(Commands::standard().recursive_removal(true).forbid("mv"));
    assert_eq!(
        Root::ran(&root.run("rm -r sub").await),
        (0, String::new(), String::new())
    );
    assert!(!root.at("ws/sub").exists());
    assert!(root.run("mv a.txt b").await.result.is_err());
    root.outside_is_intact("all");
}

#[tokio::test]
async fn nothing_is_changed_below_a_root_that_may_only_be_read() {
    let mut root = Root::new();
    root.policy = root.policy.root_access(Access::ReadOnly);
    let before = root.inside();
    for command in [
        "rm a.txt",
        "touch new.txt",
        "mkdir new",
        "cp a.txt new.txt",
        "mv a.txt new.txt",
        "sed -i s/one/two/ a.txt",
        "echo x | tee new.txt",
        "echo x > new.txt",
        "echo x >> a.txt",
        "ls 2> new.txt",
    ] {
        let outcome = root.run(command).await;
        let error = outcome.result.as_ref().expect_err(command);
        assert_eq!(error.kind(), ErrorKind::Denied, "{command}: {error}");
        assert!(
            error.message().contains("only be read"),
            "{command}: {error}"
        );
        assert!(
            error.hint().unwrap().contains("Access::ReadWrite"),
            "{command}"
        );
    }
    assert_eq!(root.inside(), before);
    let outcome = root.run("sort a.txt 2> /dev/null | head -n 1").await;
    assert_eq!(Root::ran(&outcome).1, "one\n");
}
