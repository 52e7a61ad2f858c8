//! The providers' dialects by the names that the command line knows them under.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tool_core::Dialect;

/// Reads the value of `--dialect`.
pub(crate) fn parser() -> impl TypedValueParser<Value = Dialect> {
    let names = Dialect::ALL
        .iter()
        .map(|dialect| PossibleValue::new(dialect.as_str()).help(help(*dialect)));
    PossibleValuesParser::new(names).try_map(|given| given.parse::<Dialect>())
}

fn help(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::OpenAi => "OpenAI's chat completions, as most providers and local servers speak",
        Dialect::OpenAiStrict => "the same, strict where a schema can be said strictly",
        Dialect::Responses => "OpenAI's Responses",
        Dialect::Anthropic => "Anthropic's messages",
        Dialect::Gemini => "Gemini's generateContent",
        Dialect::Bedrock => "Amazon Bedrock's Converse",
        Dialect::Mcp => "the Model Context Protocol",
        _ => "",
    }
}
