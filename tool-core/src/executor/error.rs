//! Why an executor cannot be built.

use std::fmt;

use crate::catalogue::CatalogueError;

/// Why an executor cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExecutorError {
    /// Tools need states that are not there: pairs of tool and type.
    MissingState(Vec<(String, &'static str)>),
    /// Rules name tools or tags that are not there: what is wrong with each.
    Rules(Vec<String>),
    /// A tool of the program has the name of one that the executor adds.
    Catalogue(CatalogueError),
    /// The registered secrets cannot be searched for.
    Secrets(String),
}

impl fmt::Display for ExecutorError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingState(missing) => {
                formatter.write_str("missing state: ")?;
                for (index, (tool, name)) in missing.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(formatter, "{comma}tool '{tool}' needs `{name}`")?;
                }
                formatter.write_str("; add each with `Executor::builder(…).state(…)`")
            }
            Self::Rules(slips) => write!(formatter, "the rules: {}", slips.join("; ")),
            Self::Catalogue(error) => error.fmt(formatter),
            Self::Secrets(reason) => write!(formatter, "the registered secrets: {reason}"),
        }
    }
}

impl std::error::Error for ExecutorError {}
