//! Gives a model the file tools, inside one folder and nowhere else.

use tool_builtins::Policy;
use tool_core::{Call, Executor, catalogue};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    // `use tool_builtins` is enough for its tools to be in the catalogue.
    let executor = Executor::builder(catalogue().select(["files"])?)
        .state(Policy::new().root(folder.path()))
        .build()?;

    for (name, arguments) in [
        (
            "files-write_file",
            r#"{"path":"notes/cities.csv","content":"city,zip\nParis,075001\n"}"#,
        ),
        ("files-read_file", r#"{"path":"notes/cities.csv"}"#),
        ("files-list_directory", r#"{"path":"notes"}"#),
        ("files-read_file", r#"{"path":"../../etc/passwd"}"#),
    ] {
        let outcome = executor.call(Call::new("1", name, arguments)).await;
        println!(
            "{name} {arguments}\n  {}",
            outcome.text().replace('\n', "\n  ")
        );
    }
    Ok(())
}
