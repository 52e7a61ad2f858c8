use tool_core::tool;

/// Conditional.
#[tool]
fn conditional(
    /// Sometimes.
    #[cfg(unix)]
    path: String,
) {
    let _ = path;
}

fn main() {}
