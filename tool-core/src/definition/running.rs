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

/// Which calls may not run beside each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sequential {
    /// Any may run side by side.
    #[default]
    No,
    /// The tool is a barrier in its batch: it begins when all calls before it
    /// are done, and those after it begin when it is done.
    Barrier,
    /// Calls run one after the other that have an equal value in the argument
    /// of this name, of all tools that name the same one, in all batches and
    /// sessions of an executor. Those of one batch run in its order.
    Key(String),
}

/// How often a tool may be called: so many times in each period.
///
/// After a rest all calls of a period may come at once, then one each
/// `period / calls`. A call beyond that waits for its turn; where that would
/// take longer than its timeout, it is refused at once, and the model is told
/// when to try again.
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
