//! A crate that is named in the code is in the catalogue, as its list says.

use tool_builtins as _;
use tool_core::catalogue;

#[test]
fn the_catalogue_holds_the_tools_of_every_named_crate() {
    assert_eq!(catalogue().len(), 0);
}
