//! The worker's side.

use std::io::{BufRead, Read, Write};

use super::limits;
use super::message::{Answer, Order};
use crate::document::{Bounds, Fault, read_here};

/// The stack on which documents are read. Sane nests fit many times over.
const STACK: usize = 64 * 1024 * 1024;

/// Reads one order, carries it out, and ends the process.
pub(super) fn run() -> ! {
    let done = serve().is_some();
    std::process::exit(i32::from(!done));
}

fn serve() -> Option<()> {
    let mut input = std::io::stdin().lock();
    let mut order = Vec::new();
    (&mut input)
        .take(64 * 1024)
        .read_until(b'\n', &mut order)
        .ok()?;
    let order: Order = serde_json::from_slice(&order).ok()?;
    limits::lower(order.memory, order.seconds);
    let mut document = Vec::new();
    input.read_to_end(&mut document).ok()?;
    let answer = answer(order, document);
    let mut output = std::io::stdout().lock();
    serde_json::to_writer(&mut output, &answer).ok()?;
    output.flush().ok()
}

fn answer(order: Order, document: Vec<u8>) -> Answer {
    // The panic is the answer; what it would print is nobody's to read.
    std::panic::set_hook(Box::new(|_| {}));
    let bounds = Bounds {
        expanded: order.expanded,
    };
    let thread = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || read_here(&document, order.kind, &order.request, bounds))
        .map_err(|_| Fault::Stopped("there is no memory for its stack".to_owned()))?;
    thread
        .join()
        .unwrap_or_else(|_| Err(Fault::malformed("its reader broke down on it")))
}
