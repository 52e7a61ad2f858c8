//! What the calls of one run of an agent have in common.

use std::fmt;
use std::pin::pin;
use std::sync::Arc;

use futures_util::future::select;
use tokio_util::sync::CancellationToken;

use super::ProgressListener;
use crate::telemetry::TraceContext;
use crate::usage::Usage;

/// What the calls of one run of an agent have in common: who cancels them, who
/// hears of their progress, and what they have used. A clone is cheap and
/// means the same run.
#[derive(Clone, Default)]
pub(crate) struct Scope {
    inner: Arc<Inner>,
}

#[derive(Clone, Default)]
struct Inner {
    token: CancellationToken,
    /// A second token that cancels the calls, of the host.
    host: Option<CancellationToken>,
    progress: Option<ProgressListener>,
    trace: Option<TraceContext>,
    usage: Arc<Usage>,
}

impl Scope {
    /// The scope of calls that this token cancels.
    pub(crate) fn new(token: CancellationToken, progress: Option<ProgressListener>) -> Self {
        Self {
            inner: Arc::new(Inner {
                token,
                host: None,
                progress,
                trace: None,
                usage: Arc::default(),
            }),
        }
    }

    /// The same run with something changed.
    fn with(&self, change: impl FnOnce(&mut Inner)) -> Self {
        let mut inner = (*self.inner).clone();
        change(&mut inner);
        Self {
            inner: Arc::new(inner),
        }
    }

    pub(crate) fn with_progress(&self, listener: ProgressListener) -> Self {
        self.with(|inner| inner.progress = Some(listener))
    }

    /// The same run, which this token cancels too.
    pub(crate) fn with_host(&self, token: CancellationToken) -> Self {
        self.with(|inner| inner.host = Some(token))
    }

    /// The same run under a token of its own, which the first cancels too.
    pub(crate) fn child(&self) -> Self {
        self.with(|inner| inner.token = inner.token.child_token())
    }

    pub(crate) fn with_trace(&self, trace: TraceContext) -> Self {
        self.with(|inner| inner.trace = Some(trace))
    }

    pub(crate) fn with_usage(&self, usage: Usage) -> Self {
        self.with(|inner| inner.usage = Arc::new(usage))
    }

    pub(crate) fn cancel(&self) {
        self.inner.token.cancel();
    }

    pub(crate) fn child_token(&self) -> CancellationToken {
        self.inner.token.child_token()
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.inner.token.is_cancelled()
            || self
                .inner
                .host
                .as_ref()
                .is_some_and(CancellationToken::is_cancelled)
    }

    /// Waits until somebody cancels the calls.
    pub(crate) async fn cancelled(&self) {
        let own = self.inner.token.cancelled();
        match &self.inner.host {
            None => own.await,
            Some(host) => {
                select(pin!(own), pin!(host.cancelled())).await;
            }
        }
    }

    pub(crate) fn progress(&self) -> Option<&ProgressListener> {
        self.inner.progress.as_ref()
    }

    pub(crate) fn trace(&self) -> Option<&TraceContext> {
        self.inner.trace.as_ref()
    }

    pub(crate) fn usage(&self) -> &Usage {
        &self.inner.usage
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Scope")
            .field("cancelled", &self.is_cancelled())
            .finish_non_exhaustive()
    }
}
