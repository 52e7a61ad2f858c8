//! The providers' dialects by the names that the command line knows them under.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tool_core::Dialect;

/// A dialect, the name of its option value, and what it is.
const DIALECTS: &[(Dialect, &str, &str)] = &[(
    Dialect::OpenAi,
    "openai",
    "OpenAI's chat completions, as most providers and local servers speak",
)];

/// Reads the value of `--dialect`.
pub(crate) fn parser() -> impl TypedValueParser<Value = Dialect> {
    let names = DIALECTS
        .iter()
        .map(|(_, name, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(names).map(|given| {
        DIALECTS
            .iter()
            .find(|(_, name, _)| *name == given)
            // The parser lets no other name through.
            .map_or(Dialect::default(), |(dialect, _, _)| *dialect)
    })
}
