//! Clearing what a message quotes before it is shortened.
//!
//! A secret that is cut in two, or written with escapes, is not known any more
//! when the message leaves. Whoever quotes arguments knows no executor, so
//! that the redactor of the call is the one of the thread for as long as its
//! arguments are looked at.

use std::borrow::Cow;
use std::cell::RefCell;

use super::Redactor;

thread_local! {
    static CURRENT: RefCell<Option<Redactor>> = const { RefCell::new(None) };
}

/// Runs a piece whose quotations this redactor clears.
pub(crate) fn with<T>(redactor: &Redactor, piece: impl FnOnce() -> T) -> T {
    /// Puts the outer one back also when the piece panics.
    struct Back(Option<Redactor>);

    impl Drop for Back {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }

    let _back = Back(CURRENT.replace(Some(redactor.clone())));
    piece()
}

/// A text without the secrets that the current redactor knows. Where there is
/// none, as in a test of one tool, the text as it is.
pub(crate) fn cleared(text: &str) -> Cow<'_, str> {
    CURRENT.with_borrow(|redactor| {
        let cleared = redactor.as_ref().and_then(|redactor| {
            redactor
                .redacted_json(text)
                .or_else(|| redactor.redacted(text))
        });
        cleared.map_or(Cow::Borrowed(text), Cow::Owned)
    })
}
