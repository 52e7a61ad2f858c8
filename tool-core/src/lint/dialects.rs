//! What the providers' dialects cannot say of a definition.

use super::rules::{self, LintRule};
use super::{Findings, name};
use crate::definition::Definition;
use crate::dialect::Dialect;

/// A dialect, and the rule that a definition breaks which it refuses.
const DIALECTS: &[(Dialect, &LintRule)] = &[(Dialect::OpenAi, &rules::REFUSED_BY_OPENAI)];

pub(super) fn lint(definition: &Definition, findings: &mut Findings<'_>) {
    // What is wrong with a name is told once, and not by each dialect.
    if !name::is_legal(&definition.name) {
        let mut renamed = definition.clone();
        "renamed".clone_into(&mut renamed.name);
        return in_each(&renamed, findings);
    }
    in_each(definition, findings);
}

fn in_each(definition: &Definition, findings: &mut Findings<'_>) {
    for (dialect, rule) in DIALECTS {
        if let Err(reason) = dialect.definition(definition) {
            findings.push(rule, reason);
        }
    }
}
