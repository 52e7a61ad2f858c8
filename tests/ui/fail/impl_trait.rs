use tool_core::tool;

/// Anything.
#[tool]
fn anything(
    /// A value.
    value: impl Into<String>,
) -> impl std::fmt::Display {
    value.into()
}

fn main() {
    let _ = anything("x");
}
