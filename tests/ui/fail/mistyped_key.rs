use tool_core::tool;

/// Wrong values.
#[tool(
    timeout = "30",
    kind = "interupt",
    title = 5,
    read_only = "yes",
    tags("a", 5),
    tags = "b",
    meta = 1,
    approval(now),
    crate = 7
)]
fn one() {}

/// Wrong syntax.
#[tool(timeout = , name "x", "y")]
fn two() {}

fn main() {}
