use schemars::JsonSchema;
use serde::Deserialize;
use tool_core::{Args, tool};

#[derive(Deserialize, JsonSchema)]
struct Search {
    query: String,
}

/// A struct and more.
#[tool]
fn mixed(
    args: Args<Search>,
    /// How many.
    limit: u8,
) {
    let _ = (args.query.len(), limit);
}

fn main() {}
