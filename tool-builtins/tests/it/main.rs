//! Behaviour of the built-in tools, against real servers on loopback and real files in temporary directories.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::panic,
    reason = "a failing test may panic, and what is measured is printed; the configuration covers test functions only"
)]
#![allow(
    clippy::format_collect,
    reason = "inputs are built once, and brevity counts more"
)]

#[path = "../shared_data/mod.rs"]
mod shared_data;

mod addresses;
mod answers;
mod calls;
mod data;
mod declarations;
mod downloads;
mod extraction;
mod file_tools;
mod hostile_pages;
mod network;
mod pages;
#[cfg(unix)]
mod paths;
mod policy;
mod reading;
mod server;
#[cfg(unix)]
mod special_files;
mod tables;
#[cfg(unix)]
mod trap;
mod urls;
mod web_tools;
mod writing;
