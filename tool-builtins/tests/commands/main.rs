//! The command tool: what it refuses, what it runs, and that the sandbox holds where the rules are passed by.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::panic,
    reason = "a failing test may panic, and what is missing on a machine is said"
)]

mod allowed;
mod approval;
mod attacks;
mod laws;
mod processes;
mod refused;
mod root;
mod sandbox;
