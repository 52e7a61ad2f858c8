//! The tool by which a model reads a kept result.

use serde_json::{Value, json};

use super::search::{self, PLACES};
use super::store::{Entry, READ_BYTES, ResultStore};
use crate::definition::{Annotations, Definition};
use crate::error::ToolError;
use crate::output::{Content, Output};
use crate::tool::Tool;

/// The tool's name.
pub(super) const NAME: &str = "results-read_result";
/// What marks the tool, also under another name.
const MARK: &str = "reads_kept_results";
/// The most characters of what is searched for.
const LONGEST_SEARCH: usize = 200;

const DESCRIPTION: &str = "Read on in a tool result that was shortened. The note at its end gives \
    the `id` and the `offset` to read on from.\n\n\
    The whole result is read by lines. JSON is kept with one element of an array on a line, so \
    that `offset` 50 is where the 51st row begins. A line of more than 2,000 bytes is counted as \
    several. The answer ends with the `next_offset` to call again with, or says that this is the end.\n\n\
    With `search` the answer lists the lines that hold the words, each with its `offset` and the \
    text around: use it to find a place instead of reading everything.";

/// Whether a definition is that of the tool which reads kept results, under
/// whatever name. Its own results are small and must not be kept again.
pub(crate) fn reads_results(definition: &Definition) -> bool {
    definition.meta.get(MARK) == Some(&Value::Bool(true))
}

pub(super) fn tool(store: ResultStore) -> Tool {
    let tool = Tool::new(definition(), move |arguments, _context| {
        let answer = read(&store, &arguments);
        async move { answer }
    });
    #[expect(
        clippy::expect_used,
        reason = "name and schema are constants, which a test checks"
    )]
    tool.expect("the definition is valid")
}

fn definition() -> Definition {
    let parameters = json!({
        "type": "object",
        "properties": {
            "id": {
                "type": "string",
                "description": "The id of the result, as its note gives it: `r_` and 22 characters.",
            },
            "offset": {
                "type": "integer",
                "minimum": 0,
                "default": 0,
                "description": "How many lines to skip; with `search`, the line to search from.",
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "description": "How many lines to give, as many as fit into one answer by default; \
                    with `search`, how many places, 20 by default.",
            },
            "search": {
                "type": "string",
                "description": "Words to find instead of reading, as plain text in any case; at most 200 characters.",
            },
        },
        "required": ["id"],
        "additionalProperties": false,
    });
    let mut definition = Definition::new(NAME, DESCRIPTION, parameters);
    definition.title = Some("Read a kept result".to_owned());
    definition.annotations = Annotations::NONE
        .read_only(true)
        .idempotent(true)
        .open_world(false);
    definition.max_output_bytes = Some(READ_BYTES);
    definition.meta.insert(MARK.to_owned(), Value::Bool(true));
    definition
}

fn read(store: &ResultStore, arguments: &Value) -> Result<Output, ToolError> {
    // Models like to copy the quotes with an id.
    let id = arguments["id"].as_str().unwrap_or_default();
    let id =
        id.trim_matches(|character: char| character.is_whitespace() || "\"'`".contains(character));
    let Some(entry) = store.get(id) else {
        return Err(unknown(id));
    };
    let offset = number(&arguments["offset"]).unwrap_or(0);
    let limit = number(&arguments["limit"]);
    match arguments["search"].as_str() {
        None | Some("") => Ok(slice(&entry, offset, limit.unwrap_or(usize::MAX))),
        Some(words) if words.chars().count() > LONGEST_SEARCH => Err(ToolError::new(format!(
            "`search` has more than {LONGEST_SEARCH} characters"
        ))
        .with_hint("Search for fewer words.")),
        Some(words) => places(&entry, words, offset, limit.unwrap_or(PLACES)),
    }
}

/// A whole number, also written as `3.0`; more than fits is as good as the most.
fn number(value: &Value) -> Option<usize> {
    if value.is_null() {
        return None;
    }
    let number = value.as_u64().map(usize::try_from);
    match number {
        Some(number) => Some(number.unwrap_or(usize::MAX)),
        // A float that is whole, as the schema has checked.
        None => value
            .to_string()
            .trim_end_matches(".0")
            .parse()
            .ok()
            .or(Some(usize::MAX)),
    }
}

fn unknown(id: &str) -> ToolError {
    /// As long as an id, and some more.
    const SHOWN: usize = 40;
    let is_id = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    // What is no id may be anything, and half of a secret is not known any more.
    let shown = if id.len() <= SHOWN && id.chars().all(is_id) {
        format!("the id `{id}`")
    } else {
        "this id".to_owned()
    };
    ToolError::new(format!(
        "no result with {shown} is kept: it may have expired or made room for newer ones"
    ))
    .with_hint("Copy the id from the note as it is, or call the tool again that gave the result.")
}

/// Some lines, as many as fit into an answer.
fn slice(entry: &Entry, offset: usize, limit: usize) -> Output {
    let text = entry.text.as_str();
    let total = entry.lines.total();
    if offset >= total {
        let note = format!("[nothing at offset {offset}: the result has {total} lines]");
        return Output::from(Content::Note(note));
    }
    let start = entry.lines.start(text, offset);
    let (mut end, mut next) = (start, offset);
    while next < total && next - offset < limit {
        let line_end = entry.lines.end(text, end);
        if line_end - start > entry.answer_bytes {
            break;
        }
        end = line_end;
        next += 1;
    }
    let note = if next < total {
        format!(
            "[lines {} to {next} of {total}; next_offset: {next}]",
            offset + 1
        )
    } else {
        format!(
            "[lines {} to {next} of {total}; this is the end]",
            offset + 1
        )
    };
    let pieces = [
        Content::Text(text[start..end].to_owned()),
        Content::Note(note),
    ];
    pieces.into_iter().collect()
}

/// The places that hold some words.
fn places(entry: &Entry, words: &str, offset: usize, limit: usize) -> Result<Output, ToolError> {
    let Some(found) = search::search(entry, words, offset, limit) else {
        return Err(ToolError::new("the words cannot be searched for"));
    };
    let from = match offset {
        0 => String::new(),
        offset => format!(" from offset {offset} on"),
    };
    if found.total == 0 {
        let total = entry.lines.total();
        let note = format!("[nothing found{from}; the result has {total} lines]");
        return Ok(Output::from(Content::Note(note)));
    }
    let next = match found.next_offset {
        Some(next) => format!("; next_offset: {next}"),
        None => String::new(),
    };
    let note = format!(
        "[{} of {} lines that hold it{from}{next}]",
        found.shown, found.total
    );
    let pieces = [Content::Text(found.text), Content::Note(note)];
    Ok(pieces.into_iter().collect())
}
