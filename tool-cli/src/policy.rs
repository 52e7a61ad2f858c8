//! What the built-in tools may reach.

use std::path::PathBuf;

use clap::Args;
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
        Ok(policy)
    }
}
