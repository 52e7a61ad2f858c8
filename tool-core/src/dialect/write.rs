//! Definitions on their way out: strict or plain, and what is said of it.

use serde_json::Value;

use super::names::NameRule;
use super::notes::Notes;
use super::{
    Dialect, anthropic, bedrock, extras, gemini, gemini_schema, mcp, openai, plain, responses,
    strict,
};
use crate::definition::Definition;

/// One definition as it may be sent.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) value: Value,
    /// Whether the provider is to bind the model to the schema.
    pub(super) strict: bool,
    pub(super) notes: Vec<String>,
}

pub(super) fn draft(
    dialect: Dialect,
    definition: &Definition,
    name: &str,
    may_be_strict: bool,
) -> Result<Draft, String> {
    match dialect {
        Dialect::OpenAi | Dialect::OpenAiStrict => {
            openai::definition(dialect, definition, name, may_be_strict)
        }
        Dialect::Responses => responses::definition(definition, name, may_be_strict),
        Dialect::Anthropic => anthropic::definition(definition, name, may_be_strict),
        Dialect::Gemini => gemini::definition(definition, name),
        Dialect::Bedrock => bedrock::definition(definition, name, may_be_strict),
        Dialect::Mcp => Ok(mcp::definition(definition, name)),
    }
}

/// The schema of the parameters as it is sent.
#[derive(Debug)]
pub(super) struct Parameters {
    pub(super) schema: Value,
    pub(super) strict: bool,
    pub(super) notes: Vec<String>,
}

/// How much a tool wants to be strict.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wish {
    Never,
    /// Only where the model is told all that the plain schema tells it.
    WhereNothingIsLost,
    /// Also where a limit moves from the schema to the description.
    Asked,
}

fn wish(dialect: Dialect, definition: &Definition) -> Wish {
    match (dialect, definition.strict) {
        (Dialect::Gemini | Dialect::Mcp, _) | (_, Some(false)) | (Dialect::OpenAi, None) => {
            Wish::Never
        }
        (_, Some(true)) | (Dialect::OpenAiStrict, None) => Wish::Asked,
        (Dialect::Responses | Dialect::Anthropic | Dialect::Bedrock, None) => {
            if extras::says_nothing_of_strict(definition, dialect) {
                Wish::Never
            } else {
                Wish::WhereNothingIsLost
            }
        }
    }
}

pub(super) fn parameters(
    dialect: Dialect,
    definition: &Definition,
    may_be_strict: bool,
) -> Result<Parameters, String> {
    let is_own_strict = dialect == Dialect::OpenAi && openai::is_own_strict(definition);
    if is_own_strict || (dialect == Dialect::Gemini && gemini::is_own(definition)) {
        return Ok(Parameters {
            schema: definition.parameters.clone(),
            strict: is_own_strict,
            notes: Vec::new(),
        });
    }
    let source = definition.lean_parameters();
    let keys = NameRule::of_keys(dialect);
    let mut why_not = None;
    let wish = if may_be_strict {
        wish(dialect, definition)
    } else {
        Wish::Never
    };
    if wish != Wish::Never {
        let mode = match dialect {
            Dialect::Anthropic | Dialect::Bedrock => strict::Mode::Anthropic(keys),
            _ => strict::Mode::OpenAi,
        };
        let mut notes = Notes::default();
        match strict::schema(&source, mode, &mut notes) {
            Ok(schema) if wish == Wish::Asked || notes.lose_nothing() => {
                return Ok(Parameters {
                    schema,
                    strict: true,
                    notes: notes.into_lines(),
                });
            }
            Err(reason) if wish == Wish::Asked => {
                why_not = Some(format!("sent without `strict`: {reason}"));
            }
            Ok(_) | Err(_) => {}
        }
    }
    let mut notes = Notes::default();
    let schema = match dialect {
        Dialect::Gemini => gemini_schema::schema(&source, keys, &mut notes)?,
        _ => {
            let openai = keys.is_none();
            let rules = plain::Rules {
                formats: openai.then_some(plain::OPENAI_FORMATS),
                keeps_identity: openai,
                keys,
            };
            plain::schema(&source, &rules, &mut notes)?
        }
    };
    Ok(Parameters {
        schema,
        strict: false,
        notes: why_not.into_iter().chain(notes.into_lines()).collect(),
    })
}
