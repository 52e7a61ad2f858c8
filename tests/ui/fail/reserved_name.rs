use tool_core::tool;

/// Two underscores.
#[tool]
fn __hidden() {}

/// A client's prefix.
#[tool(name = "mcp__server__tool")]
fn prefixed() {}

/// A provider's tool.
#[tool(name = "multi_tool_use")]
fn provider() {}

fn main() {}
