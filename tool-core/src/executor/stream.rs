//! Outcomes and progress as they come.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::Stream;
use tokio::sync::mpsc;

use super::batch::Running;
use super::{Executor, guarded};
use crate::call::Call;
use crate::context::{Progress, Scope};
use crate::outcome::Outcome;

/// How much progress waits for a slow reader. What is more is dropped, as
/// newer progress makes older worthless.
const WAITING: usize = 256;

/// Something that happens while a batch runs.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunEvent {
    /// A tool tells how far it has come.
    Progress {
        /// The provider's id of the call.
        call_id: String,
        /// How far.
        progress: Progress,
    },
    /// A call has its outcome.
    Done {
        /// The place of the call in the batch, from 0.
        index: usize,
        /// What became of it.
        outcome: Box<Outcome>,
    },
}

/// A batch that runs as it is read: see [`Executor::run_stream`]. When it is
/// dropped, the calls that are not done are cancelled.
#[must_use = "nothing runs until the stream is read"]
pub struct RunStream {
    running: Running,
    progress: mpsc::Receiver<(String, Progress)>,
    /// An outcome that came while progress was told before it.
    held: Option<(usize, Outcome)>,
    /// How much progress has been told since the calls were last looked at.
    told: usize,
}

impl RunStream {
    pub(super) fn new(executor: &Executor, scope: &Scope, calls: Vec<Call>) -> Self {
        let (sender, progress) = mpsc::channel(WAITING);
        let before = scope.progress().cloned();
        let listener = Arc::new(move |id: &str, progress: Progress| {
            if let Some(before) = &before {
                before(id, progress.clone());
            }
            // A full queue or a reader that is gone is no concern of the tool's.
            let _ = sender.try_send((id.to_owned(), progress));
        });
        let redactor = executor.inner.redactor.clone();
        let scope = scope.with_progress(guarded(listener, redactor));
        Self {
            running: Running::new(executor, &scope, calls),
            progress,
            held: None,
            told: 0,
        }
    }
}

impl Stream for RunStream {
    type Item = RunEvent;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<RunEvent>> {
        // What a tool has told is heard before its outcome; but one that never
        // ends to tell must not keep the others from being looked at.
        if self.told < WAITING
            && let Poll::Ready(Some(told)) = self.progress.poll_recv(context)
        {
            self.told += 1;
            return Poll::Ready(Some(RunEvent::told(told)));
        }
        let endless = std::mem::take(&mut self.told) == WAITING;
        let done = match self.held.take() {
            Some(done) => done,
            None => match Pin::new(&mut self.running).poll_next(context) {
                Poll::Ready(Some(done)) => done,
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Pending if endless => return self.poll_next(context),
                Poll::Pending => return Poll::Pending,
            },
        };
        // It may have told more since the first look.
        if !endless && let Ok(told) = self.progress.try_recv() {
            self.held = Some(done);
            self.told += 1;
            return Poll::Ready(Some(RunEvent::told(told)));
        }
        let (index, outcome) = done;
        Poll::Ready(Some(RunEvent::Done {
            index,
            outcome: Box::new(outcome),
        }))
    }
}

impl RunEvent {
    fn told((call_id, progress): (String, Progress)) -> Self {
        Self::Progress { call_id, progress }
    }
}

impl fmt::Debug for RunStream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("RunStream")
    }
}
