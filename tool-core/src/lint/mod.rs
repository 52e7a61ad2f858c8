//! What makes a definition hard for a model or illegal for a provider.

mod dialects;
mod name;
mod rules;
mod schema;
#[cfg(test)]
mod tests;
mod text;
mod tokens;

use std::collections::HashSet;
use std::fmt;

use serde::Serialize;

use crate::definition::Definition;
use crate::schema::describe;
use crate::tool::{DefinitionError, Tool};
pub use rules::LintRule;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Severity {
    /// A model will have a harder time.
    Warning,
    /// A provider will refuse it, the tool cannot work, or a model reads what
    /// a person cannot see.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// One finding about a tool's definition.
///
/// [`Catalogue::lint`](crate::Catalogue::lint) finds them in tools, and
/// [`Lint::check`] in definitions that are no tools yet. What
/// [`rule`](Self::rule) holds does not change between versions, so that a test
/// may allow what a project has decided on.
///
/// # Examples
///
/// ```
/// use tool_core::{Catalogue, tool, tools};
///
/// /// Search the orders of a customer, newest first.
/// #[tool(name = "searchOrders")]
/// fn search_orders(
///     /// The customer's number.
///     customer: String,
/// ) -> String {
///     customer
/// }
///
/// # fn main() {
/// let mut lints = Catalogue::new(tools![search_orders]).unwrap().lint();
/// assert_eq!(lints[0].rule, "name-off-convention");
///
/// lints.retain(|lint| lint.rule != "name-off-convention");
/// assert_eq!(lints, []);
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Lint {
    /// The name of the tool.
    pub tool: String,
    /// The rule that it breaks, one of [`Lint::RULES`].
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for Lint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}: {}: {} [{}]",
            self.severity, self.tool, self.message, self.rule
        )
    }
}

impl Lint {
    /// Every rule that there is.
    pub const RULES: &'static [LintRule] = rules::ALL;

    /// What there is to say about definitions, also those that cannot become
    /// tools, such as imported ones.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use tool_core::{Definition, Lint};
    ///
    /// let definition = Definition::new("web-fetch_page", "", json!({ "type": "string" }));
    /// let rules: Vec<_> = Lint::check([&definition]).iter().map(|lint| lint.rule).collect();
    /// assert_eq!(rules, ["schema-unusable", "description-missing"]);
    /// ```
    pub fn check<'a>(definitions: impl IntoIterator<Item = &'a Definition>) -> Vec<Self> {
        let mut names = HashSet::new();
        let mut lints = Vec::new();
        for definition in definitions {
            let mut findings = Findings::new(&definition.name);
            if !names.insert(definition.name.as_str()) {
                findings.push(
                    &rules::DUPLICATE_NAME,
                    "another tool has the same name; providers refuse the whole request",
                );
            }
            match Tool::new(definition.clone(), |_, _| async {}) {
                Ok(tool) => of_tool(&tool, &mut findings),
                Err(error) => {
                    // What is wrong with the name has a rule of its own.
                    if let DefinitionError::Parameters { reason, .. } = error {
                        findings.push(&rules::SCHEMA_UNUSABLE, reason.to_string());
                    }
                    of_definition(definition, &mut findings);
                }
            }
            lints.append(&mut findings.lints);
        }
        lints
    }
}

/// What there is to say about one tool.
pub(crate) fn lint(tool: &Tool) -> Vec<Lint> {
    let mut findings = Findings::new(tool.name());
    of_tool(tool, &mut findings);
    findings.lints
}

fn of_tool(tool: &Tool, findings: &mut Findings<'_>) {
    if let Some(error) = tool.schema_error() {
        findings.push(&rules::SCHEMA_UNUSABLE, error.to_string());
    }
    of_definition(tool.definition(), findings);
    dialects::lint(tool, findings);
}

fn of_definition(definition: &Definition, findings: &mut Findings<'_>) {
    name::lint(&definition.name, findings);
    text::lint(definition, findings);
    schema::lint(&definition.parameters, findings);
    tokens::lint(definition, findings);
}

/// The findings about one tool.
struct Findings<'a> {
    tool: &'a str,
    lints: Vec<Lint>,
}

impl<'a> Findings<'a> {
    fn new(tool: &'a str) -> Self {
        Self {
            tool,
            lints: Vec::new(),
        }
    }

    fn push(&mut self, rule: &LintRule, message: impl Into<String>) {
        self.lints.push(Lint {
            tool: self.tool.to_owned(),
            rule: rule.name,
            severity: rule.severity,
            message: message.into(),
        });
    }
}

/// The place of a property, fit to be read: a key may be anything.
fn quoted(place: &str) -> String {
    format!("`{}`", describe::name(place))
}
