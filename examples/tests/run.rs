//! Runs each example and compares what it prints with the file beside it.
//!
//! `UPDATE=1 cargo test -p tool-examples` writes the files anew.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Cargo builds the examples of a package before it runs its tests, and puts
/// them beside them.
fn built(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let target = test
        .parent()
        .and_then(Path::parent)
        .expect("it is in target/…/deps");
    target
        .join("examples")
        .join(name)
        .with_extension(std::env::consts::EXE_EXTENSION)
}

fn prints_what_its_file_says(name: &str) {
    let output = Command::new(built(name))
        .output()
        .expect("the example was built");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let printed = String::from_utf8(output.stdout).expect("an example prints text");
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(name)
        .with_extension("stdout");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &printed).expect("the folder can be written");
    }
    let expected = std::fs::read_to_string(&file).expect("each example has its file");
    assert_eq!(printed, expected, "{}", file.display());
}

macro_rules! examples {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            prints_what_its_file_says(stringify!($name));
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(concat!(stringify!($name), ".rs"));
            let lines = std::fs::read_to_string(source).expect("the source is there").lines().count();
            assert!(lines < 80, "an example is under 80 lines, and this has {lines}");
        }
    )*};
}

examples! {
    quickstart struct_arguments state_and_context toolbox runtime_tool files repair
    approval pending rules hooks retry_and_limits budgeted_result batches shutdown
    secrets testing_kit files_report safe_shell
}

#[cfg(feature = "cache")]
examples! { cache }
