use crate::program::{own, own_with_input};

#[test]
fn without_a_terminal_nobody_is_asked() {
    let answer = own_with_input(&["call", "demo-delete_order", r#"{"number":5}"#], b"y\n").exits(1);
    assert_eq!(answer.text(), "");
    assert!(answer.stderr.contains("--yes"), "{}", answer.stderr);
    let outcome = own(&["call", "demo-delete_order", r#"{"number":5}"#, "--json"])
        .exits(1)
        .json();
    assert_eq!(outcome["error"]["kind"], "denied");
}

#[test]
fn yes_allows() {
    let answer = own(&["--yes", "call", "demo-delete_order", r#"{"number":5}"#]).exits(0);
    assert_eq!(answer.text(), "order 5 is gone");
    own(&["call", "demo-delete_order", r#"{"number":5}"#, "-y"]).exits(0);
}
