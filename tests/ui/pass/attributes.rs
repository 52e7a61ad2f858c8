//! Docs may stand before, between and after other attributes; a `pub` tool in a private module, a trailing comma.
use tool_core::tool;

mod inner {
    use tool_core::tool;

    #[allow(dead_code)]
    /// Described after an attribute.
    #[tool]
    #[must_use]
    pub fn documented() -> u8 {
        1
    }
}

/// With a trailing comma.
#[tool(name = "comma",)]
fn comma(
    /// One.
    #[tool(default = 1,)]
    mut one: u8,
) -> u8 {
    one += 1;
    one
}

macro_rules! named {
    ($name:literal, $seconds:expr, $title:literal) => {
        /// Named by a macro.
        #[tool(name = $name, timeout = $seconds, title = $title)]
        fn by_macro() {}
    };
}

named!("by-macro", 2, "By a macro");

fn main() {
    assert_eq!(by_macro::tool().name(), "by-macro");

    assert_eq!(inner::documented::tool().definition().description, "Described after an attribute.");
    assert_eq!(comma(1), 2);
}
