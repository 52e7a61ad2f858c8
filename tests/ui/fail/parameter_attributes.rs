use tool_core::tool;

/// Attributes that mean nothing here.
#[tool]
fn attributes(
    /// One.
    #[serde(default, skip)]
    one: u8,
    /// Two.
    #[schemars(rangee(min = 1), title = "x")]
    two: u8,
    /// Three.
    #[schemars(range(minimum = 1), length)]
    three: u8,
    /// Four.
    #[tool(defualt = 1, state = 3)]
    four: u8,
    /// Five.
    #[serde(rename = "no spaces")]
    five: u8,
    /// Six.
    #[serde(rename = "one")]
    six: u8,
) {
    let _ = (one, two, three, four, five, six);
}

fn main() {}
