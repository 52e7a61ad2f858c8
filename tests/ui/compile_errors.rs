//! Each mistake in a declaration has its message, at the user's token.

#[test]
fn mistakes_are_told_where_they_are() {
    let cases = trybuild::TestCases::new();
    cases.pass("pass/*.rs");
    cases.compile_fail("fail/*.rs");
}
