use tool_core::tool;

/// Variadic.
#[tool]
unsafe extern "C" fn four(
    /// A number.
    n: i32,
    _: ...
) {
    let _ = n;
}

fn main() {}
