//! The page about the tools: each call gives what is printed below it.

use serde_json::Value;
use tool_builtins::files;

use crate::root::Root;

const PAGE: &str = include_str!("../../docs/files.md");

/// Times differ from run to run, and not every file system knows when a file was made.
fn without_times(text: &str) -> String {
    let times =
        regex::Regex::new(r#""(modified|created)":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ","#).unwrap();
    times.replace_all(text, "").into_owned()
}

#[tokio::test]
async fn every_example_of_the_page_is_true() {
    let root = Root::new();
    let mut shown = Vec::new();
    for section in PAGE.split("\n## ").skip(1) {
        let tool = section.split('`').nth(1).unwrap();
        shown.push(tool);
        for example in section.split("```json\n").skip(1) {
            let (arguments, rest) = example.split_once("\n```").unwrap();
            let (_, rest) = rest.split_once("```text\n").unwrap();
            let (expected, _) = rest.split_once("\n```").unwrap();
            let arguments: Value = serde_json::from_str(arguments).unwrap();
            let outcome = root.call(tool, arguments).await;
            assert_eq!(
                without_times(&outcome.text()),
                without_times(expected),
                "{tool}"
            );
        }
    }
    let mut all: Vec<&str> = files::TOOLS.iter().map(|tool| tool.name()).collect();
    shown.sort_unstable();
    all.sort_unstable();
    assert_eq!(shown, all);
}
