//! Why a provider's words cannot be read.

use std::fmt;

use super::Dialect;
use crate::schema::describe;

/// Why a value is not what a provider sends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DialectError {
    /// It is not JSON.
    NotJson(String),
    /// The provider reports an error instead of a response.
    Provider(String),
    /// It has none of the known shapes; what was expected and what came.
    Shape(String),
    /// A stream has begun a call of a tool that does not exist.
    #[non_exhaustive]
    UnknownTool {
        /// The name that the model called.
        name: String,
        /// The names that are most like it, best first.
        nearest: Vec<String>,
    },
    /// No dialect has this name.
    UnknownDialect(String),
}

impl fmt::Display for DialectError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(reason) => write!(formatter, "not JSON: {reason}"),
            Self::Provider(message) => write!(formatter, "the provider reports: {message}"),
            Self::Shape(message) => formatter.write_str(message),
            Self::UnknownTool { name, nearest } => {
                write!(formatter, "no tool is named '{}'", describe::name(name))?;
                if !nearest.is_empty() {
                    write!(formatter, "; did you mean {}?", nearest.join(", "))?;
                }
                Ok(())
            }
            Self::UnknownDialect(name) => {
                let known: Vec<&str> = Dialect::ALL.iter().map(|known| known.as_str()).collect();
                write!(
                    formatter,
                    "no dialect is named '{}'; there are {}",
                    describe::name(name),
                    known.join(", ")
                )
            }
        }
    }
}

impl std::error::Error for DialectError {}
