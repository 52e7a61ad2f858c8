//! Behaviour of the file tools, on real files in temporary directories.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::panic,
    reason = "a failing test may panic, and what is measured is printed; the configuration covers test functions only"
)]
#![allow(
    clippy::format_collect,
    clippy::needless_pass_by_value,
    reason = "inputs are built once, and brevity counts more"
)]

mod approvals;
#[cfg(unix)]
mod attacks;
#[path = "../it/calls.rs"]
mod calls;
mod docs;
mod edits;
mod finding;
#[cfg(unix)]
mod limits;
mod listing;
mod outside;
#[cfg(unix)]
mod races;
mod root;
mod roots;
mod searching;
mod transfers;
#[cfg(unix)]
#[path = "../it/trap.rs"]
mod trap;
mod writes;
