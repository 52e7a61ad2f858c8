//! `check`: recorded calls against their tools, without running anything.

mod lines;
mod served;
mod verdict;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tool_core::{Dialect, RepairMode};

use crate::control;
use crate::dialect;
use crate::failure::{Exit, Failure};
use crate::input::Source;
use crate::options::examples;
use crate::session::{NO_TOOLS, Session};
use crate::streams::Streams;
use lines::Lines;
use served::{Served, ServedLists};
use verdict::{Place, Totals, Verdict};

/// Check recorded calls against their tools, without running anything
///
/// Each line of the file is a JSON object `{"id", "tools": […], "calls": [{"name",
/// "arguments"}]}`. `tools` are definitions, as in a request; `arguments` are a JSON value, or
/// the text that the model wrote. A line without `tools` is served by `--definitions`, or else by
/// the tools of this program.
///
/// One line is printed for each call that was not accepted as it came, then the totals. With
/// `--json` that is an object with `id`, `line`, `call` (its index in `calls`), `tool`, `verdict`
/// (`repaired` or `rejected`), `problems` and `repairs`, and last
/// `{"calls","accepted","repaired","rejected"}`.
///
/// A call whose tool is missing or has a definition that cannot be used is rejected. A line that
/// is no such object is told on stderr with its number, its calls are not counted, the rest is
/// checked, and the exit code is 2.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    ("check --calls calls.jsonl", "each line brings its own tools"),
    ("check --calls - --repair off", "from stdin; only calls that are right as they came"),
    ("check --calls calls.jsonl --definitions request.json", "one set of tools for all lines"),
]))]
pub(crate) struct CheckOptions {
    /// JSON Lines of recorded calls; `-` is stdin
    #[arg(long, value_name = "FILE")]
    calls: PathBuf,
    /// A request or definitions, for the lines without tools of their own
    #[arg(long, value_name = "FILE")]
    definitions: Option<PathBuf>,
    /// How the definitions are written, in the lines too
    #[arg(long, value_parser = dialect::parser(), default_value = "openai")]
    dialect: Dialect,
    /// What becomes of arguments that can be mended
    #[arg(long, value_enum, default_value = "on")]
    repair: Repair,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Repair {
    /// The call is rejected
    Off,
    /// The call is rejected, and the repairs that would have mended it are shown
    Report,
    /// The call counts as repaired
    On,
}

impl From<Repair> for RepairMode {
    fn from(repair: Repair) -> Self {
        match repair {
            Repair::Off => Self::Off,
            Repair::Report => Self::Report,
            Repair::On => Self::On,
        }
    }
}

/// One line of the file. Other keys are the recorder's business.
#[derive(Deserialize)]
#[serde(expecting = "an object with `calls`")]
struct Line<'a> {
    #[serde(default)]
    id: Value,
    #[serde(default, borrow)]
    tools: Option<&'a RawValue>,
    calls: Vec<Value>,
}

impl CheckOptions {
    pub(crate) fn run(self, session: &Session) -> Result<Exit, Failure> {
        let streams = session.streams;
        let source = Source::file(&self.calls);
        let given = self.definitions.as_deref().map(Source::file);
        if source == Source::Stdin && given == Some(Source::Stdin) {
            return Err(Failure::usage(
                "--calls and --definitions cannot both be read from stdin",
            ));
        }
        let fallback = match given {
            Some(given) => Served::import(&given.read_json(streams)?, self.dialect)
                .map_err(|reason| Failure::usage(format!("{given}: {reason}")))?,
            None => Served::from(session.catalogue.clone()),
        };
        let mut check = Check {
            streams,
            json: self.json,
            repair: self.repair.into(),
            fallback,
            lists: ServedLists::new(self.dialect),
            totals: Totals::default(),
            unreadable: 0,
        };
        let reader: Box<dyn BufRead> = match &source {
            Source::File(path) => {
                let file = File::open(path)
                    .map_err(|error| Failure::usage(format!("cannot open {source}: {error}")))?;
                Box::new(BufReader::with_capacity(1 << 16, file))
            }
            _ => {
                if streams.stdin_is_terminal() {
                    streams.note("reading from the terminal; end with Ctrl-D");
                }
                Box::new(io::stdin().lock())
            }
        };
        let mut lines = Lines::new(reader);
        loop {
            let line = lines
                .next_line()
                .map_err(|error| Failure::usage(format!("cannot read {source}: {error}")))?;
            let Some((number, text)) = line else {
                break;
            };
            let checked = match text {
                Ok(text) => check.line(number, text)?,
                Err(reason) => Err(reason),
            };
            if let Err(reason) = checked {
                check.unreadable += 1;
                let reason = control::one_line(&reason);
                streams.note(&format!("{source}, line {number}: {reason}"));
            }
        }
        check.finish()
    }
}

struct Check {
    streams: Streams,
    json: bool,
    repair: RepairMode,
    fallback: Served,
    lists: ServedLists,
    totals: Totals,
    unreadable: usize,
}

impl Check {
    /// The calls of one line. The inner error is why it is no line of calls.
    fn line(&mut self, number: usize, text: &str) -> Result<Result<(), String>, Failure> {
        // Serde would take a list for the struct.
        if !text.trim_start().starts_with('{') {
            return Ok(Err("expected an object with `calls`".to_owned()));
        }
        let line: Line<'_> = match serde_json::from_str(text) {
            Ok(line) => line,
            Err(error) => return Ok(Err(in_one_line(&error))),
        };
        let own = match line.tools {
            Some(tools) => match self.lists.get(tools.get()) {
                Ok(served) => Some(served),
                Err(reason) => return Ok(Err(format!("its tools: {reason}"))),
            },
            None => None,
        };
        let served = own.as_deref().unwrap_or(&self.fallback);
        for (index, call) in line.calls.iter().enumerate() {
            let verdict = Verdict::of(call, served, self.repair);
            self.totals.count(&verdict);
            if verdict.is_accepted() {
                continue;
            }
            let place = Place {
                id: &line.id,
                line: number,
                call: index,
            };
            let shown = if self.json {
                verdict.to_json(place)?
            } else {
                verdict.in_words(place)
            };
            self.streams.lines(&shown)?;
        }
        Ok(Ok(()))
    }

    fn finish(self) -> Result<Exit, Failure> {
        let totals = &self.totals;
        self.streams.lines(&if self.json {
            totals.to_json()?
        } else {
            totals.in_words()
        })?;
        if totals.met_no_tools {
            self.streams.note(NO_TOOLS);
        }
        if self.unreadable > 0 {
            let count = match self.unreadable {
                1 => "1 line".to_owned(),
                several => format!("{several} lines"),
            };
            return Err(Failure::usage(format!(
                "{count} could not be read; the totals are of the others"
            )));
        }
        Ok(if totals.rejected > 0 {
            Exit::Failed
        } else {
            Exit::Done
        })
    }
}

/// An error of the text without serde's own line number, which is always 1.
fn in_one_line(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rsplit_once(" at line ") {
        Some((message, _)) => format!("column {}: {message}", error.column()),
        None => message,
    }
}
