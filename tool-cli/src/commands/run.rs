//! `run`: the calls of a provider's response, and the messages to send back.

use std::path::PathBuf;

use clap::Args;
use tool_core::{Catalogue, Definition, Dialect, Tool};

use crate::control;
use crate::dialect;
use crate::failure::{Exit, Failure};
use crate::input::Source;
use crate::options::examples;
use crate::out_directory::OutDirectory;
use crate::report::save_files;
use crate::session::Session;
use crate::streams::Streams;

/// Run the calls in a provider's response and print the messages to send back
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    ("run response.json", "the calls of a response, run side by side"),
    ("run < response.json", "the same from stdin"),
    ("run --definitions request.json response.json", "replay recorded calls without the real tools"),
]))]
pub(crate) struct RunOptions {
    /// A whole response, its message, or a list of calls; `-` is stdin
    #[arg(value_name = "FILE", default_value = "-")]
    response: PathBuf,
    /// Whose response it is
    #[arg(long, value_parser = dialect::parser(), default_value = "openai")]
    dialect: Dialect,
    /// Take the tools from a request or definitions; each gives its arguments back
    #[arg(long, value_name = "FILE")]
    definitions: Option<PathBuf>,
    /// Write the files that tools give back to this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Accepted as everywhere; the messages are JSON in any case
    #[arg(long)]
    json: bool,
}

impl RunOptions {
    pub(crate) fn run(self, mut session: Session) -> Result<Exit, Failure> {
        let streams = session.streams;
        let source = Source::file(&self.response);
        let response = source.read_json(streams)?;
        let catalogue = match &self.definitions {
            Some(path) => {
                // What only the real tools need is not set up, such as a database.
                session.setups.clear();
                echoing(&Source::file(path), self.dialect, streams)?
            }
            None => session.catalogue.clone(),
        };
        // The model was given the names and schemas of its provider.
        let translator = self.dialect.translator(&catalogue);
        let calls = translator
            .calls(&response)
            .map_err(|error| Failure::usage(format!("{source}: {error}")))?;
        if calls.is_empty() {
            streams.note("the response holds no calls");
        }
        let out = self.out.as_deref().map(OutDirectory::open).transpose()?;
        let running = calls.clone();
        let batch = session.execute(catalogue, &calls, |executor| async move {
            executor.run(running).await
        })?;
        // The messages first: a file that cannot be written must not cost them.
        streams.json(&translator.results(&batch))?;
        let mut exit = Exit::Done;
        for outcome in &batch {
            save_files(outcome, out.as_ref(), streams)?;
            // A call that waits for a person has not failed.
            if let (Err(error), None) = (&outcome.result, &outcome.pending) {
                exit = Exit::Failed;
                streams.note(&format!(
                    "{} failed: {}",
                    control::one_line(&outcome.call_id),
                    error.message()
                ));
            }
        }
        if batch.is_interrupted() {
            streams.note("interrupted: the agent must stop here and hand over to a person");
        }
        Ok(exit)
    }
}

/// Tools with these definitions that give their arguments back.
fn echoing(source: &Source, dialect: Dialect, streams: Streams) -> Result<Catalogue, Failure> {
    let definitions = dialect
        .import(&source.read_json(streams)?)
        .map_err(|error| Failure::usage(format!("{source}: {error}")))?;
    let mut tools = Vec::with_capacity(definitions.len());
    for definition in definitions {
        match echo(definition) {
            Ok(tool) => tools.push(tool),
            // A recording with one tool that cannot be is still worth the rest.
            Err(reason) => streams.note(&format!("left out: {reason}")),
        }
    }
    Catalogue::new(tools).map_err(|error| Failure::usage(format!("{source}: {error}")))
}

fn echo(definition: Definition) -> Result<Tool, tool_core::DefinitionError> {
    Tool::new(definition, |arguments, _context| async move { arguments })
}
