use tool_core::tool;

/// A space.
#[tool(name = "bad name")]
fn one() {}

/// A digit first.
#[tool(name = "1st")]
fn two() {}

/// Empty.
#[tool(name = "")]
fn three() {}

/// A function's own name.
#[tool]
fn größe() {}

/// No string.
#[tool(name = five)]
fn five() {}

fn main() {}
