//! `list`: the tools, for a person or for a provider.

use clap::Args;
use tool_core::Dialect;

use crate::control;
use crate::dialect;
use crate::failure::{Exit, Failure};
use crate::options::examples;
use crate::session::{NO_TOOLS, Session};
use crate::table::table;

const EXAMPLES: &[(&str, &str)] = &[
    ("list", "a table of all tools"),
    #[cfg(feature = "builtins")]
    (
        "list web 'files-*'",
        "the tools of the category `web` and those named `files-…`",
    ),
    #[cfg(not(feature = "builtins"))]
    (
        "list CATEGORY 'NAME*'",
        "the tools of a category and those with such a name",
    ),
    ("list --json", "what goes into a request's `tools`"),
];

/// List the tools, or their definitions for a provider
#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct ListOptions {
    /// Which tools: a category, a name, a glob such as `*-read_*`, or `module:tool` [default: all]
    #[arg(value_name = "PATTERN")]
    patterns: Vec<String>,
    /// Print definitions as this provider takes them [default with --json: openai]
    #[arg(long, value_parser = dialect::parser())]
    dialect: Option<Dialect>,
    /// Print definitions as a JSON array
    #[arg(long)]
    json: bool,
}

impl ListOptions {
    pub(crate) fn run(self, session: &Session) -> Result<Exit, Failure> {
        let streams = session.streams;
        let tools = if self.patterns.is_empty() {
            session.catalogue.clone()
        } else {
            session
                .catalogue
                .select(&self.patterns)
                .map_err(Failure::usage)?
        };
        if tools.is_empty() {
            streams.note(NO_TOOLS);
        }
        if !self.json && self.dialect.is_none() {
            if !tools.is_empty() {
                let width = streams
                    .stdout_is_terminal()
                    .then(|| usize::from(console::Term::stdout().size().1));
                streams.lines(&table(&tools, width))?;
            }
            return Ok(Exit::Done);
        }
        let definitions = self.dialect.unwrap_or_default().definitions(&tools);
        for (name, reason) in &definitions.left_out {
            streams.note(&format!("left out '{}': {reason}", control::one_line(name)));
        }
        for (name, note) in &definitions.notes {
            streams.note(&format!("'{}': {note}", control::one_line(name)));
        }
        streams.json(&definitions.to_request())?;
        Ok(Exit::Done)
    }
}
