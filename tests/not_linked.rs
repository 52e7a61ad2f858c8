//! A crate that nobody names is not linked, and the empty catalogue says so.

use tool_core::catalogue;

#[test]
fn an_empty_catalogue_says_what_to_write() {
    assert!(catalogue().is_empty());
    let error = catalogue().select(["web"]).unwrap_err().to_string();
    assert!(error.contains("`use tool_builtins as _;`"), "{error}");
}
