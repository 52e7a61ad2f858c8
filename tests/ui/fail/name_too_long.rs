use tool_core::tool;

/// Sixty-five characters.
#[tool(name = "a2345678901234567890123456789012345678901234567890123456789012345")]
fn long() {}

/// Sixty-four are fine.
#[tool(name = "a234567890123456789012345678901234567890123456789012345678901234")]
fn fits() {}

fn main() {}
