use tool_core::tool;

/// Owned and mutable state.
#[tool]
fn state(#[tool(state)] owned: String, #[tool(state)] changed: &mut Vec<u8>, #[tool(state = 5)] other: &u8) {
    let _ = (owned, changed, other);
}

fn main() {}
