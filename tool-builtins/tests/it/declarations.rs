//! The tools as a model and a host see them.

use serde_json::{Value, json};
use tool_builtins::{TOOLS, files, web};
use tool_core::{Catalogue, Dialect};

fn catalogue() -> Catalogue {
    Catalogue::new(TOOLS).unwrap()
}

fn parameters(name: &str) -> Value {
    let catalogue = catalogue();
    catalogue.get(name).unwrap().definition().parameters.clone()
}

#[test]
fn the_list_of_all_tools_is_the_lists_of_the_categories() {
    let all: Vec<_> = TOOLS.iter().map(|tool| tool.name()).collect();
    let categories = web::TOOLS.iter().chain(files::TOOLS);
    #[cfg(unix)]
    let categories = categories.chain(tool_builtins::command_line::TOOLS);
    assert_eq!(all, categories.map(|tool| tool.name()).collect::<Vec<_>>());
    assert_eq!(
        catalogue().names().collect::<Vec<_>>(),
        [
            #[cfg(unix)]
            "command_line-run_command",
            "files-copy_file",
            "files-create_directory",
            "files-delete_file",
            "files-edit_file",
            "files-file_info",
            "files-find_files",
            "files-list_directory",
            "files-move_file",
            "files-read_file",
            "files-search_files",
            "files-write_file",
            "web-download_file",
            "web-fetch_page",
        ]
    );
}

#[test]
fn there_is_nothing_to_lint_and_no_provider_is_left_without_a_tool() {
    let catalogue = catalogue();
    assert_eq!(catalogue.lint(), []);
    let definitions = Dialect::OpenAi.definitions(&catalogue);
    assert_eq!(definitions.left_out, []);
    assert_eq!(definitions.tools.len(), TOOLS.len());
}

#[test]
fn a_model_reads_nothing_that_is_for_programmers() {
    for tool in &catalogue() {
        let description = &tool.definition().description;
        for word in ["Executor", "super::", "```", "# ", "assert", "  "] {
            assert!(!description.contains(word), "{description}");
        }
    }
}

#[test]
fn the_annotations_say_what_a_tool_does_to_the_world() {
    let said: Vec<_> = catalogue()
        .iter()
        .map(|tool| {
            let says = tool.definition().annotations;
            let flags = [
                says.read_only,
                says.destructive,
                says.idempotent,
                says.open_world,
            ];
            (
                tool.name().to_owned(),
                flags.map(|flag| flag == Some(true)),
                tool.definition().output_schema.is_some(),
            )
        })
        .collect();
    let row = |name: &str, flags: [bool; 4], typed: bool| (name.to_owned(), flags, typed);
    assert_eq!(
        said,
        [
            #[cfg(unix)]
            row(
                "command_line-run_command",
                [false, true, false, false],
                true
            ),
            row("files-copy_file", [false, true, true, false], true),
            row("files-create_directory", [false, false, true, false], true),
            row("files-delete_file", [false, true, false, false], true),
            row("files-edit_file", [false, true, false, false], true),
            row("files-file_info", [true, false, false, false], true),
            row("files-find_files", [true, false, false, false], true),
            row("files-list_directory", [true, false, false, false], true),
            row("files-move_file", [false, true, false, false], true),
            row("files-read_file", [true, false, false, false], false),
            row("files-search_files", [true, false, false, false], false),
            row("files-write_file", [false, true, false, false], true),
            row("web-download_file", [true, false, false, true], true),
            row("web-fetch_page", [true, false, false, true], false),
        ]
    );
}

#[test]
fn the_parameters_carry_their_defaults_limits_and_choices() {
    let fetch = parameters("web-fetch_page");
    assert_eq!(fetch["required"], json!(["url"]));
    assert_eq!(fetch["properties"]["format"]["default"], "text");
    assert_eq!(
        fetch["properties"]["format"]["enum"],
        json!(["text", "markdown", "html"])
    );
    assert_eq!(
        fetch["properties"]["headers"]["additionalProperties"],
        json!({ "type": "string" })
    );
    let read = parameters("files-read_file");
    assert_eq!(read["required"], json!(["path"]));
    assert_eq!(
        read["properties"]["format"]["enum"],
        json!(["auto", "text", "json", "table"])
    );
    assert_eq!(read["properties"]["offset"]["default"], 0);
    assert_eq!(read["properties"]["limit"]["minimum"], 1);
    assert_eq!(
        parameters("files-write_file")["required"],
        json!(["path", "content"])
    );
    assert_eq!(
        parameters("files-list_directory")["properties"]["path"]["default"],
        "."
    );
}
