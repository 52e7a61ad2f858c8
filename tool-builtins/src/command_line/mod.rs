//! Run commands below the root of a [`Policy`](crate::Policy).
//!
#![doc = include_str!("../../docs/command_line.md")]

mod echo;
mod lex;
mod line;
mod parse;
mod pattern;
mod plan;
mod run;
pub mod tools;
mod word;

use tool_core::Declaration;

pub use run::{Ran, Request, run_command};
pub(crate) use word::Word;

/// The tools of this category.
pub static TOOLS: &[&Declaration] = &tool_core::tools![tools::run_command];

#[cfg(test)]
mod laws;
