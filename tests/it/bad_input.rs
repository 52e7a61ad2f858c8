//! Input that is no call: an error each, in bounded memory, without a panic.

use proptest::prelude::*;
use serde_json::json;
use tool_core::{
    Arguments, Call, Catalogue, Dialect, ErrorKind, Executor, RepairMode, tool, tools,
};

/// Give the text back.
#[tool(name = "bad-echo")]
fn echo(
    /// Any text.
    text: String,
    /// A number.
    number: Option<i64>,
    /// Anything.
    any: Option<serde_json::Value>,
) -> String {
    format!("{text} {number:?} {any:?}")
}

fn executor() -> Executor {
    Executor::builder(Catalogue::new(tools![echo]).unwrap())
        .isolation(false)
        .repair(RepairMode::Off)
        .build()
        .unwrap()
}

async fn first_line(arguments: impl Into<Arguments>) -> String {
    let outcome = executor().call(Call::new("1", "bad-echo", arguments)).await;
    assert_eq!(outcome.error_kind(), Some(ErrorKind::InvalidArguments));
    outcome.text().lines().next().unwrap().to_owned()
}

#[tokio::test]
async fn text_that_is_no_call_is_told_why() {
    let nest = format!(
        r#"{{"text":"a","any":{}{}}}"#,
        "[".repeat(10_000),
        "]".repeat(10_000)
    );
    for (arguments, expected) in [
        ("", "expected a JSON object, got nothing"),
        ("  \n ", "expected a JSON object, got nothing"),
        ("null", "expected an object, got null"),
        ("hello", "not valid JSON: expected value at line 1 column 1"),
        (r#"{"text":"a""#, "the JSON was cut off after 11 characters"),
        (r#"{"text":"ab"#, "the JSON was cut off after 11 characters"),
        (r#"{"text":"a",}"#, "not valid JSON: trailing comma"),
        (r#"{"text":"a"} {}"#, "not valid JSON: trailing characters"),
        (
            r#"{"text":"a","text":"b"}"#,
            "the key `text` is there twice",
        ),
        (
            r#"{"text":"a","any":{"b":1,"b":2}}"#,
            "the key `b` is there twice",
        ),
        (nest.as_str(), "nested deeper than 128 levels"),
        (
            r#"{"text":"a","number":1e400}"#,
            "not valid JSON: number out of range",
        ),
        ("{\"text\":\"a\u{0}\"}", "not valid JSON: control character"),
        (r#"{"text":"\ud800"}"#, "not valid JSON"),
        ("\u{feff}{\"text\":\"a\"}", "not valid JSON: expected value"),
    ] {
        let line = first_line(arguments).await;
        assert!(
            line.starts_with("Error: Invalid arguments for tool 'bad-echo': ")
                && line.contains(expected),
            "{arguments:.60}: {line}"
        );
    }
}

#[tokio::test]
async fn arguments_of_100_mebibytes_are_refused_by_their_size() {
    let huge = format!(r#"{{"text":"{}"}}"#, "x".repeat(100 * 1024 * 1024));
    let line = first_line(huge).await;
    assert!(
        line.ends_with("104857611 bytes are more than the limit of 4194304 bytes"),
        "{line}"
    );
}

#[tokio::test]
async fn a_name_of_control_characters_is_escaped_and_clipped() {
    let name = format!("\u{1b}[31m\n{}", "x".repeat(1_000_000));
    let outcome = executor().call(Call::new("1", name, "{}")).await;
    assert_eq!(outcome.error_kind(), Some(ErrorKind::NotFound));
    let text = outcome.text();
    assert!(
        text.starts_with("Error: There is no tool '\\u{1b}[31m\\nxxx"),
        "{text}"
    );
    assert!(text.len() < 300 && !text.contains('\u{1b}'));
}

#[test]
fn a_response_that_is_none_says_what_was_expected() {
    for (response, expected) in [
        (&b""[..], "not JSON: EOF"),
        (b"\xff\xfe{}", "not JSON"),
        (b"null", "expected a response with `choices`"),
        (b"5", "expected a response with `choices`"),
        (b"{}", "expected a response with `choices`"),
        (br#"{"choices":5}"#, "expected a response with `choices`"),
        (
            br#"{"choices":[{}]}"#,
            "the first of `choices` has no `message`",
        ),
        (
            br#"{"choices":[{"message":{"tool_calls":5}}]}"#,
            "expected `tool_calls` to be a list",
        ),
        (
            br#"{"error":{"message":"quota"}}"#,
            "the provider reports: quota",
        ),
    ] {
        let error = Dialect::OpenAi.calls_in(response).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(
        Dialect::OpenAi
            .calls_in(deep.as_bytes())
            .unwrap_err()
            .to_string()
            .contains("recursion limit")
    );
}

#[tokio::test]
async fn calls_with_wrong_parts_are_answered_each() {
    let calls = json!([
        {"id": "a", "function": {"name": "bad-echo", "arguments": 5}},
        {"id": "b", "function": {"name": "bad-echo"}},
        {"id": "c"},
        {"function": {"name": "bad-echo", "arguments": {"text": "x"}}},
        5,
        {"id": 7, "type": "function", "function": {"name": ["x"], "arguments": "{}"}},
    ]);
    let calls = Dialect::OpenAi.calls(&calls).unwrap();
    let outcomes = executor().run(calls).await;
    let messages = Dialect::OpenAi.results(&outcomes);
    let ids: Vec<_> = messages
        .iter()
        .map(|message| message["tool_call_id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["a", "b", "c", "call_3", "call_4", "7"]);
    assert!(outcomes[3].is_ok());
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Any bytes as a response: an answer or an error, never a panic.
    #[test]
    fn the_reader_of_responses_takes_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = Dialect::OpenAi.calls_in(&bytes);
    }

    /// Any JSON-like text as arguments: one outcome, never a panic.
    #[test]
    fn the_parser_of_arguments_takes_any_text(
        text in prop_oneof![".{0,60}", r#"[{}\[\]",:0-9eE.\\ntrufalsx+-]{0,60}"#, r#"\{"text":"[^"]{0,9}","(number|any|x)":[-0-9.eE\[{"]{0,9}\}?"#]
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let outcome = runtime.block_on(executor().call(Call::new("1", "bad-echo", text)));
        prop_assert!(matches!(outcome.error_kind(), None | Some(ErrorKind::InvalidArguments)));
    }
}
