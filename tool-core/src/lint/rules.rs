//! The names of the rules, which users allow by name and which stay.

use super::Severity;

/// A rule that definitions are checked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LintRule {
    /// The name in kebab-case, which stays the same between versions.
    pub name: &'static str,
    /// How bad it is to break the rule.
    pub severity: Severity,
    /// What breaks it, in a few words.
    pub summary: &'static str,
}

macro_rules! rules {
    ($($severity:ident $rule:ident = $name:literal, $summary:literal;)*) => {
        $(pub(super) const $rule: LintRule = LintRule {
            name: $name,
            severity: Severity::$severity,
            summary: $summary,
        };)*

        pub(super) const ALL: &[LintRule] = &[$($rule),*];
    };
}

rules! {
    Error SCHEMA_UNUSABLE = "schema-unusable",
        "the parameters are no JSON Schema of an object";
    Error DUPLICATE_NAME = "duplicate-name",
        "two definitions have one name";
    Error NAME_ILLEGAL = "name-illegal",
        "the name holds what OpenAI and others refuse, or is too long";
    Error ROOT_KEYWORD = "root-keyword",
        "the parameters are a union or the like instead of one object";
    Error HIDDEN_TEXT = "hidden-text",
        "a model reads characters that a person cannot see or sees in another order";
    Error REFUSED_BY_OPENAI = "refused-by-openai",
        "the dialect `openai` cannot say it";
    Error REFUSED_BY_OPENAI_STRICT = "refused-by-openai-strict",
        "the dialect `openai-strict` cannot say it";
    Error REFUSED_BY_RESPONSES = "refused-by-responses",
        "the dialect `responses` cannot say it";
    Error REFUSED_BY_ANTHROPIC = "refused-by-anthropic",
        "the dialect `anthropic` cannot say it";
    Error REFUSED_BY_GEMINI = "refused-by-gemini",
        "the dialect `gemini` cannot say it";
    Error REFUSED_BY_BEDROCK = "refused-by-bedrock",
        "the dialect `bedrock` cannot say it";
    Error REFUSED_BY_MCP = "refused-by-mcp",
        "the dialect `mcp` cannot say it";
    Warning NAME_OFF_CONVENTION = "name-off-convention",
        "the name is not `category-action_target`";
    Warning DESCRIPTION_MISSING = "description-missing",
        "no description";
    Warning DESCRIPTION_REPEATS_NAME = "description-repeats-name",
        "the description says no more than the name";
    Warning DESCRIPTION_SHORT = "description-short",
        "the description has fewer than 20 characters";
    Warning DESCRIPTION_LONG = "description-long",
        "the description has more than 1,024 characters";
    Warning INVISIBLE_CHARACTER = "invisible-character",
        "a control character or one without width in a name or a description";
    Warning MANY_PARAMETERS = "many-parameters",
        "more than 12 parameters";
    Warning PARAMETER_UNDESCRIBED = "parameter-undescribed",
        "a parameter has no description";
    Warning PROPERTY_UNDESCRIBED = "property-undescribed",
        "a property inside a parameter has no description";
    Warning UNTYPED = "untyped",
        "a parameter, or the items of one, takes anything";
    Warning FREE_FORM_OBJECT = "free-form-object",
        "an object says nothing of its keys";
    Warning NESTED_UNION = "nested-union",
        "alternatives inside alternatives";
    Warning HEAVY_DEFINITION = "heavy-definition",
        "the definition costs more than about 1,000 tokens";
    Warning DROPPED_BY_OPENAI = "dropped-by-openai",
        "the dialect `openai` leaves a limit out";
    Warning DROPPED_BY_OPENAI_STRICT = "dropped-by-openai-strict",
        "the dialect `openai-strict` leaves a limit out";
    Warning DROPPED_BY_RESPONSES = "dropped-by-responses",
        "the dialect `responses` leaves a limit out";
    Warning DROPPED_BY_ANTHROPIC = "dropped-by-anthropic",
        "the dialect `anthropic` leaves a limit out";
    Warning DROPPED_BY_GEMINI = "dropped-by-gemini",
        "the dialect `gemini` leaves a limit out";
    Warning DROPPED_BY_BEDROCK = "dropped-by-bedrock",
        "the dialect `bedrock` leaves a limit out";
    Warning DROPPED_BY_MCP = "dropped-by-mcp",
        "the dialect `mcp` leaves a limit out";
}
