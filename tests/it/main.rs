//! Behaviour at the public surface, one module a subject.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod arguments;
mod bad_input;
mod catalogue;
mod declaring;
mod dialect_openai;
mod executor;
mod laws;
mod recorded;
mod recorded_calls;
mod repair;
mod returns;
mod schemas;
mod toolbox;
