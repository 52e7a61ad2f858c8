//! What is accepted, and what a refused call is told.

use serde_json::json;
use tool_core::{Context, Definition, ErrorKind, Tool, tool};

fn order_tool() -> Tool {
    let schema = json!({
        "type": "object",
        "properties": {
            "customer": {"type": "string"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100},
            "state": {"enum": ["open", "closed"]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "address": {"type": "object", "properties": {"zip": {"type": "string"}}, "required": ["zip"]},
        },
        "required": ["customer"],
        "additionalProperties": false,
    });
    let definition = Definition::new("orders-search_orders", "Search orders.", schema);
    Tool::new(definition, |arguments, _| async move { arguments }).unwrap()
}

async fn refusal(arguments: &str) -> String {
    let error = order_tool()
        .call(arguments, &Context::new())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArguments);
    error.to_model()
}

#[tokio::test]
async fn every_problem_is_told_with_its_path_and_the_schema_at_fault_only() {
    assert_eq!(
        refusal(r#"{"limit":500}"#).await,
        "Error: Invalid arguments for tool 'orders-search_orders': \
         `limit`: expected an integer from 1 to 100, got 500; \
         `customer`: required, but missing.\n\
         Schema: {\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100},\"customer\":{\"type\":\"string\"}}"
    );
}

#[tokio::test]
async fn paths_and_expectations_are_exact() {
    for (arguments, expected) in [
        (
            r#"{"customer":"a","state":"opened"}"#,
            r#"`state`: expected one of "open", "closed", got "opened""#,
        ),
        (
            r#"{"customer":"a","tags":["x",5,null]}"#,
            "`tags[1]`: expected a string, got 5; `tags[2]`: expected a string, got null",
        ),
        (
            r#"{"customer":"a","address":{}}"#,
            "`address.zip`: required, but missing",
        ),
        (
            r#"{"customer":"a","address":[]}"#,
            "`address`: expected an object, got an empty array",
        ),
        (
            r#"{"custumer":"a"}"#,
            "`custumer`: unknown, did you mean `customer`?; `customer`: required, but missing",
        ),
        (
            r#"{"customer":true}"#,
            "`customer`: expected a string, got true",
        ),
        (
            r#"{"customer":"a","limit":1.5}"#,
            "`limit`: expected an integer from 1 to 100, got 1.5",
        ),
        (
            r#"{"customer":"a","limit":"5"}"#,
            "`limit`: expected an integer from 1 to 100, got \"5\"",
        ),
        (
            r#"{"customer":"a","limit":null}"#,
            "`limit`: expected an integer from 1 to 100, got null",
        ),
        ("[]", "expected an object, got an empty array"),
        ("null", "expected an object, got null"),
        ("5", "expected an object, got 5"),
    ] {
        let text = refusal(arguments).await;
        assert!(text.contains(expected), "{arguments}: {text}");
    }
}

#[tokio::test]
async fn a_long_value_is_shown_clipped() {
    let long = "x".repeat(100_000);
    let text = refusal(&format!(r#"{{"customer":"a","limit":"{long}"}}"#)).await;
    assert!(text.contains("xxx\"… (100000 characters)"), "{text}");
    assert!(text.len() < 1_000);
}

#[tokio::test]
async fn the_edges_of_every_integer_type_hold() {
    macro_rules! edges {
        ($($ty:ident)*) => {$({
            /// Give the number back.
            #[tool]
            fn number(
                /// A number.
                n: $ty,
            ) -> $ty {
                n
            }

            let tool = number::tool();
            let context = Context::new();
            for edge in [$ty::MIN, $ty::MAX, 0] {
                let output = tool.call(format!(r#"{{"n":{edge}}}"#), &context).await.unwrap();
                assert_eq!(output.text(), edge.to_string());
            }
            let beyond = [
                format!("{}", i128::from($ty::MAX) + 1),
                format!("{}", i128::from($ty::MIN) - 1),
                "1.5".to_owned(),
                "1e30".to_owned(),
                "-1e30".to_owned(),
            ];
            for bad in beyond {
                let error = tool.call(format!(r#"{{"n":{bad}}}"#), &context).await.unwrap_err();
                assert_eq!(error.problems()[0].path, "n", "{}: {bad}", stringify!($ty));
            }
            for (whole, same) in [("3.0", "3"), ("1e1", "10"), ("-0", "0"), ("-0.0", "0")] {
                let output = tool.call(format!(r#"{{"n":{whole}}}"#), &context).await.unwrap();
                assert_eq!(output.text(), same, "{}: {whole}", stringify!($ty));
            }
        })*};
    }
    edges!(i8 i16 i32 i64 u8 u16 u32 u64);
}

#[tokio::test]
async fn an_array_is_no_struct() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Pair {
        a: u8,
        b: u8,
    }

    /// Add a pair.
    #[tool]
    fn add_pair(
        /// The pair.
        pair: Pair,
    ) -> u8 {
        pair.a + pair.b
    }

    let context = Context::new();
    assert_eq!(
        add_pair::tool()
            .call(r#"{"pair":{"a":1,"b":2}}"#, &context)
            .await
            .unwrap()
            .text(),
        "3"
    );
    let error = add_pair::tool()
        .call(r#"{"pair":[1,2]}"#, &context)
        .await
        .unwrap_err();
    assert!(
        error
            .message()
            .contains("`pair`: expected an object, got an array of 2 items"),
        "{error}"
    );
}

#[tokio::test]
async fn unions_say_what_each_branch_takes() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    enum Payment {
        Cash,
        Card {
            /// The number on the card.
            number: String,
        },
    }

    /// Pay.
    #[tool]
    fn pay(
        /// How to pay.
        payment: Payment,
    ) -> String {
        match payment {
            Payment::Cash => "cash".to_owned(),
            Payment::Card { number } => number,
        }
    }

    let context = Context::new();
    let text = |arguments: &'static str| {
        let context = context.clone();
        async move {
            match pay::tool().call(arguments, &context).await {
                Ok(output) => output.text().into_owned(),
                Err(error) => error.to_model(),
            }
        }
    };
    assert_eq!(text(r#"{"payment":{"kind":"cash"}}"#).await, "cash");
    assert_eq!(
        text(r#"{"payment":{"kind":"card","number":"1"}}"#).await,
        "1"
    );
    let message = text(r#"{"payment":{"kind":"card","number":1}}"#).await;
    assert!(
        message.contains("`payment.number`: expected a string, got 1"),
        "{message}"
    );
    let message = text(r#"{"payment":{"kind":"check"}}"#).await;
    assert!(
        message.contains("`payment.kind`: expected one of \"cash\", \"card\", got \"check\""),
        "{message}"
    );
    let message = text(r#"{"payment":{}}"#).await;
    assert!(
        message.contains("`payment.kind`: required, but missing: one of \"cash\", \"card\""),
        "{message}"
    );
    let message = text(r#"{"payment":"cash"}"#).await;
    assert!(
        message.contains("`payment`: expected an object, got \"cash\""),
        "{message}"
    );
}
