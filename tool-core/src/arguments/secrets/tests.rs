//! What is found, hidden and not said of secrets in arguments.

use serde_json::{Value, json};

use super::SecretPaths;
use crate::{Context, Definition, RepairMode, Secret, Tool};

fn paths(schema: &Value) -> SecretPaths {
    SecretPaths::new(schema).unwrap()
}

fn hidden(schema: &Value, mut arguments: Value) -> Value {
    paths(schema).hide(&mut arguments);
    arguments
}

#[test]
fn a_schema_without_secrets_has_no_places() {
    for schema in [
        json!({}),
        json!(true),
        json!({"properties": {"writeOnly": {"type": "boolean"}}}),
        json!({"properties": {"a": {"writeOnly": false}}}),
        json!({"default": {"writeOnly": true}, "examples": [{"writeOnly": true}]}),
        // Nothing leads there.
        json!({"$defs": {"a": {"writeOnly": true}}}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}),
    ] {
        assert!(SecretPaths::new(&schema).is_none(), "{schema}");
    }
}

#[test]
fn every_keyword_that_leads_to_a_value_is_followed() {
    let secret = json!({"type": "string", "writeOnly": true});
    let of = |keyword: &str, schema: Value| json!({"properties": {"at": {keyword: schema}}});
    for (schema, arguments, expected) in [
        (
            of("properties", json!({"a": secret})),
            json!({"at": {"a": "s1"}}),
            "a",
        ),
        (
            of("additionalProperties", secret.clone()),
            json!({"at": {"b": "s1"}}),
            "b",
        ),
        (
            of("patternProperties", json!({"^x": secret})),
            json!({"at": {"xy": "s1"}}),
            "xy",
        ),
        (
            of(
                "anyOf",
                json!([{"type": "null"}, {"properties": {"a": secret}}]),
            ),
            json!({"at": {"a": "s1"}}),
            "a",
        ),
        (
            of("oneOf", json!([{"properties": {"a": secret}}])),
            json!({"at": {"a": "s1"}}),
            "a",
        ),
        (
            of("allOf", json!([{"properties": {"a": secret}}])),
            json!({"at": {"a": "s1"}}),
            "a",
        ),
        (
            of("then", json!({"properties": {"a": secret}})),
            json!({"at": {"a": "s1"}}),
            "a",
        ),
    ] {
        assert_eq!(paths(&schema).collect(&arguments), ["s1"], "{schema}");
        assert_eq!(
            hidden(&schema, arguments),
            json!({"at": {expected: "[redacted]"}}),
            "{schema}"
        );
    }
    for (schema, texts) in [
        (of("items", secret.clone()), vec!["s1", "2"]),
        (of("prefixItems", json!([secret])), vec!["s1"]),
        (of("items", json!([{}, secret])), vec!["2"]),
    ] {
        assert_eq!(
            paths(&schema).collect(&json!({"at": ["s1", 2]})),
            texts,
            "{schema}"
        );
    }
}

#[test]
fn a_schema_that_leads_back_is_followed_as_deep_as_the_value_goes() {
    let schema = json!({
        "$ref": "#/$defs/tree",
        "$defs": {"tree": {"properties": {
            "key": {"$ref": "#/$defs/key"},
            "left": {"$ref": "#/$defs/tree"},
            "all": {"items": {"$ref": "#"}},
        }}, "key": {"allOf": [{"$ref": "#/$defs/key"}], "writeOnly": true}},
    });
    let mut arguments = json!({"key": "s0", "name": "x"});
    for level in 1..100 {
        arguments = json!({"key": format!("s{level}"), "left": arguments, "all": []});
    }
    assert_eq!(paths(&schema).collect(&arguments).len(), 100);
    paths(&schema).hide(&mut arguments);
    let text = arguments.to_string();
    assert_eq!(text.matches("[redacted]").count(), 100);
    assert!(!text.contains("\"s") && text.contains("\"x\""));
}

