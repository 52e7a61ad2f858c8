use tool_core::tool;

/// Twice.
#[tool(timeout = 3, name = "a", timeout = 4)]
fn one(
    /// Twice too.
    #[tool(default = 1, default = 2)]
    #[schemars(range(min = 1, min = 2))]
    number: u8,
) {
    let _ = number;
}

fn main() {}
