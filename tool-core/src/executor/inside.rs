//! Whether this thread is inside a tool's function.
//!
//! A tool may itself use the executor, as an agent that is a tool of another
//! does. Its calls go ahead where all places are taken: the outer calls hold
//! them, and wait for the inner ones.

use std::cell::Cell;

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Runs a piece of a tool's function.
pub(super) fn inside<T>(piece: impl FnOnce() -> T) -> T {
    /// Puts things back also when the piece panics.
    struct Back(bool);

    impl Drop for Back {
        fn drop(&mut self) {
            INSIDE.set(self.0);
        }
    }

    let _back = Back(INSIDE.replace(true));
    piece()
}

pub(super) fn is_inside() -> bool {
    INSIDE.get()
}
