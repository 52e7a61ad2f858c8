use tool_core::tool;

/// A default of another type.
#[tool]
fn defaulted(
    /// A number.
    #[tool(default = true)]
    number: u8,
) {
    let _ = number;
}

fn main() {}
