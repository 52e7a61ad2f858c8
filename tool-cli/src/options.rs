//! The command line as clap reads it.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser};

use crate::commands::Command;

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    about = "Lists tools, calls them, and runs the calls that a model makes",
    after_help = "Results go to stdout, everything else to stderr.\n\
                  Exit codes: 0 done, 1 a tool failed, 2 wrong usage, 130 stopped by Ctrl-C.",
    arg_required_else_help = true
)]
pub(crate) struct CommandLine {
    #[command(flatten)]
    pub(crate) global: GlobalOptions,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What holds for every command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct GlobalOptions {
    /// How long a call may take at most; the timeout of its tool may be shorter
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    /// Run tools that need approval without asking
    #[arg(long, short, global = true)]
    pub(crate) yes: bool,
    #[cfg(feature = "builtins")]
    #[command(flatten)]
    pub(crate) policy: crate::policy::PolicyOptions,
}

impl CommandLine {
    /// Reads the arguments, the program's own name first.
    pub(crate) fn read(arguments: Vec<OsString>, version: String) -> Result<Self, clap::Error> {
        let name = file_name(arguments.first()).unwrap_or_else(|| "tool".to_owned());
        let matches = Self::command()
            .name(name)
            .version(version)
            .try_get_matches_from(arguments)?;
        Self::from_arg_matches(&matches)
    }
}

fn file_name(program: Option<&OsString>) -> Option<String> {
    let name = Path::new(program?).file_stem()?;
    Some(name.to_str()?.to_owned())
}

/// The end of a command's help: arguments to try, under the name that the
/// program was started by.
pub(crate) fn examples(lines: &[(&str, &str)]) -> String {
    let name = file_name(std::env::args_os().next().as_ref()).unwrap_or_else(|| "tool".to_owned());
    let widest = lines
        .iter()
        .map(|(arguments, _)| arguments.chars().count())
        .max()
        .unwrap_or(0);
    /// A longer example has its explanation on a line of its own.
    const LONGEST: usize = 50;
    let lines = lines.iter().map(|(arguments, does)| {
        if widest > LONGEST {
            format!("  {name} {arguments}\n      {does}")
        } else {
            format!("  {name} {arguments:widest$}  {does}")
        }
    });
    let lines: Vec<String> = std::iter::once("Examples:".to_owned())
        .chain(lines)
        .collect();
    lines.join("\n")
}

fn seconds(text: &str) -> Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .filter(|seconds| *seconds > 0.0)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| "expected a number of seconds greater than 0, such as 30 or 0.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{CommandLine, seconds};
    use clap::CommandFactory as _;
    use std::time::Duration;

    #[test]
    fn clap_finds_no_fault_in_the_command_line() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn a_timeout_is_a_positive_number_of_seconds() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("30"), Ok(Duration::from_secs(30)));
        for wrong in ["0", "-1", "inf", "NaN", "1e300", "1e-300", "soon", ""] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
