//! What the providers' dialects cannot say of a definition.

use super::Findings;
use super::rules::{self, LintRule};
use crate::dialect::Dialect;
use crate::tool::Tool;

/// What a note says of a limit that the model is not told of.
const LEFT_OUT: &str = "the executor still checks";

pub(super) fn lint(tool: &Tool, findings: &mut Findings<'_>) {
    for dialect in Dialect::ALL {
        let (refused, dropped) = rules_of(*dialect);
        let definitions = dialect.definitions([tool]);
        for (_, reason) in definitions.left_out {
            findings.push(refused, reason);
        }
        // Another name and a limit said in words lose nothing.
        for (_, note) in definitions.notes {
            if note.contains(LEFT_OUT) {
                findings.push(dropped, format!("{dialect}: {note}"));
            }
        }
    }
}

/// The rule that a tool breaks which a dialect refuses, and the one for what
/// it leaves out.
fn rules_of(dialect: Dialect) -> (&'static LintRule, &'static LintRule) {
    match dialect {
        Dialect::OpenAi => (&rules::REFUSED_BY_OPENAI, &rules::DROPPED_BY_OPENAI),
        Dialect::OpenAiStrict => (
            &rules::REFUSED_BY_OPENAI_STRICT,
            &rules::DROPPED_BY_OPENAI_STRICT,
        ),
        Dialect::Responses => (&rules::REFUSED_BY_RESPONSES, &rules::DROPPED_BY_RESPONSES),
        Dialect::Anthropic => (&rules::REFUSED_BY_ANTHROPIC, &rules::DROPPED_BY_ANTHROPIC),
        Dialect::Gemini => (&rules::REFUSED_BY_GEMINI, &rules::DROPPED_BY_GEMINI),
        Dialect::Bedrock => (&rules::REFUSED_BY_BEDROCK, &rules::DROPPED_BY_BEDROCK),
        Dialect::Mcp => (&rules::REFUSED_BY_MCP, &rules::DROPPED_BY_MCP),
    }
}
