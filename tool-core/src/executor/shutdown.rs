//! The end of an executor.

use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::timeout;

use super::Executor;

/// How a shutdown went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shutdown {
    /// How many calls were cancelled because they were not done in time.
    pub cancelled: usize,
    /// How much work could not be stopped: tools that block and do not look
    /// whether they are cancelled.
    pub still_running: usize,
}

impl Executor {
    /// Takes on no more calls, lets those under way finish for `grace`, then
    /// cancels the rest, and returns when every call has its outcome, or a second
    /// later where a hook or a caller holds one back.
    ///
    /// Later calls have an outcome too: an error of kind
    /// [`Cancelled`](crate::ErrorKind::Cancelled). It cannot be undone.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    /// use tool_core::{Catalogue, Executor};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let executor = Executor::new(Catalogue::default()).unwrap();
    /// let shutdown = executor.shutdown(Duration::from_secs(10)).await;
    /// assert_eq!((shutdown.cancelled, shutdown.still_running), (0, 0));
    /// # }
    /// ```
    pub async fn shutdown(&self, grace: Duration) -> Shutdown {
        /// Cancelling takes milliseconds; a hook or a caller that holds an
        /// outcome back must not hold up the end.
        const AFTER: Duration = Duration::from_secs(1);

        let places = &self.inner.places;
        places.close();
        let mut cancelled = 0;
        if timeout(grace, places.idle()).await.is_err() {
            cancelled = places.calls();
            self.inner.scope.cancel();
            let _ = timeout(AFTER, places.idle()).await;
        }
        Shutdown {
            cancelled,
            still_running: self.left_running(),
        }
    }

    /// How much work of tools goes on although its calls are answered, because
    /// it could not be stopped.
    pub fn left_running(&self) -> usize {
        self.inner.left.load(Ordering::SeqCst)
    }
}
