//! What a declaration says of how the tool is run.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tool_core::{Approval, Args, Context, Rate, Sequential, tool, toolbox};

#[expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "a condition is given references"
)]
fn overwrites(_path: &str, overwrite: &bool, _tags: &[String], _mode: &Option<u32>) -> bool {
    *overwrite
}

/// Write a file.
#[tool(
    approval_if = overwrites,
    sequential(key = "path"),
    concurrency = 4,
    rate = "10/1m",
    max_output = 65_536,
    retries = 3
)]
fn write(
    #[tool(state)] _root: &String,
    /// Where.
    path: String,
    _context: &Context,
    /// Whether to replace what is there.
    #[tool(default = true)]
    overwrite: bool,
    /// Words.
    tags: Vec<String>,
    /// The permissions.
    mode: Option<u32>,
) -> String {
    format!("{path} {overwrite} {tags:?} {mode:?}")
}

#[test]
fn each_key_is_in_the_definition() {
    let tool = write::tool();
    let definition = tool.definition();
    assert_eq!(definition.approval, Approval::Conditional);
    assert_eq!(definition.sequential, Sequential::Key("path".to_owned()));
    assert_eq!(definition.concurrency, Some(4));
    assert_eq!(
        definition.rate,
        Some(Rate::new(10, Duration::from_secs(60)))
    );
    assert_eq!(definition.max_output_bytes, Some(65_536));
    assert_eq!(definition.retries, Some(3));
}

/// Nothing said.
#[tool]
fn plain() {}

/// Said not to be.
#[tool(approval = false, sequential = false, retries = 0, rate = "1/500ms")]
fn denied() {}

/// Alone.
#[tool(approval, sequential, rate = "2/d")]
fn alone() {}

#[test]
fn what_is_not_said_is_not_in_the_definition() {
    let tool = plain::tool();
    let definition = tool.definition();
    assert_eq!(definition.approval, Approval::Never);
    assert_eq!(definition.sequential, Sequential::No);
    assert_eq!(definition.concurrency, None);
    assert_eq!(definition.rate, None);
    assert_eq!(definition.max_output_bytes, None);
    assert_eq!(definition.retries, None);

    let tool = denied::tool();
    let definition = tool.definition();
    assert_eq!(definition.approval, Approval::Never);
    assert_eq!(definition.sequential, Sequential::No);
    assert_eq!(definition.retries, Some(0));
    let rate = definition.rate.unwrap();
    assert_eq!((rate.calls, rate.period), (1, Duration::from_millis(500)));

    let tool = alone::tool();
    let definition = tool.definition();
    assert_eq!(definition.approval, Approval::Always);
    assert_eq!(definition.sequential, Sequential::Barrier);
    let rate = definition.rate.unwrap();
    assert_eq!((rate.calls, rate.period), (2, Duration::from_secs(86_400)));
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Removal {
    /// Where.
    path: String,
}

impl Removal {
    fn is_outside(&self) -> bool {
        self.path.starts_with('/')
    }
}

/// Remove a file.
#[tool(approval_if = Removal::is_outside, sequential(key = "path"))]
fn remove(Removal { path }: Removal) -> String {
    path
}

/// Remove a file.
#[tool(approval_if = Removal::is_outside)]
fn remove_wrapped(removal: Args<Removal>) -> String {
    removal.0.path
}

struct Store {
    free: u64,
}

#[toolbox]
impl Store {
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "a condition is given references"
    )]
    fn is_large(size: &u64) -> bool {
        *size > 1000
    }

    /// Make room.
    #[tool(approval_if = Self::is_large, sequential(key = "bytes"))]
    fn reserve(
        &self,
        /// How much.
        #[serde(rename = "bytes")]
        size: u64,
    ) -> u64 {
        self.free - size
    }
}

#[tokio::test]
async fn a_condition_stands_on_any_kind_of_tool() {
    for tool in [remove::tool(), remove_wrapped::tool()] {
        assert_eq!(tool.definition().approval, Approval::Conditional);
        let output = tool
            .call(json!({ "path": "a" }), &Context::new())
            .await
            .unwrap();
        assert_eq!(output.text(), "a");
    }
    let tools = Arc::new(Store { free: 10 }).tools();
    let definition = tools[0].definition();
    assert_eq!(definition.approval, Approval::Conditional);
    assert_eq!(definition.sequential, Sequential::Key("bytes".to_owned()));
}
