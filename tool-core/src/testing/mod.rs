//! A kit for testing tools, and agents that use them. With the feature `testing`.
//!
//! | to test | use |
//! |---|---|
//! | that a tool keeps what its definition promises | [`check_tool`], [`CheckTool`] |
//! | a law of one's own, with arguments of a schema | [`valid_arguments`], [`faulty_arguments`] |
//! | an agent, without a model | [`ScriptedModel`], [`response`] |
//! | an agent, without the world | [`stub`], [`stubbed`] |
//! | what an agent has called | [`Recorder`] |
//! | a tool with state | [`executor`]; [`Context::with_state`](crate::Context::with_state) and [`Tool::call`](crate::Tool::call) without one |
//! | a timeout | Tokio's paused clock, as below |
//!
//! Enable it for tests alone:
//!
//! ```toml
//! [dev-dependencies]
//! tool-core = { version = "0.1", features = ["testing"] }
//! ```
//!
//! [`proptest`] is the one that the strategies are made for.
//!
//! # Example: one line for all tools
//!
//! ```
//! use tool_core::{testing, tool, tools};
//!
//! /// Reverse a text.
//! #[tool(read_only = true)]
//! fn reverse(
//!     /// The text.
//!     text: String,
//! ) -> String {
//!     text.chars().rev().collect()
//! }
//!
//! # fn main() {
//! for tool in tools![reverse] {
//!     testing::check_tool(tool);
//! }
//! # }
//! ```
//!
//! # Example: a timeout of half an hour, in no time
//!
//! On a paused clock (`#[tokio::test(start_paused = true)]`, the feature
//! `test-util` of Tokio) an hour passes as soon as everybody waits. That holds
//! for async tools, isolated or not. A sync function sleeps on a thread that
//! knows no paused clock: its timeout passes in real time, and the clock
//! stands still while it runs. Give such a tool a short one with
//! [`max_timeout`](crate::ExecutorBuilder::max_timeout), and do not advance
//! the clock by hand before it, as its deadline would move by as much.
//!
//! ```
//! use std::time::Duration;
//! use tool_core::{Call, Catalogue, ErrorKind, Executor, tool, tools};
//!
//! /// Wait for a build.
//! #[tool(timeout = 1800)]
//! async fn wait_for_build() -> String {
//!     tokio::time::sleep(Duration::from_secs(7200)).await;
//!     "built".to_owned()
//! }
//!
//! # // What `#[tokio::test(start_paused = true)]` expands to.
//! # fn main() {
//! # tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap().block_on(async {
//! let executor = Executor::new(Catalogue::new(tools![wait_for_build]).unwrap()).unwrap();
//! let outcome = executor.call(Call::new("1", "wait_for_build", "{}")).await;
//! assert_eq!(outcome.error_kind(), Some(ErrorKind::TimedOut));
//! assert_eq!(outcome.elapsed.as_secs(), 1800);
//! # });
//! # }
//! ```

mod check_tool;
mod executor;
mod recorder;
mod response;
mod script;
mod strategy;
mod stub;

pub use proptest;

pub use check_tool::{CheckReport, CheckTool, check_tool, check_tool_async};
pub use executor::executor;
pub use recorder::{RecordedCall, Recorder};
pub use response::response;
pub use script::{ScriptedModel, Transcript};
pub use strategy::{Fault, FaultyArguments, ValidArguments, faulty_arguments, valid_arguments};
pub use stub::{stub, stubbed};
