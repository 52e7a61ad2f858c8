//! A process of its own for parsers that an input can bring down.
//!
//! A stack that overflows and memory that cannot be had end a process, and nothing inside it can prevent that. So some
//! documents (PDF, and the spreadsheets XLS, XLSB and ODS) are read in a second process, under limits of memory and
//! time, without environment, and unable to open a file or a connection. It gets the bytes of the document and gives
//! back its text; when it dies, that is an error like any other.
//!
//! The second process is this program once more. For that, its `main` must begin with [`run_if_asked`]:
//!
//! ```
//! // The first line of `main`.
//! tool_builtins::worker::run_if_asked();
//! ```
//!
//! A program that cannot do so names another one that does, with
//! [`Policy::worker`](crate::Policy::worker): the command `tool`, or `tool-document-worker` of this crate.

mod client;
mod limits;
mod message;
mod server;

use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) use client::read;

/// What a process is started with that is to be a worker.
const ARGUMENT: &str = "--tool-builtins-document-worker";

/// Whether this program becomes a worker when it is started with [`ARGUMENT`]. Without that it must not be started: it
/// would run all over again.
static IS_READY: AtomicBool = AtomicBool::new(false);

/// Makes this process a worker if it was started as one, and then does not return. Otherwise it notes that this program
/// can be started as a worker, and costs nothing.
///
/// Call it first in `main`: a worker must do nothing of what the program does.
pub fn run_if_asked() {
    let mut arguments = std::env::args_os().skip(1);
    if arguments
        .next()
        .is_some_and(|argument| argument == ARGUMENT)
        && arguments.next().is_none()
    {
        server::run();
    }
    IS_READY.store(true, Ordering::Relaxed);
}

fn is_ready() -> bool {
    IS_READY.load(Ordering::Relaxed)
}
