//! `show`: all about one tool.

use clap::Args;
use serde_json::{Map, Value, json};
use tool_core::{Annotations, Approval, Definition, Kind, Sequential};

use crate::control;
use crate::example;
use crate::failure::{Exit, Failure};
use crate::options::examples;
use crate::schema_words::{required, resolve, words};
use crate::session::Session;
use crate::shell::quote;

#[cfg(feature = "builtins")]
const EXAMPLES: &[(&str, &str)] = &[
    ("show web-fetch_page", "for a person"),
    (
        "show web-fetch_page --json",
        "the definition, and what a provider does not see",
    ),
];
#[cfg(not(feature = "builtins"))]
const EXAMPLES: &[(&str, &str)] = &[
    ("show NAME", "for a person"),
    (
        "show NAME --json",
        "the definition, and what a provider does not see",
    ),
];

/// Show one tool: its parameters, its limits, and a call to copy
#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct ShowOptions {
    /// The name of the tool
    name: String,
    /// Print the definition and all else as JSON
    #[arg(long)]
    json: bool,
}

impl ShowOptions {
    pub(crate) fn run(self, session: &Session) -> Result<Exit, Failure> {
        let tool = session.tool(&self.name)?;
        let definition = tool.definition();
        if self.json {
            session.streams.json(&full(definition))?;
        } else {
            session.streams.lines(&page(definition, &session.program))?;
        }
        Ok(Exit::Done)
    }
}

/// The definition as a provider takes it, with everything else beside it, so
/// that `run --definitions` can read it back.
fn full(definition: &Definition) -> Value {
    let annotations = named(definition.annotations)
        .into_iter()
        .filter_map(|(name, value)| Some((name.replace(' ', "_"), Value::from(value?))))
        .collect::<Map<_, _>>();
    let kind = match definition.kind {
        Kind::Interrupt => "interrupt",
        _ => "standard",
    };
    json!({
        "type": "function",
        "function": {
            "name": definition.name,
            "description": definition.description,
            "parameters": definition.parameters,
        },
        "title": definition.title,
        "output_schema": definition.output_schema,
        "kind": kind,
        "annotations": annotations,
        "approval": match definition.approval {
            Approval::Conditional => json!("conditional"),
            approval => json!(approval == Approval::Always),
        },
        "strict": definition.strict,
        "timeout_seconds": definition.timeout.map(|timeout| timeout.as_secs_f64()),
        "sequential": match &definition.sequential {
            Sequential::Key(key) => json!({ "key": key }),
            sequential => json!(*sequential == Sequential::Barrier),
        },
        "concurrency": definition.concurrency,
        "rate": definition.rate.map(|rate| json!({
            "calls": rate.calls,
            "period_seconds": rate.period.as_secs_f64(),
        })),
        "max_output_bytes": definition.max_output_bytes,
        "retries": definition.retries,
        "tags": definition.tags,
        "meta": definition.meta,
        "example_arguments": example::arguments(&definition.parameters),
    })
}

fn page(definition: &Definition, program: &str) -> String {
    let title = definition.title.as_deref().map(control::one_line);
    let head = match title {
        Some(title) => format!("{}: {title}", definition.name),
        None => definition.name.clone(),
    };
    let result = definition
        .output_schema
        .as_ref()
        .map(|schema| format!("Result: JSON, {}", words(schema, schema)));
    let arguments = example::arguments(&definition.parameters).to_string();
    // Escaped, for control characters could not be copied off a terminal.
    let arguments = control::escape_json(&arguments);
    let example = format!(
        "Example:\n  {} call {} {}",
        quote(program),
        quote(&definition.name),
        quote(&arguments)
    );
    let paragraphs = [
        head,
        definition.description.clone(),
        parameters(&definition.parameters),
        facts(definition).join("\n"),
        result.unwrap_or_default(),
        example,
    ];
    let said: Vec<&str> = paragraphs
        .iter()
        .map(String::as_str)
        .filter(|paragraph| !paragraph.is_empty())
        .collect();
    said.join("\n\n")
}

