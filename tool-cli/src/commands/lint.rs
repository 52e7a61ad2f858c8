//! `lint`: what makes definitions hard for a model or illegal for a provider.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use serde::Serialize;
use tool_core::{Catalogue, Definition, Dialect, Lint, Severity, Tool};

use crate::control;
use crate::dialect;
use crate::failure::{Exit, Failure};
use crate::input::Source;
use crate::options::examples;
use crate::session::{NO_TOOLS, Session};

/// Tell what makes definitions hard for a model or illegal for a provider
///
/// One line is printed for each finding, then what each definition costs in tokens, about, and
/// the totals. With `--json` that is one object with `tools`, `findings`, `tokens`, `errors` and
/// `warnings`. The exit code is 1 where there are errors; warnings alone are 0.
///
/// `Catalogue::lint()` of the crate `tool-core` finds the same in a test.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    ("lint", "all tools"),
    ("lint web --allow description-long", "the category `web`, but for one rule"),
    ("lint --definitions request.json", "the definitions that somebody else wrote"),
]))]
pub(crate) struct LintOptions {
    /// Which tools: a category (`web`), a name, a glob (`web-*`) or `module:tool` [default: all]
    #[arg(value_name = "PATTERN")]
    patterns: Vec<String>,
    /// Definitions to look at instead, as in a request; `-` is stdin
    #[arg(long, value_name = "FILE")]
    definitions: Option<PathBuf>,
    /// How the definitions are written
    #[arg(long, value_parser = dialect::parser(), default_value = "openai", requires = "definitions")]
    dialect: Dialect,
    /// Leave out what this rule finds; may be given several times
    #[arg(long, value_name = "RULE", value_parser = rules())]
    allow: Vec<String>,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

fn rules() -> PossibleValuesParser {
    let rules = Lint::RULES.iter();
    PossibleValuesParser::new(rules.map(|rule| PossibleValue::new(rule.name).help(rule.summary)))
}

impl LintOptions {
    pub(crate) fn run(self, session: &Session) -> Result<Exit, Failure> {
        let streams = session.streams;
        let looked_at = match &self.definitions {
            Some(path) => {
                let source = Source::file(path);
                let definitions = self
                    .dialect
                    .import(&source.read_json(streams)?)
                    .map_err(|error| Failure::usage(format!("{source}: {error}")))?;
                LookedAt::definitions(&chosen(definitions, &self.patterns)?)
            }
            None if self.patterns.is_empty() => LookedAt::tools(&session.catalogue),
            None => LookedAt::tools(
                &session
                    .catalogue
                    .select(&self.patterns)
                    .map_err(Failure::usage)?,
            ),
        };
        if looked_at.costs.is_empty() {
            streams.note(if self.definitions.is_some() {
                "there are no definitions"
            } else {
                NO_TOOLS
            });
        }
        let report = Report::new(looked_at, &self.allow);
        if self.json {
            streams.json(&report)?;
        } else {
            streams.lines(&report.in_words())?;
        }
        Ok(if report.errors > 0 {
            Exit::Failed
        } else {
            Exit::Done
        })
    }
}

/// The definitions that the patterns match, as they would match tools.
fn chosen(definitions: Vec<Definition>, patterns: &[String]) -> Result<Vec<Definition>, Failure> {
    if patterns.is_empty() {
        return Ok(definitions);
    }
    // A pattern looks at names alone, so that a broken schema is no obstacle.
    let stand_ins: HashMap<&str, Tool> = definitions
        .iter()
        .filter_map(|definition| Some((definition.name.as_str(), stand_in(&definition.name)?)))
        .collect();
    let names: HashSet<String> = Catalogue::new(stand_ins.into_values())
        .map_err(Failure::usage)?
        .select(patterns)
        .map_err(Failure::usage)?
        .names()
        .map(str::to_owned)
        .collect();
    Ok(definitions
        .into_iter()
        .filter(|definition| names.contains(&definition.name))
        .collect())
}

/// A tool of this name; `None` where no tool can have it.
fn stand_in(name: &str) -> Option<Tool> {
    let nothing = serde_json::json!({ "type": "object" });
    Tool::new(Definition::new(name, "", nothing), |_, _| async {}).ok()
}

/// What was found, and what each definition costs.
struct LookedAt {
    costs: Vec<Cost>,
    lints: Vec<Lint>,
}

#[derive(Serialize)]
struct Cost {
    name: String,
    tokens: usize,
}

impl LookedAt {
    fn tools(catalogue: &Catalogue) -> Self {
        Self {
            costs: costs(catalogue.iter().map(Tool::definition)),
            lints: catalogue.lint(),
        }
    }

    fn definitions(definitions: &[Definition]) -> Self {
        Self {
            costs: costs(definitions.iter()),
            lints: Lint::check(definitions),
        }
    }
}

fn costs<'a>(definitions: impl Iterator<Item = &'a Definition>) -> Vec<Cost> {
    definitions
        .map(|definition| Cost {
            name: definition.name.clone(),
            tokens: definition.estimated_tokens(),
        })
        .collect()
}

/// What `lint` prints.
#[derive(Serialize)]
struct Report {
    tools: Vec<Cost>,
    findings: Vec<Lint>,
    tokens: usize,
    errors: usize,
    warnings: usize,
}

impl Report {
    fn new(looked_at: LookedAt, allow: &[String]) -> Self {
        let LookedAt { costs, mut lints } = looked_at;
        lints.retain(|lint| !allow.iter().any(|rule| rule == lint.rule));
        let errors = lints
            .iter()
            .filter(|lint| lint.severity == Severity::Error)
            .count();
        Self {
            tokens: costs.iter().map(|cost| cost.tokens).sum(),
            tools: costs,
            errors,
            warnings: lints.len() - errors,
            findings: lints,
        }
    }

    fn in_words(&self) -> String {
        let mut lines: Vec<String> = self
            .findings
            .iter()
            .map(|lint| control::one_line(&lint.to_string()))
            .collect();
        if !lines.is_empty() {
            lines.push(String::new());
        }
        if !self.tools.is_empty() {
            lines.push("TOKENS  TOOL".to_owned());
        }
        for cost in &self.tools {
            let name = control::one_line(&cost.name);
            lines.push(format!("{:>6}  {name}", cost.tokens));
        }
        lines.push(format!(
            "{}, about {} in every request; {}, {}",
            count(self.tools.len(), "tool"),
            count(self.tokens, "token"),
            count(self.errors, "error"),
            count(self.warnings, "warning"),
        ));
        lines.join("\n")
    }
}

fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
