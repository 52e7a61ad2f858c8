//! How an executor runs a tool: whom it asks, how many at a time, how often.

use std::time::Duration;

/// What happens when a tool is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// It runs, and the result goes back to the model.
    #[default]
    Standard,
    /// It does not run: the turn ends, and the agent hands over to a person,
    /// whose decision the call then waits for.
    Interrupt,
}

/// Whether somebody is asked before a tool runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Approval {
    /// Nobody is asked.
    #[default]
    Never,
    /// The executor asks its approval handler before each call.
    Always,
    /// The tool's `approval_if` looks at the arguments and says whether to ask.
    Conditional,
}

/// Which calls of one batch may not run beside each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sequential {
    /// Any may run side by side.
    #[default]
    No,
    /// The tool is a barrier: it begins when all calls before it are done, and
    /// those after it begin when it is done.
    Barrier,
    /// Calls run one after the other that have an equal value in the argument
    /// of this name, of all tools that name the same one.
    Key(String),
}

/// How often something may happen: so many times in each period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rate {
    /// How many calls, at least 1.
    pub calls: u32,
    /// In how long a time, above zero.
    pub period: Duration,
}

impl Rate {
    /// So many calls in each period. Less than one call is taken as one, and
    /// less than a millisecond as one millisecond.
    pub const fn new(calls: u32, period: Duration) -> Self {
        const LEAST: Duration = Duration::from_millis(1);
        Self {
            calls: if calls == 0 { 1 } else { calls },
            period: if period.as_nanos() < LEAST.as_nanos() {
                LEAST
            } else {
                period
            },
        }
    }
}
