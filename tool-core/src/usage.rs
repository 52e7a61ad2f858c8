//! How many calls a run of an agent has made, and how many it may make.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{ErrorKind, ToolError};

/// How much one run of an agent may use. No limit by default.
///
/// A call that would go over a limit does not run; its outcome is an error of
/// kind [`ErrorKind::LimitReached`] that tells the model to go on without.
///
/// Every call of a tool that exists counts, also one whose arguments are wrong
/// or that a person denies, but not one that a rule denies. What a
/// [`Retry`](crate::Retry) runs again, and what is resumed, counts once.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use tool_core::{Catalogue, Executor, UsageLimits};
///
/// let executor = Executor::new(Catalogue::default()).unwrap();
/// let limits = UsageLimits::new()
///     .calls(50)
///     .calls_of("web-fetch_page", 10)
///     .time(Duration::from_secs(600));
/// let session = executor.session().limits(limits);
/// assert_eq!(session.calls_made(), 0);
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct UsageLimits {
    calls: Option<usize>,
    calls_of: HashMap<String, usize>,
    time: Option<Duration>,
}

impl UsageLimits {
    /// No limit.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many calls all tools together may get.
    pub fn calls(mut self, most: usize) -> Self {
        self.calls = Some(most);
        self
    }

    /// How many calls one tool may get, by its name.
    pub fn calls_of(mut self, tool: impl Into<String>, most: usize) -> Self {
        self.calls_of.insert(tool.into(), most);
        self
    }

    /// For how long calls may begin, from the start of the session.
    pub fn time(mut self, most: Duration) -> Self {
        self.time = Some(most);
        self
    }
}

/// What one run has used.
#[derive(Debug)]
pub(crate) struct Usage {
    limits: UsageLimits,
    started: Instant,
    calls: AtomicUsize,
    /// Whether a tool may have asked again: most runs never look further.
    asked: AtomicBool,
    /// How often in a row a tool has asked the model to try again.
    asked_again: Mutex<HashMap<String, u32>>,
    /// The tools that have a limit of their own.
    by_tool: HashMap<String, Quota>,
}

#[derive(Debug)]
struct Quota {
    most: usize,
    calls: AtomicUsize,
}

impl Default for Usage {
    fn default() -> Self {
        Self::new(UsageLimits::default())
    }
}

impl Usage {
    pub(crate) fn new(mut limits: UsageLimits) -> Self {
        let calls_of = std::mem::take(&mut limits.calls_of);
        let quota = |most| Quota {
            most,
            calls: AtomicUsize::new(0),
        };
        Self {
            limits,
            by_tool: calls_of
                .into_iter()
                .map(|(tool, most)| (tool, quota(most)))
                .collect(),
            started: Instant::now(),
            calls: AtomicUsize::new(0),
            asked: AtomicBool::new(false),
            asked_again: Mutex::default(),
        }
    }

    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    /// Counts a call, or refuses it.
    pub(crate) fn begin(&self, tool: &str) -> Result<(), ToolError> {
        if let Some(most) = self.limits.time
            && self.started.elapsed() > most
        {
            return Err(reached(&format!(
                "The time for tool calls, {} seconds, is over",
                most.as_secs_f64()
            )));
        }
        if let Some(most) = self.limits.calls {
            if !take(&self.calls, most) {
                return Err(reached(&format!("All {most} tool calls have been made")));
            }
        } else {
            self.calls.fetch_add(1, Ordering::Relaxed);
        }
        let Some(quota) = self.by_tool.get(tool) else {
            return Ok(());
        };
        let most = quota.most;
        if take(&quota.calls, most) {
            return Ok(());
        }
        self.calls.fetch_sub(1, Ordering::Relaxed);
        Err(reached(&format!(
            "All {most} calls of tool '{tool}' have been made"
        )))
    }

    /// Notes that a tool has asked to be called again, or that it has not; and
    /// gives how often it has in a row.
    pub(crate) fn asked_again(&self, tool: &str, again: bool) -> u32 {
        if !again && !self.asked.load(Ordering::Relaxed) {
            return 0;
        }
        let mut asked_again = self.lock();
        self.asked.store(true, Ordering::Relaxed);
        if again {
            let asked = asked_again.entry(tool.to_owned()).or_default();
            *asked = asked.saturating_add(1);
            *asked
        } else {
            asked_again.remove(tool);
            0
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, u32>> {
        self.asked_again
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts one more, unless there are as many as there may be.
fn take(calls: &AtomicUsize, most: usize) -> bool {
    let counted = calls.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |calls| {
        (calls < most).then_some(calls + 1)
    });
    counted.is_ok()
}

fn reached(message: &str) -> ToolError {
    ToolError::with_kind(ErrorKind::LimitReached, message)
        .with_hint("Answer with what you have, and say what is missing.")
}
