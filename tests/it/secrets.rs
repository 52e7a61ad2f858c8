//! Secrets in arguments, in states and in what a provider is told.

use serde_json::{Value, json};
use tool_core::{
    Call, Catalogue, Context, Definition, Dialect, Executor, Secret, Tool, ToolError, tool, tools,
};

/// Log in to the shop.
#[tool(name = "shop-log_in")]
fn log_in(
    /// The customer.
    user: String,
    /// The password.
    password: Secret<String>,
    /// A second factor.
    code: Option<Secret<String>>,
) -> Result<String, ToolError> {
    let code = code.as_ref().map(|code| code.expose().as_str());
    Err(ToolError::new(format!(
        "{user} cannot log in with {} and {code:?}",
        password.expose()
    )))
}

/// What the shop's tools work with.
struct Shop {
    key: Secret<String>,
}

/// Show the settings of the shop.
#[tool(name = "shop-show_settings")]
fn show_settings(#[tool(state)] shop: &Shop) -> Value {
    json!({ "url": format!("https://shop.example/{}", shop.key.expose()), "open": true })
}

fn has_write_only(value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            members.contains_key("writeOnly") || members.values().any(has_write_only)
        }
        Value::Array(items) => items.iter().any(has_write_only),
        _ => false,
    }
}

#[tokio::test]
async fn a_living_secret_is_in_no_result() {
    let catalogue = Catalogue::new(tools![log_in, show_settings]).unwrap();
    let shop = Shop {
        key: Secret::new("plain-words-of-the-shop".to_owned()),
    };
    let executor = Executor::builder(catalogue).state(shop).build().unwrap();
    let outcome = executor
        .call(Call::new("1", "shop-show_settings", "{}"))
        .await;
    assert_eq!(
        outcome.text(),
        r#"{"url":"https://shop.example/[redacted]","open":true}"#
    );
}

#[tokio::test]
async fn a_tool_is_given_what_was_sent() {
    let error = log_in::tool()
        .call(
            r#"{"user":"ada","password":"open sesame","code":"1234"}"#,
            &Context::new(),
        )
        .await
        .unwrap_err();
    assert_eq!(
        error.message(),
        "ada cannot log in with open sesame and Some(\"1234\")"
    );
}

#[test]
fn a_provider_is_not_told_which_arguments_are_secrets() {
    let tool = log_in::tool();
    assert!(has_write_only(&tool.definition().parameters));
    assert!(!has_write_only(
        &serde_json::to_value(tool.definition()).unwrap()
    ));
    for dialect in Dialect::ALL {
        if *dialect != Dialect::Mcp {
            let definition = dialect.definition(tool.definition()).unwrap();
            assert!(!has_write_only(&definition), "{dialect}: {definition}");
        }
    }
    for strict in [true, false] {
        let mut definition = tool.definition().clone();
        definition.strict = Some(strict);
        for dialect in Dialect::ALL {
            let written = dialect.definition(&definition).unwrap();
            let expected = *dialect == Dialect::Mcp;
            assert_eq!(has_write_only(&written), expected, "{dialect}: {written}");
        }
    }
}

#[test]
fn an_imported_schema_keeps_its_words_where_a_provider_takes_them() {
    let parameters = json!({
        "type": "object",
        "properties": { "key": { "type": "string", "writeOnly": true } },
        "required": ["key"],
        "additionalProperties": false,
    });
    let mut definition = Definition::new("open", "Open the shop.", parameters.clone());
    definition.strict = Some(false);
    let tool = Tool::new(definition, |_, _| async { "" }).unwrap();
    let definition = tool.definition();
    let plain = [
        (Dialect::OpenAi, "/function/parameters"),
        (Dialect::Responses, "/parameters"),
        (Dialect::Anthropic, "/input_schema"),
        (Dialect::Bedrock, "/toolSpec/inputSchema/json"),
        (Dialect::Mcp, "/inputSchema"),
    ];
    for (dialect, place) in plain {
        let written = dialect.definition(definition).unwrap();
        assert_eq!(
            written.pointer(place).unwrap().to_string(),
            parameters.to_string(),
            "{dialect}"
        );
    }
    let written = serde_json::to_value(definition).unwrap();
    assert_eq!(written["function"]["parameters"], parameters);
    let mut strict = definition.clone();
    strict.strict = Some(true);
    for dialect in [Dialect::OpenAi, Dialect::OpenAiStrict, Dialect::Gemini] {
        assert!(!has_write_only(&dialect.definition(&strict).unwrap()));
    }
}
