use tool_core::tool;

/// Greet somebody.
#[tool]
fn greet(name: String, /// The age.
    age: u8,
    loud: bool,
) -> String {
    format!("{name}{age}{loud}")
}

fn main() {
    greet(String::new(), 1, true);
}
