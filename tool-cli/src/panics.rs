//! Keeps what a panicking tool says from driving the terminal.

use std::panic;

use crate::control;
use crate::streams::Streams;

/// Panics are told by whoever told them before, unless their words could drive
/// the terminal: those are told here, without what makes them work.
pub(crate) fn guard(streams: Streams) {
    if !streams.stderr_is_terminal() {
        return;
    }
    let previous = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let payload = info.payload();
        let words = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or_default();
        if control::strip(words) == words {
            previous(info);
            return;
        }
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        streams.note(&format!("panicked at {place}:\n{words}"));
    }));
}
