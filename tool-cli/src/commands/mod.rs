//! The commands, one file each.

mod call;
mod check;
mod lint;
mod list;
mod run;
mod show;

use clap::Subcommand;

use crate::failure::{Exit, Failure};
use crate::session::Session;

/// A command and its options.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    List(list::ListOptions),
    Show(show::ShowOptions),
    Call(call::CallOptions),
    Run(run::RunOptions),
    Check(check::CheckOptions),
    Lint(lint::LintOptions),
}

impl Command {
    pub(crate) fn run(self, session: Session) -> Result<Exit, Failure> {
        match self {
            Self::List(options) => options.run(&session),
            Self::Show(options) => options.run(&session),
            Self::Call(options) => options.run(session),
            Self::Run(options) => options.run(session),
            Self::Check(options) => options.run(&session),
            Self::Lint(options) => options.run(&session),
        }
    }
}
