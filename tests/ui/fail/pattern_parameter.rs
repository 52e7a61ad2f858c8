use tool_core::tool;

/// A pair.
#[tool]
fn pair(
    /// Two numbers.
    (a, b): (u8, u8),
    /// Ignored.
    _: u8,
) -> u8 {
    a + b
}

fn main() {
    pair((1, 2), 3);
}
