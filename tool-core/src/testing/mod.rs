//! Tests for tools.

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
