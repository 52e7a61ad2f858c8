//! `call`: one call of one tool.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;
use tool_core::{Call, Catalogue, Content, Decision, Kind, Outcome, Output, PendingReason};

use crate::failure::{Exit, Failure};
use crate::input::Source;
use crate::options::examples;
use crate::out_directory::OutDirectory;
use crate::report::{OutcomeReport, save_files};
use crate::session::Session;
use crate::streams::Streams;

/// The id of the one call.
const CALL_ID: &str = "call_1";

#[cfg(feature = "builtins")]
const EXAMPLES: &[(&str, &str)] = &[
    (
        r#"call web-fetch_page '{"url":"https://example.com"}'"#,
        "arguments on the command line",
    ),
    ("call web-fetch_page @arguments.json", "from a file"),
    ("call web-fetch_page -", "from stdin"),
    (
        r#"call web-download_file '{"url":"https://example.com/logo.png"}' --out ."#,
        "keep the file",
    ),
];
/// Which tools there are, only the program knows.
#[cfg(not(feature = "builtins"))]
const EXAMPLES: &[(&str, &str)] = &[
    (
        r#"call NAME '{"key":"value"}'"#,
        "arguments on the command line",
    ),
    ("call NAME @arguments.json", "from a file"),
    ("call NAME -", "from stdin"),
    ("call NAME --out .", "keep the files that it gives back"),
];

/// Call one tool
#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct CallOptions {
    /// The name of the tool
    name: String,
    /// The arguments as a JSON object, `@FILE` or `-` for stdin [default: {}]
    #[arg(value_name = "JSON|@FILE|-")]
    arguments: Option<String>,
    /// Write the files that the tool gives back to this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the whole outcome as JSON
    #[arg(long)]
    json: bool,
}

impl CallOptions {
    pub(crate) fn run(self, session: Session) -> Result<Exit, Failure> {
        let streams = session.streams;
        let tool = session.tool(&self.name)?;
        let arguments = match &self.arguments {
            Some(argument) => Source::json_or_file(argument).read(streams)?,
            None => "{}".to_owned(),
        };
        let out = self.out.as_deref().map(OutDirectory::open).transpose()?;
        let call = Call::new(CALL_ID, tool.name(), arguments);
        let calls = [call.clone()];
        let interrupts = tool.definition().kind == Kind::Interrupt;
        // Only this tool, so that only its own state must be there.
        let catalogue = Catalogue::new([tool]).map_err(Failure::usage)?;
        let outcome = session.execute(catalogue, &calls, |executor| async move {
            let outcome = executor.call(call).await;
            match &outcome.pending {
                // Who types the command is the person whom the tool waits for.
                Some(pending) if pending.reason == PendingReason::Interrupt => executor
                    .resume(pending, Decision::Allow)
                    .await
                    .unwrap_or(outcome),
                _ => outcome,
            }
        })?;
        // The text first: a file that cannot be written must not cost it.
        if !self.json {
            print(&outcome, streams)?;
        }
        let files = save_files(&outcome, out.as_ref(), streams)?;
        if self.json {
            streams.json(&OutcomeReport::new(&outcome, files, interrupts))?;
        }
        if interrupts {
            streams.note("the tool ends the turn: an agent would hand over to a person now");
        }
        Ok(if outcome.is_ok() {
            Exit::Done
        } else {
            Exit::Failed
        })
    }
}

fn print(outcome: &Outcome, streams: Streams) -> Result<(), Failure> {
    let output = match &outcome.result {
        Ok(output) => output,
        Err(error) => {
            streams.note(&error.to_model());
            return Ok(());
        }
    };
    match output.json() {
        // A person reads it better with line breaks; a program gets the bytes.
        Some(json) if streams.stdout_is_terminal() => {
            match serde_json::from_str::<Value>(json.as_str()) {
                Ok(value) => streams.json(&value),
                Err(_) => streams.text(json.as_str()),
            }
        }
        Some(json) => streams.text(json.as_str()),
        None => streams.text(&result(output)),
    }?;
    // They are for whoever reads the result, and no part of it.
    for piece in output.content() {
        if let Content::Note(note) = piece {
            streams.note(note);
        }
    }
    Ok(())
}

/// The result alone, without remarks about it.
fn result(output: &Output) -> String {
    let is_result = |piece: &&Content| !matches!(piece, Content::Note(_));
    let pieces: Output = output.content().iter().filter(is_result).cloned().collect();
    pieces.into_text()
}
