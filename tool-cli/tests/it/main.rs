//! The command through its real binaries: arguments, streams, exit codes.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "clippy knows only functions marked `#[test]` as tests"
)]

mod approval;
mod built_ins;
mod call;
mod check;
mod embedded;
mod files;
mod lint;
mod list;
mod policy;
mod program;
mod replay;
mod run;
mod show;
mod signals;
mod terminal;
mod usage;
