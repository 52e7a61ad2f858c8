//! The same fifty tools and the same call with other crates, each written the
//! way its own documentation shows.
//!
//! None of them guards against a panic or an endless tool, so all are compared
//! with [`hand::PLAIN`](crate::hand::PLAIN).

mod llm_tool;
mod rig;
mod rmcp;
mod tools_rs;

use tokio::runtime::Runtime;

use crate::harness::Row;

/// The rows of all peers.
pub fn rows(runtime: &Runtime) -> Vec<Row> {
    let mut rows = vec![tools_rs::row(), llm_tool::row(), rig::row()];
    rows.extend(rmcp::rows(runtime));
    rows
}
