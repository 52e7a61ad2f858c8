//! What a panic threw.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

/// The words of a panic, for the log only: they may hold anything.
pub(crate) fn words(thrown: Box<dyn Any + Send>) -> String {
    let words = thrown
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| thrown.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
        .to_owned();
    dispose(|| drop(thrown));
    words
}

/// Drops what may panic when it is dropped, and what that throws may panic again.
pub(crate) fn dispose(drop: impl FnOnce()) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(drop)) {
        std::mem::forget(again);
    }
}

/// A future of others whose panics go no further: one of its code is its
/// output, and one of what it drops changes nothing.
pub(crate) struct Contained<F> {
    /// `None` when it is done.
    future: Option<Pin<Box<F>>>,
}

impl<F: Future> Contained<F> {
    pub(crate) fn new(future: F) -> Self {
        Self {
            future: Some(Box::pin(future)),
        }
    }
}

impl<F: Future> Future for Contained<F> {
    type Output = Result<F::Output, Box<dyn Any + Send>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(future) = &mut self.future else {
            return Poll::Pending;
        };
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
            Err(thrown) => Poll::Ready(Err(thrown)),
        }
    }
}

impl<F> Drop for Contained<F> {
    fn drop(&mut self) {
        let future = self.future.take();
        dispose(|| drop(future));
    }
}