#[test]
fn what_is_no_secret_stays_and_a_name_like_a_secrets_is_taken_for_it() {
    let schema = json!({
        "type": "object",
        "properties": {
            "password": {"type": "string", "writeOnly": true},
            "user": {"type": "string"},
            "auth": {"anyOf": [{"type": "string"}, {"properties": {"key": {"writeOnly": true}}}]},
        },
    });
    assert_eq!(
        hidden(
            &schema,
            json!({"user": "ada", "pasword": "s1", "apiKey": "s2", "note": "n", "auth": "none"})
        ),
        json!({"user": "ada", "pasword": "[redacted]", "apiKey": "[redacted]", "note": "n", "auth": "none"})
    );
    assert_eq!(
        hidden(
            &schema,
            json!({"auth": {"key": {"deep": [1, "s"]}}, "password": null})
        ),
        json!({"auth": {"key": "[redacted]"}, "password": null})
    );
}

mod said {
    use super::*;
    use crate as tool_core;
    use crate::tool;

    /// Log in.
    #[tool(name = "log_in", crate = tool_core)]
    fn log_in(
        /// Who.
        user: String,
        /// The password.
        #[schemars(length(min = 8, max = 12))]
        password: Secret<String>,
        /// A second one.
        pin: Option<Secret<u32>>,
        /// Where.
        site: Option<Site>,
        /// How often.
        #[tool(default = 1)]
        times: u8,
    ) -> String {
        let _ = (pin, site, password);
        format!("{user} {times}")
    }

    /// A site.
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[allow(dead_code, reason = "read by nobody")]
    struct Site {
        /// Its key.
        key: Secret<String>,
        /// Its host.
        host: String,
    }

    /// All that a wrong call makes, in words.
    fn words(arguments: &str) -> Vec<String> {
        let mut all = Vec::new();
        for tool in [log_in::tool(), imported()] {
            for mode in [RepairMode::Off, RepairMode::Report, RepairMode::On] {
                let checked = tool.check(arguments, mode);
                let mut words = String::new();
                for repair in &checked.repairs {
                    words.push_str(&format!("{repair}\n"));
                }
                if let Err(error) = checked.arguments {
                    words.push_str(&error.to_model());
                    for problem in error.problems() {
                        words.push_str(&format!("\n{problem}"));
                    }
                }
                all.push(words);
            }
        }
        all
    }

    /// The same with a schema that needs the general validator.
    fn imported() -> Tool {
        let secret = json!({"type": "string", "pattern": "^x{8,12}$", "writeOnly": true});
        let schema = json!({
            "type": "object",
            "properties": {
                "user": {"type": "string"},
                "password": secret,
                "pin": {"type": "integer", "writeOnly": true, "multipleOf": 7},
                "site": {"type": "object", "properties": {"key": secret, "host": {"type": "string"}}, "required": ["key"]},
                "times": {"type": "integer"},
            },
            "required": ["user", "password"],
        });
        Tool::new(Definition::new("log_in", "Log in.", schema), |_, _| async {
            ""
        })
        .unwrap()
    }

