use tool_core::tool;

/// A slip of the finger.
#[tool(timeot = 3, readonly, wibble = 1)]
fn one() {}

fn main() {
    one();
}
