//! What the built-in tools may reach.

use std::path::PathBuf;

use clap::Args;
#[cfg(unix)]
use tool_builtins::policy::Sandbox;
use tool_builtins::{Network, Policy};

use crate::failure::Failure;

/// The options that widen or move what the built-in tools may reach.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct PolicyOptions {
    /// Below which directory the built-in tools read and write files [default: the current one]
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Let the built-in tools connect to loopback and private addresses
    #[arg(long, global = true)]
    allow_private_network: bool,
    #[cfg(unix)]
    #[command(flatten)]
    commands: CommandOptions,
}

/// The options that widen which commands may run.
#[cfg(unix)]
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Global options")]
struct CommandOptions {
    /// Let `command_line-run_command` run one more program, such as `jq: -r --raw-output; TEXT PATH...`; it asks for
    /// approval. The environment's `TOOL_ALLOW_COMMANDS` may hold more, one a line
    #[arg(long, global = true, value_name = "DESCRIPTION")]
    allow_command: Vec<String>,
    /// Whether commands run where the system cannot confine them [default: required]
    #[arg(long, global = true, value_name = "WHEN")]
    sandbox: Option<SandboxOption>,
}

/// The values of `--sandbox`.
#[cfg(unix)]
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum SandboxOption {
    Required,
    WhereAvailable,
    Off,
}

#[cfg(unix)]
impl CommandOptions {
    fn apply(&self, mut policy: Policy) -> Result<Policy, Failure> {
        let more = std::env::var("TOOL_ALLOW_COMMANDS").unwrap_or_default();
        if !more.is_empty() || !self.allow_command.is_empty() {
            let mut commands = policy.allowed_commands().clone();
            for text in self.allow_command.iter().chain([&more]) {
                commands = commands
                    .allow_all(text)
                    .map_err(|error| Failure::usage(error.message().to_owned()))?;
            }
            policy = policy.commands(commands);
        }
        Ok(match self.sandbox {
            None => policy,
            Some(SandboxOption::Required) => policy.sandbox(Sandbox::Required),
            Some(SandboxOption::WhereAvailable) => policy.sandbox(Sandbox::WhereAvailable),
            Some(SandboxOption::Off) => policy.sandbox(Sandbox::Off),
        })
    }
}

impl PolicyOptions {
    /// The host's policy with what the options say; the rest of it stays.
    pub(crate) fn apply(&self, policy: Policy) -> Result<Policy, Failure> {
        let mut policy = policy;
        if let Some(root) = &self.root {
            if !root.is_dir() {
                return Err(Failure::usage(format!(
                    "`{}` of --root is not a directory",
                    root.display()
                )));
            }
            policy = policy.root(root);
        }
        if self.allow_private_network {
            policy = policy.network(Network::PrivateAllowed);
        }
        #[cfg(unix)]
        {
            policy = self.commands.apply(policy)?;
        }
        Ok(policy)
    }
}
