//! Which programs may run, with which arguments, and how they are run.

mod arguments;
mod capture;
mod find;
mod group;
mod launch;
mod limits;
mod operand;
mod pipeline;
mod program;
mod sandbox;
mod sed;
mod settings;
mod table;
mod trusted;

use std::path::PathBuf;
use std::sync::Arc;

use tool_core::ToolError;

pub(crate) use arguments::{Checked, Expand};
pub(crate) use capture::Capture;
pub(crate) use launch::{Launch, Surroundings};
pub(crate) use operand::Place;
pub(crate) use pipeline::{Captured, Stage, Stopped, Streams, Target, run};
pub use program::Program;
pub use settings::{Commands, Sandbox};

use crate::command_line::Word;
use crate::policy::shown;
use program::Language;

impl Commands {
    /// Checks a command against what is allowed.
    ///
    /// # Errors
    ///
    /// `Denied`, with the setting that would allow it.
    pub(crate) fn check(
        &self,
        name: &str,
        words: &[Word],
        expand: Expand<'_>,
    ) -> Result<(Arc<Program>, Checked), ToolError> {
        let Some(program) = self.get(name) else {
            let allowed: Vec<&str> = ["cd", "echo", "pwd"]
                .into_iter()
                .chain(self.names())
                .collect();
            let message = format!("`{}` is not an allowed command", shown(name));
            return Err(ToolError::denied(message).with_hint(format!(
                "allowed: {}; to allow another, describe it with `Commands::allow`, or `--allow-command` on the \
                 command line",
                allowed.join(" ")
            )));
        };
        let checked = match program.language {
            Language::Find => find::check(program, words, expand)?,
            Language::Options | Language::Sed => arguments::check(program, words, expand)?,
        };
        if checked.recursive && program.name() == "rm" && !self.removes_recursively() {
            return Err(ToolError::denied("`rm -r` is not allowed").with_hint(
                "remove the files, then the empty directories; to allow it use `Commands::recursive_removal`",
            ));
        }
        Ok((Arc::clone(program), checked))
    }
}

/// Where a program is.
pub(crate) fn locate(program: &Program) -> Result<PathBuf, ToolError> {
    trusted::locate(program)
}