fn parameters(root: &Value) -> String {
    let schema = resolve(root, root).as_object();
    let properties = schema.and_then(|schema| schema.get("properties")?.as_object());
    let Some((schema, properties)) = schema.zip(properties.filter(|found| !found.is_empty()))
    else {
        return "It takes no parameters.".to_owned();
    };
    let required = required(schema);
    let mut lines = vec!["Parameters:".to_owned()];
    for (name, property) in properties {
        let mark = if required.contains(&name.as_str()) {
            "required"
        } else {
            "optional"
        };
        lines.push(format!("  {name} ({mark}): {}", words(root, property)));
        let notes = notes(root, property).into_iter();
        lines.extend(notes.map(|note| format!("      {note}")));
    }
    lines.join("\n")
}

/// What there is to say of a parameter below its type.
fn notes(root: &Value, property: &Value) -> Vec<String> {
    let resolved = resolve(root, property);
    // What stands beside a reference is about this parameter.
    let find = |keyword: &str| property.get(keyword).or_else(|| resolved.get(keyword));
    let mut notes: Vec<String> = find("description")
        .and_then(Value::as_str)
        .map(|description| description.lines().map(str::to_owned).collect())
        .unwrap_or_default();
    if let Some(default) = find("default") {
        notes.push(format!("Default: {default}"));
    }
    if let Some(Value::Array(examples)) = find("examples") {
        let examples: Vec<String> = examples.iter().map(ToString::to_string).collect();
        notes.push(format!("Examples: {}", examples.join(", ")));
    }
    notes
}

fn facts(definition: &Definition) -> Vec<String> {
    let mut facts = Vec::new();
    if let Some(timeout) = definition.timeout {
        facts.push(format!("Timeout: {} s", timeout.as_secs_f64()));
    }
    facts.extend(limits(definition));
    match definition.approval {
        Approval::Always => facts.push("Asks a person for approval before it runs.".to_owned()),
        Approval::Conditional => {
            facts.push("Asks a person for approval before it runs with some arguments.".to_owned());
        }
        _ => {}
    }
    if definition.kind == Kind::Interrupt {
        facts.push("Ends the turn: the agent hands over to a person.".to_owned());
    }
    let said: Vec<String> = named(definition.annotations)
        .into_iter()
        .filter_map(|(name, value)| {
            let negation = if value? { "" } else { "not " };
            Some(format!("{negation}{name}"))
        })
        .collect();
    if !said.is_empty() {
        facts.push(format!("Says of itself: {}", said.join(", ")));
    }
    if !definition.tags.is_empty() {
        facts.push(format!("Tags: {}", definition.tags.join(", ")));
    }
    facts
}

/// How an executor runs the tool, where its definition says it.
fn limits(definition: &Definition) -> Vec<String> {
    let mut limits = Vec::new();
    match &definition.sequential {
        Sequential::Barrier => limits.push(
            "Runs alone: after the calls before it in a batch, before those after it.".to_owned(),
        ),
        Sequential::Key(key) => {
            let key = control::one_line(key);
            limits.push(format!("Runs one after the other for equal `{key}`."));
        }
        _ => {}
    }
    if let Some(calls) = definition.concurrency {
        limits.push(format!("At a time: {}", counted(calls, "call")));
    }
    if let Some(rate) = definition.rate {
        let calls = counted(rate.calls, "call");
        limits.push(format!("Rate: {calls} in {} s", rate.period.as_secs_f64()));
    }
    if let Some(bytes) = definition.max_output_bytes {
        limits.push(format!("Results are cut to {}.", counted(bytes, "byte")));
    }
    if let Some(times) = definition.retries {
        limits.push(match times {
            0 => "May not ask the model to try again.".to_owned(),
            times => format!(
                "May ask the model to try again {} in a row.",
                counted(times, "time")
            ),
        });
    }
    limits
}

/// `1 call`, `2 calls`.
fn counted(number: impl std::fmt::Display, what: &str) -> String {
    let number = number.to_string();
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {what}{plural}")
}

fn named(annotations: Annotations) -> [(&'static str, Option<bool>); 4] {
    [
        ("read only", annotations.read_only),
        ("destructive", annotations.destructive),
        ("idempotent", annotations.idempotent),
        ("open world", annotations.open_world),
    ]
}
