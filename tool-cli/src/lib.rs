//! The command `tool`, as a library: any crate with tools gets it with one line.
//!
//! ```no_run
//! use tool_core::tool;
//!
//! /// Greet somebody by name.
//! #[tool(name = "demo-greet")]
//! fn greet(
//!     /// Whom to greet.
//!     name: String,
//! ) -> String {
//!     format!("Hello, {name}!")
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     tool_cli::main()
//! }
//! ```
//!
//! That program now knows:
//!
//! | command | does |
//! |---|---|
//! | `list [PATTERN…]` | a table of the tools, or their definitions for a provider |
//! | `show NAME` | all about one tool, with a call to copy |
//! | `call NAME [JSON \| @FILE \| -]` | one call; files that it gives back go below `--out DIR` |
//! | `run [FILE \| -]` | runs the calls of a provider's response side by side and prints the messages to send back |
//! | `check --calls FILE` | checks recorded calls against their tools, without running anything |
//! | `lint [PATTERN…]` | what makes definitions hard for a model or illegal for a provider, and what they cost |
//!
//! Results go to stdout, everything else to stderr. The exit code is 0 when all
//! is done, 1 when a tool failed, 2 when the command was used wrongly, 130
//! when Ctrl-C stopped it.
//!
//! Tools that need state get it through [`Cli`].
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `builtins` | yes | the tools of `tool-builtins`, and `--root`, `--allow-private-network`, `--allow-command` and `--sandbox` for what they may reach |

mod approval;
mod cli;
mod commands;
mod control;
mod dialect;
mod example;
mod failure;
mod file_name;
mod input;
mod options;
mod out_directory;
mod panics;
#[cfg(feature = "builtins")]
mod policy;
mod report;
mod schema_words;
mod session;
mod shell;
mod spinner;
mod streams;
mod table;

use std::process::ExitCode;

// A crate that no code names is not linked, and its tools with it.
#[cfg(feature = "builtins")]
use tool_builtins as _;

pub use cli::{Cli, SetupError};

/// The command with the tools of every linked crate: `Cli::new().run()`.
///
/// Use [`Cli`] where tools need state.
pub fn main() -> ExitCode {
    Cli::new().run()
}
