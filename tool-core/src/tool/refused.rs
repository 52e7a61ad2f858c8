//! Definitions that cannot become tools.

use std::fmt;

use crate::arguments::SchemaError;

/// Why a definition cannot become a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DefinitionError {
    /// The name is empty, longer than 128 bytes, or holds a control character.
    Name(String),
    /// The schema of the parameters cannot be used.
    Parameters {
        /// The name of the tool.
        tool: String,
        /// What is wrong with the schema.
        reason: SchemaError,
    },
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(
                formatter,
                "the tool name {name:?} must have 1 to 128 characters and no control character"
            ),
            Self::Parameters { tool, reason } => {
                write!(formatter, "the parameters of tool '{tool}': {reason}")
            }
        }
    }
}

impl std::error::Error for DefinitionError {}

/// What every protocol can carry; which names a provider takes is its dialect's business.
pub(super) fn check_name(name: &str) -> Result<(), DefinitionError> {
    if (1..=128).contains(&name.len()) && !name.chars().any(char::is_control) {
        Ok(())
    } else {
        let shown: String = name.chars().take(140).collect();
        Err(DefinitionError::Name(shown))
    }
}
