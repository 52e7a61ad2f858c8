use tool_core::tool;

/// Zero.
#[tool(timeout = 0)]
fn zero() {}

/// Negative.
#[tool(timeout = -1.5)]
fn negative() {}

/// Longer than anybody waits.
#[tool(timeout = 1e300)]
fn endless() {}

/// Not a plain number.
#[tool(timeout = 30u8)]
fn suffixed() {}

fn main() {}
