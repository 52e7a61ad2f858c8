//! What a person at a terminal sees, through a pseudo terminal of `script`.

use std::process::Command;

use crate::program::{Answer, answer, example};

/// Runs the example on a terminal, or says that there is none to be had.
fn on_terminal(arguments: &str, typed: &str) -> Option<Answer> {
    if !cfg!(target_os = "linux") || Command::new("script").arg("--version").output().is_err() {
        println!("skipped: `script` makes no terminal here");
        return None;
    }
    let line = format!(
        "stty cols 80; '{}' {arguments}",
        example("own_tools").display()
    );
    let mut script = Command::new("script");
    script
        .args(["--quiet", "--return", "--command", &line, "/dev/null"])
        .env("TERM", "xterm");
    Some(answer(&mut script, typed.as_bytes()))
}

#[test]
fn control_characters_do_not_reach_a_terminal() {
    let Some(answer) = on_terminal("call demo-paint", "") else {
        return;
    };
    assert_eq!(answer.exits(0).text(), "[2J]0;ownedred31m\r\n\tend\r\n");
    let Some(answer) = on_terminal("call demo-paint --json", "") else {
        return;
    };
    assert!(!answer.exits(0).text().contains(['\x1b', '\x07', '\u{9b}']));
    let Some(answer) = on_terminal(r#"call demo-fail '{"message":"\u001b[31mred"}'"#, "") else {
        return;
    };
    assert!(answer.exits(1).text().contains("Error: [31mred"));
}

#[test]
fn the_words_of_a_panic_do_not_drive_the_terminal() {
    let Some(answer) = on_terminal(r#"call demo-panic '{"words":"\u001b[31mred"}'"#, "") else {
        return;
    };
    let text = answer.exits(1);
    let text = text.text();
    assert!(
        text.contains("own_tools.rs:") && text.contains("\n[31mred\r\n"),
        "{text:?}"
    );
    assert!(
        text.contains("Error: Tool 'demo-panic' failed unexpectedly"),
        "{text:?}"
    );
}

#[test]
fn a_table_fits_the_terminal() {
    let Some(answer) = on_terminal("list demo", "") else {
        return;
    };
    let answer = answer.exits(0);
    assert!(answer.text().lines().count() > 8, "{}", answer.text());
    for line in answer.text().lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn json_is_indented_for_a_person() {
    let Some(answer) = on_terminal(r#"call demo-search_orders '{"state":"shipped"}'"#, "") else {
        return;
    };
    assert!(answer.exits(0).text().contains("\"number\": 2,\r\n"));
}

#[test]
fn a_slow_call_shows_a_spinner_with_its_progress() {
    let Some(answer) = on_terminal(r#"call demo-wait '{"seconds":2}'"#, "") else {
        return;
    };
    let answer = answer.exits(0);
    let text = answer.text();
    assert!(text.contains("demo-wait 8/10 tenth 8 [31m"), "{text:?}");
    assert!(text.ends_with("rested\r\n"), "{text:?}");
    let Some(answer) = on_terminal(r#"call demo-wait '{"seconds":0.2}'"#, "") else {
        return;
    };
    assert_eq!(answer.exits(0).text(), "rested\r\n");
}

#[test]
fn a_person_is_asked_and_silence_is_a_no() {
    let call = r#"call demo-delete_order '{"number":5}'"#;
    let Some(answer) = on_terminal(call, "y\n") else {
        return;
    };
    let answer = answer.exits(0);
    assert!(answer.text().contains("\"number\": 5"), "{}", answer.text());
    assert!(
        answer.text().contains("It may delete or overwrite."),
        "{}",
        answer.text()
    );
    assert!(answer.text().contains("Run it? [y/N]"), "{}", answer.text());
    assert!(
        answer.text().contains("order 5 is gone"),
        "{}",
        answer.text()
    );
    for typed in ["\n", "n\n", "yup\n"] {
        let Some(answer) = on_terminal(call, typed) else {
            return;
        };
        let answer = answer.exits(1);
        assert!(
            answer.text().contains("the person at the terminal said no"),
            "{}",
            answer.text()
        );
    }
}
