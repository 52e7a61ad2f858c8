//! The turn of a call: after those before it, and not too often.

use std::sync::Arc;

use serde_json::Value;

use super::serve::Serving;
use crate::error::{ErrorKind, ToolError};
use crate::invocation::Work;
use crate::turn;

/// A place in the queue of the calls with an equal argument.
pub(super) struct Ticket {
    entry: turn::Entry,
    /// The argument that the place was taken for.
    value: Value,
}

/// The places that a call holds until its work is over.
pub(super) struct Held {
    passes: Option<Arc<Vec<turn::Pass>>>,
}

impl Held {
    /// Work that holds the places too: it may outlive its call.
    pub(super) fn hold(&self, work: Work) -> Work {
        let Some(passes) = self.passes.clone() else {
            return work;
        };
        match work {
            Work::Async(future) => Work::Async(Box::pin(async move {
                let result = future.await;
                drop(passes);
                result
            })),
            Work::Blocking(function) => Work::Blocking(Box::new(move || {
                let result = function();
                drop(passes);
                result
            })),
        }
    }

    /// Watches over work that cannot be stopped once it has begun: when the
    /// caller goes before it has ended, nobody can tell when it will.
    pub(super) fn wait_for(&self, work: &Work) -> Waiting<'_> {
        Waiting(matches!(work, Work::Blocking(_)).then_some(self))
    }

    /// The work goes on although its call is answered.
    pub(super) fn linger(&self) {
        for pass in self.passes.iter().flat_map(|passes| passes.iter()) {
            pass.marker().linger();
        }
    }
}

/// Somebody waits for work; see [`Held::wait_for`].
pub(super) struct Waiting<'a>(Option<&'a Held>);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let Some(held) = self.0 {
            held.linger();
        }
    }
}

impl Serving<'_> {
    /// Takes a place in the queue of the calls with an equal argument, now, so
    /// that calls run in the order in which this is called. `None` for a tool
    /// that has no such queue.
    pub(super) fn ticket(&self, arguments: &Value) -> Option<Ticket> {
        let key = self.entry.key()?;
        let value = arguments.get(key).unwrap_or(&Value::Null);
        Some(Ticket {
            entry: self.inner.keys.enter(key, value),
            value: value.clone(),
        })
    }

    /// Waits for the turn of the call.
    pub(super) async fn turn(
        &self,
        arguments: &Value,
        ticket: Option<Ticket>,
    ) -> Result<Held, ToolError> {
        let still_right = |ticket: &Ticket| {
            let key = self.entry.key().unwrap_or_default();
            arguments.get(key).unwrap_or(&Value::Null) == &ticket.value
        };
        let ticket = ticket
            .filter(still_right)
            .or_else(|| self.ticket(arguments));
        let waits = ticket.is_some() || self.entry.gate.is_some() || self.entry.rate.is_some();
        let _lent = waits.then(|| self.inner.places.lend());
        let mut passes = Vec::new();
        if let Some(ticket) = ticket {
            passes.push(self.pass(ticket.entry).await?);
        }
        if let Some(gate) = &self.entry.gate {
            passes.push(self.pass(gate.enter()).await?);
        }
        if let Some(rate) = &self.entry.rate {
            // Boxed, to keep those small that have no rate.
            let turn = Box::pin(rate.wait(self.entry.timeout));
            let served = self.unless_cancelled(turn).await?;
            served.map_err(|wait| self.too_often(wait))?;
        }
        Ok(Held {
            passes: (!passes.is_empty()).then(|| Arc::new(passes)),
        })
    }

    async fn pass(&self, entry: turn::Entry) -> Result<turn::Pass, ToolError> {
        self.unless_cancelled(entry).await?.map_err(|_| {
            let message = format!(
                "Tool '{}' is still busy with an earlier call that could not be stopped",
                self.tool.name()
            );
            ToolError::with_kind(ErrorKind::LimitReached, message)
                .with_hint("Go another way, or try again later.")
                .retryable()
        })
    }

    fn too_often(&self, wait: std::time::Duration) -> ToolError {
        let seconds = wait.as_secs_f64().ceil();
        let plural = if seconds > 1.0 { "s" } else { "" };
        let message = format!("Tool '{}' has been called too often", self.tool.name());
        ToolError::with_kind(ErrorKind::LimitReached, message)
            .with_hint(format!("Try again in {seconds} second{plural}."))
            .retry_after(wait)
    }
}
