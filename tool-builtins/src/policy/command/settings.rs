//! Which programs a model may run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use tool_core::ToolError;

use super::program::{Language, Program};
use super::table::{READING, WRITING};

/// The programs that `command_line-run_command` may run. The default is [`Commands::standard`].
///
/// # Examples
///
/// ```
/// use tool_builtins::Policy;
/// use tool_builtins::policy::Commands;
///
/// let policy = Policy::new()
///     .commands(Commands::read_only().allow("jq: -r --raw-output; TEXT PATH...".parse().unwrap()));
/// assert!(policy.allowed_commands().names().any(|name| name == "jq"));
/// assert!(!policy.allowed_commands().names().any(|name| name == "rm"));
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Commands {
    programs: BTreeMap<String, Arc<Program>>,
    recursive_removal: bool,
}

/// Whether commands run only where the operating system can confine them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sandbox {
    /// Where it cannot, nothing runs.
    #[default]
    Required,
    /// Where it cannot, the rules about options and paths are all there is.
    WhereAvailable,
    /// The rules about options and paths are all there is.
    Off,
}

/// Every name that a host has described in this process. A call with one of them always asks for approval, as it is
/// not known which of the policies decides on it.
static DESCRIBED: RwLock<BTreeSet<String>> = RwLock::new(BTreeSet::new());

static ALL: LazyLock<Commands> = LazyLock::new(|| known(READING.iter().chain(&WRITING)));

fn known<'a>(texts: impl Iterator<Item = &'a &'a str>) -> Commands {
    let programs = texts.filter_map(|text| {
        let mut program: Program = text.parse().ok()?;
        program.language = match program.name.as_str() {
            "find" => Language::Find,
            "sed" => Language::Sed,
            _ => Language::Options,
        };
        Some(program)
    });
    Commands {
        programs: programs
            .map(|program| (program.name.clone(), Arc::new(program)))
            .collect(),
        recursive_removal: false,
    }
}

impl Default for Commands {
    fn default() -> Self {
        Self::standard()
    }
}

impl Commands {
    /// No program at all: every command is refused.
    pub fn none() -> Self {
        known([].iter())
    }

    /// Programs that only read: `ls`, `cat`, `grep`, `find`, `sort`, `wc`, `diff` `sed` without `-i`, and
    /// the like.
    pub fn read_only() -> Self {
        known(READING.iter())
    }

    /// [`read_only`](Self::read_only), and `mkdir`, `touch`, `cp`, `mv`, `rm`, `rmdir`, `tee` and `sed -i`. A command
    /// that writes asks for approval.
    pub fn standard() -> Self {
        ALL.clone()
    }

    /// Allows one more program, or one in another way. A command with it asks for approval.
    pub fn allow(mut self, program: Program) -> Self {
        (DESCRIBED.write().unwrap_or_else(PoisonError::into_inner)).insert(program.name.clone());
        self.programs
            .insert(program.name.clone(), Arc::new(program));
        self
    }

    /// Allows programs that are described one a line, as in a file or an environment variable. Empty lines and those
    /// that start with `#` are skipped.
    ///
    /// # Errors
    ///
    /// What is not understood in a description.
    pub fn allow_all(self, descriptions: &str) -> Result<Self, ToolError> {
        (descriptions.lines().map(str::trim))
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .try_fold(self, |commands, line| Ok(commands.allow(line.parse()?)))
    }

    /// Takes a program away.
    pub fn forbid(mut self, name: &str) -> Self {
        self.programs.remove(name);
        self
    }

    /// Sets whether `rm -r` may remove directories with all that is in them. Default: no.
    pub fn recursive_removal(mut self, allowed: bool) -> Self {
        self.recursive_removal = allowed;
        self
    }

    /// The names of the programs in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.programs.keys().map(String::as_str)
    }

    pub(super) fn get(&self, name: &str) -> Option<&Arc<Program>> {
        self.programs.get(name)
    }

    pub(super) fn removes_recursively(&self) -> bool {
        self.recursive_removal
    }

    /// What the widest policy allows, without what hosts have described.
    pub(crate) fn widest() -> Self {
        ALL.clone().recursive_removal(true)
    }

    /// Whether some host has described a program of this name.
    pub(crate) fn is_described(name: &str) -> bool {
        (DESCRIBED.read().unwrap_or_else(PoisonError::into_inner)).contains(name)
    }
}
