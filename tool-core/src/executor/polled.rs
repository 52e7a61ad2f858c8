//! The future of a tool's async function, polled where it may be.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use super::inside::inside;
use super::trust::{Trust, beside_workers};
use crate::error::ToolError;
use crate::invocation::BoxFuture;
use crate::output::Output;
use crate::panic;

type Work = BoxFuture<Result<Output, ToolError>>;

/// The future of a tool's async function. While the tool is watched, each poll
/// leaves the other tasks of its thread to another thread.
pub(super) struct Polled {
    /// `None` when it is done.
    work: Option<Work>,
    watched: Option<Watched>,
}

struct Watched {
    trust: Arc<Trust>,
    longest_poll: Duration,
}

impl Polled {
    pub(super) fn new(work: Work, trust: &Arc<Trust>) -> Self {
        Self {
            work: Some(work),
            watched: trust.watch().map(|trust| Watched {
                trust,
                longest_poll: Duration::ZERO,
            }),
        }
    }

    /// The same, of a tool that may block its caller.
    pub(super) fn unwatched(work: Work) -> Self {
        Self {
            work: Some(work),
            watched: None,
        }
    }
}

impl Future for Polled {
    type Output = Result<Output, ToolError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { work, watched } = &mut *self;
        let Some(watched) = watched else {
            return poll(work, context);
        };
        let started = Instant::now();
        let polled = beside_workers(|| {
            let polled = poll(work, context);
            if polled.is_ready() {
                // What it leaves behind may take its time too.
                drop(work.take());
            }
            polled
        });
        watched.longest_poll = watched.longest_poll.max(started.elapsed());
        if polled.is_ready() {
            watched.trust.observed(watched.longest_poll);
        }
        polled
    }
}

fn poll(work: &mut Option<Work>, context: &mut Context<'_>) -> Poll<Result<Output, ToolError>> {
    match work {
        Some(future) => inside(|| future.as_mut().poll(context)),
        None => Poll::Pending,
    }
}

impl Drop for Polled {
    fn drop(&mut self) {
        // The call has its outcome already, so that a panic here changes nothing.
        let Some(work) = self.work.take() else {
            return;
        };
        match &self.watched {
            Some(_) => beside_workers(|| panic::dispose(|| drop(work))),
            None => panic::dispose(|| drop(work)),
        }
    }
}
