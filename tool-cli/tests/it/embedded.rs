//! The command as a value, in the process of the test.

use std::process::ExitCode;

use serde_json::json;
use tool_cli::Cli;
use tool_core::{Catalogue, Context, Definition, Tool};

/// A program whose one tool succeeds where both states are there.
fn program() -> Cli {
    let definition = Definition::new("look", "", json!({ "type": "object" }));
    let look = Tool::new(definition, |_, context: Context| async move {
        let found = context.state::<u8>().zip(context.state::<u16>());
        found.map(|_| "found").ok_or(std::fmt::Error)
    });
    Cli::new().catalogue(Catalogue::new([look.unwrap()]).unwrap())
}

#[test]
fn what_is_added_to_the_executor_adds_up() {
    let added = program()
        .executor(|builder| builder.state(1_u8))
        .setup(|builder| async { Ok(builder.state(2_u16)) });
    assert_eq!(
        added.run_from(["program", "call", "look"]),
        ExitCode::from(0)
    );
    let missing = program().executor(|builder| builder.state(1_u8));
    assert_eq!(
        missing.run_from(["program", "call", "look"]),
        ExitCode::from(1)
    );
}

#[test]
fn a_setup_that_fails_stops_only_what_needs_it() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("calls.json");
    std::fs::write(&file, "[]").unwrap();
    let calls = file.to_str().unwrap();
    let program = || program().setup(|_| async { Err("no database".into()) });
    for (arguments, code) in [
        (&["program", "call", "look"][..], 2),
        (&["program", "run", calls], 2),
        (&["program", "run", "--definitions", calls, calls], 0),
        (&["program", "list"], 0),
        (&["program", "show", "look"], 0),
    ] {
        assert_eq!(
            program().run_from(arguments),
            ExitCode::from(code),
            "{arguments:?}"
        );
    }
}
