use tool_core::tool;

/// Each says nothing about its type.
#[tool]
fn mixed_up(
    /// A text.
    #[schemars(range(min = 1))]
    name: String,
    /// A text, perhaps.
    #[schemars(range(max = 9))]
    nickname: Option<String>,
    /// A number.
    #[schemars(length(min = 1), regex(pattern = "^[0-9]+$"))]
    limit: u32,
    /// A number with a point.
    #[schemars(length(equal = 2))]
    share: f64,
    /// A switch.
    #[schemars(range(min = 0), length(min = 1))]
    verbose: bool,
    /// A list.
    #[schemars(range(min = 1), email)]
    recipients: Vec<String>,
    /// A list of texts.
    #[schemars(length(min = 1), inner(range(min = 1)))]
    names: Vec<String>,
    /// No list.
    #[schemars(inner(length(min = 1)))]
    city: String,
    /// What stands for the type counts.
    #[schemars(with = "u16", length(min = 1))]
    port: String,
) {
}

fn main() {}
