use tool_core::{tool, toolbox};

/// A struct.
#[tool]
struct Tool;

/// A struct.
#[toolbox]
struct Box;

fn main() {
    let _ = (Tool, Box);
}
