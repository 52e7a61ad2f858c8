//! A crate that is named in the code is in the catalogue, as its list says.

use tool_core::{Catalogue, catalogue, tool};

#[test]
fn the_catalogue_holds_the_tools_of_every_named_crate_and_of_this_one() {
    /// Count inside of a function.
    #[tool(name = "inner-count")]
    fn count(
        /// Where to begin.
        from: u8,
    ) -> u16 {
        u16::from(from) + 1
    }

    let listed = Catalogue::new(tool_builtins::TOOLS)
        .unwrap()
        .with([count::tool()])
        .unwrap();
    assert_eq!(
        catalogue().names().collect::<Vec<_>>(),
        listed.names().collect::<Vec<_>>()
    );
    assert_eq!(listed.len(), tool_builtins::TOOLS.len() + 1);
}

#[test]
fn a_linked_tool_and_the_same_tool_of_a_list_are_one() {
    let both = catalogue().with(tool_builtins::TOOLS).unwrap();
    assert_eq!(both.len(), catalogue().len());
}