    #[test]
    fn no_message_about_a_call_quotes_a_secret() {
        for arguments in [
            // Wrong type, wrong length.
            r#"{"user":"ada","password":4444.5}"#,
            r#"{"user":"ada","password":["hunter"]}"#,
            r#"{"user":"ada","password":{"is":"hunter"}}"#,
            r#"{"user":"ada","password":"hunter"}"#,
            r#"{"user":"ada","password":"hunterhunterhunter"}"#,
            r#"{"user":"ada","password":"xxxxxxxx","pin":"hunter"}"#,
            r#"{"user":"ada","password":"xxxxxxxx","pin":4444}"#,
            r#"{"user":"ada","password":"xxxxxxxx","pin":"4444"}"#,
            r#"{"user":"ada","password":"xxxxxxxx","pin":-4444}"#,
            // Beside a wrong one, and under a wrong name.
            r#"{"user":"ada","password":"hunterhunt","tims":3}"#,
            r#"{"user":1,"password":"hunterhunt","times":"many"}"#,
            r#"{"user":"ada","pasword":"hunterhunt"}"#,
            r#"{"user":"ada","Pass_Word":"hunterhunt"}"#,
            r#"{"usr":"hunterhunt","password":"xxxxxxxx"}"#,
            r#"{"user":"ada","hemlig":"hunterhunt"}"#,
            r#"{"user":"ada","password":"xxxxxxxx","site":{"key":"hunterhunt","hst":"x"}}"#,
            r#"{"user":"ada","password":"xxxxxxxx","site":{"kye":"hunterhunt","host":"x"}}"#,
            r#"{"user":"ada","password":"xxxxxxxx","site":"hunterhunt"}"#,
            r#"{"user":"ada","password":"xxxxxxxx","site":["hunterhunt"]}"#,
            r#"{"user":"ada","password":"xxxxxxxx","site":"{\"key\":\"hunterhunt\",\"host\":\"x\"}"}"#,
            // Wrapped, and encoded twice.
            r#"{"log_in":{"user":"ada","password":"hunterhunt"}}"#,
            r#"{"arguments":{"user":"ada","password":"hunter"}}"#,
            r#""{\"user\":\"ada\",\"password\":\"hunterhunt\"}""#,
            r#"["hunterhunt"]"#,
            "\"hunterhunt\"",
            "4444",
            // Broken, with one reading and with none.
            r#"{"user":"ada","password":"hunterhunt",}"#,
            r"{'user':'ada','password':'hunterhunt'}",
            "{user:\"ada\",password:\"hunterhunt\"}",
            "```json\n{\"user\":\"ada\",\"password\":\"hunterhunt\"}\n```",
            r#"{"user":"ada","password":"hunterhunt"#,
            r#"{"password":"hunterhunt""#,
            r#"{"user":"ada","password":hunterhunt}"#,
            r#"{"password":"hunterhunt","password":"hunterhunt"}"#,
            r#"{"hunter":1,"hunter":2}"#,
            "hunterhunt",
        ] {
            for words in words(arguments) {
                assert!(
                    !words.contains("hunt") && !words.contains("4444"),
                    "{arguments}\n{words}"
                );
            }
        }
    }

    #[test]
    fn what_is_wrong_is_still_told() {
        for (arguments, told) in [
            (
                r#"{"user":"ada","password":"short"}"#,
                "`password`: expected a string of 8 to 12 characters, got a string, which is not shown",
            ),
            (
                r#"{"user":"ada","password":[1]}"#,
                "`password`: expected a string of 8 to 12 characters, got an array",
            ),
            (
                r#"{"user":"ada","pasword":"hunterhunt"}"#,
                r#"Did you mean {"user":"ada","password":"[redacted]"}?"#,
            ),
            (
                r#"{"user":17,"password":"hunterhunt"}"#,
                "`user`: expected a string, got 17",
            ),
            (
                r#"{"user":"ada""#,
                "the JSON was cut off after 13 characters",
            ),
        ] {
            let error = log_in::tool()
                .check(arguments, RepairMode::Off)
                .arguments
                .unwrap_err();
            assert!(error.to_model().contains(told), "{}", error.to_model());
        }
        let checked = log_in::tool().check(
            r#"{"user":"ada","password":"hunterhunt","times":"3"}"#,
            RepairMode::On,
        );
        assert_eq!(
            checked.repairs[0].to_string(),
            "`times`: number_as_text: \"3\" → 3"
        );
        assert_eq!(checked.arguments.unwrap()["password"], "hunterhunt");
    }

    #[test]
    fn a_secret_is_a_parameter_like_its_value() {
        let tool = log_in::tool();
        assert_eq!(
            tool.definition().parameters["properties"]["password"],
            json!({"description": "The password.", "type": "string", "writeOnly": true, "minLength": 8, "maxLength": 12})
        );
        assert_eq!(
            tool.definition().parameters["required"],
            json!(["user", "password"])
        );
        let site = &tool.definition().parameters["properties"]["site"];
        assert_eq!(site["properties"]["key"]["writeOnly"], true);
        let arguments = json!({"user": "ada", "password": "hunterhunt", "pin": 12, "site": {"key": "k", "host": "h"}});
        assert_eq!(
            tool.secret_paths().unwrap().collect(&arguments),
            ["hunterhunt", "12", "k"]
        );
        let output = futures_util::FutureExt::now_or_never(tool.call(arguments, &Context::new()));
        assert_eq!(output.unwrap().unwrap().text(), "ada 1");
    }
}
