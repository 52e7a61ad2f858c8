//! What a panic threw.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

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
