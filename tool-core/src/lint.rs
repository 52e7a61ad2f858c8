//! What makes a definition hard for a model or illegal for a provider.

use std::fmt;

use serde_json::Value;

use crate::definition::Definition;
use crate::tool::Tool;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// A model will have a harder time.
    Warning,
    /// A provider will refuse it, or the tool cannot work.
    Error,
}

/// One finding about a tool's definition.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lint {
    /// The name of the tool.
    pub tool: String,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for Lint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(formatter, "{severity}: {}: {}", self.tool, self.message)
    }
}

/// A description shorter than this says too little.
const SHORTEST_DESCRIPTION: usize = 20;
/// A description longer than this costs tokens in every request.
const LONGEST_DESCRIPTION: usize = 1_024;
/// More parameters than this and models begin to mix them up.
const MOST_PARAMETERS: usize = 12;

/// What there is to say about one tool.
pub(crate) fn lint(tool: &Tool) -> Vec<Lint> {
    let definition = tool.definition();
    let mut findings = Findings {
        tool: tool.name(),
        lints: Vec::new(),
    };
    if let Some(error) = tool.schema_error() {
        findings.error(error.to_string());
    }
    if let Err(reason) = crate::dialect::openai::check_name(&definition.name) {
        findings.error(reason);
    }
    description(definition, &mut findings);
    parameters(definition, &mut findings);
    findings.lints
}

struct Findings<'a> {
    tool: &'a str,
    lints: Vec<Lint>,
}

impl Findings<'_> {
    fn push(&mut self, severity: Severity, message: impl Into<String>) {
        self.lints.push(Lint {
            tool: self.tool.to_owned(),
            severity,
            message: message.into(),
        });
    }

    fn error(&mut self, message: impl Into<String>) {
        self.push(Severity::Error, message);
    }

    fn warn(&mut self, message: impl Into<String>) {
        self.push(Severity::Warning, message);
    }
}

fn description(definition: &Definition, findings: &mut Findings<'_>) {
    let description = definition.description.trim();
    let characters = description.chars().count();
    if description.is_empty() {
        findings.warn("no description; say what the tool does and when to use it");
    } else if description.eq_ignore_ascii_case(&definition.name) {
        findings.warn("the description only repeats the name");
    } else if characters < SHORTEST_DESCRIPTION {
        findings.warn(format!(
            "the description has {characters} characters; with fewer than {SHORTEST_DESCRIPTION} a model has to guess"
        ));
    } else if characters > LONGEST_DESCRIPTION {
        findings.warn(format!(
            "the description has {characters} characters; more than {LONGEST_DESCRIPTION} cost tokens in every request"
        ));
    }
}

fn parameters(definition: &Definition, findings: &mut Findings<'_>) {
    let root = &definition.parameters;
    for keyword in ["anyOf", "oneOf", "allOf", "not", "enum"] {
        if root.get(keyword).is_some() {
            findings.error(format!(
                "the root of the parameters has `{keyword}`, which OpenAI and Anthropic refuse; take a struct"
            ));
        }
    }
    let Some(properties) = root.get("properties").and_then(Value::as_object) else {
        return;
    };
    if properties.len() > MOST_PARAMETERS {
        findings.warn(format!(
            "{} parameters; with more than {MOST_PARAMETERS} models mix them up",
            properties.len()
        ));
    }
    for (name, schema) in properties {
        let described = schema
            .get("description")
            .and_then(Value::as_str)
            .is_some_and(|text| !text.trim().is_empty());
        if !described {
            findings.warn(format!("the parameter `{name}` has no description"));
        }
        let typed = ["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"]
            .iter()
            .any(|keyword| schema.get(*keyword).is_some());
        if !typed {
            findings.warn(format!(
                "the parameter `{name}` takes anything; models do better with a type"
            ));
        }
    }
}
