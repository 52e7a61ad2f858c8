//! OpenAI's chat completions, both ways.

use serde_json::json;
use tool_core::{
    Arguments, Call, Catalogue, Definition, Dialect, Executor, File, Tool, tool, tools,
};

/// Say hello, with a file.
#[tool(name = "greet")]
fn greet(
    /// Whom to greet.
    name: String,
) -> (String, Vec<File>) {
    let file = File::new("hello.txt", "text/plain", "hi").with_description("the greeting");
    (format!("Hello, {name}!"), vec![file])
}

/// Say nothing.
#[tool(name = "hush")]
fn hush() -> String {
    String::new()
}

#[test]
fn calls_are_read_from_a_response_a_message_and_a_list() {
    let call = json!({"id": "c1", "type": "function", "function": {"name": "greet", "arguments": "{\"name\":\"Ada\"}"}});
    let expected = vec![Call::new("c1", "greet", r#"{"name":"Ada"}"#)];
    let message = json!({"role": "assistant", "content": null, "tool_calls": [call]});
    for shape in [
        json!({"id": "x", "choices": [{"index": 0, "message": message}]}),
        message.clone(),
        json!([call]),
        call.clone(),
    ] {
        assert_eq!(Dialect::OpenAi.calls(&shape).unwrap(), expected, "{shape}");
    }
    for none in [
        json!({"choices": [{"message": {"role": "assistant", "content": "hi"}}]}),
        json!({"choices": []}),
        json!({"role": "assistant", "content": "hi", "tool_calls": null}),
        json!([]),
    ] {
        assert_eq!(Dialect::OpenAi.calls(&none).unwrap(), [], "{none}");
    }
}

#[test]
fn arguments_as_an_object_are_taken_too() {
    let call = json!([{"function": {"name": "greet", "arguments": {"name": "Ada"}}}]);
    let calls = Dialect::OpenAi.calls(&call).unwrap();
    assert_eq!(calls[0].arguments, Arguments::Value(json!({"name": "Ada"})));
    assert_eq!(calls[0].id, "call_0");
}

#[tokio::test]
async fn results_go_back_as_tool_messages_with_files_named() {
    let executor = Executor::new(Catalogue::new(tools![greet, hush]).unwrap()).unwrap();
    let outcomes = executor
        .run([
            Call::new("1", "greet", r#"{"name":"Ada"}"#),
            Call::new("2", "greet", "{}"),
            Call::new("3", "hush", "{}"),
        ])
        .await;
    let messages = Dialect::OpenAi.results(&outcomes);
    assert_eq!(
        messages[0],
        json!({"role": "tool", "tool_call_id": "1", "content": "Hello, Ada!\n[file hello.txt: text/plain, 2 bytes] the greeting"})
    );
    assert!(
        messages[1]["content"]
            .as_str()
            .unwrap()
            .starts_with("Error: Invalid arguments for tool 'greet': `name`: required")
    );
    assert_eq!(messages[2]["content"], "(no output)");
}

#[test]
fn definitions_go_out_and_come_in() {
    let catalogue = Catalogue::new(tools![greet, hush]).unwrap();
    let definitions = Dialect::OpenAi.definitions(&catalogue);
    assert!(definitions.left_out.is_empty());
    let request = json!({"model": "m", "tools": definitions.tools});
    let imported = Dialect::OpenAi.import(&request).unwrap();
    assert_eq!(imported.len(), 2);
    assert_eq!(imported[0].name, "greet");
    let written: Vec<_> = imported
        .iter()
        .map(|definition| Dialect::OpenAi.definition(definition).unwrap())
        .collect();
    assert_eq!(written, definitions.tools);
}

#[test]
fn a_name_that_openai_refuses_is_sent_under_another_that_says_so() {
    let definition = Definition::new("math.add", "Add two numbers.", json!({"type": "object"}));
    let tool = Tool::new(definition, |_, _| async {}).unwrap();
    let definitions = Dialect::OpenAi.definitions(&Catalogue::new([tool]).unwrap());
    assert!(definitions.left_out.is_empty());
    assert_eq!(definitions.tools[0]["function"]["name"], "math_add");
    assert_eq!(
        definitions.notes,
        [(
            "math.add".to_owned(),
            "sent under the name `math_add`".to_owned()
        )]
    );
}

#[test]
fn bounds_of_64_bits_are_not_sent() {
    /// Take wide numbers.
    #[tool]
    fn wide(
        /// Signed.
        a: i64,
        /// Unsigned.
        b: Vec<u64>,
    ) -> String {
        format!("{a}{b:?}")
    }

    let definition = wide::tool().definition().clone();
    assert_eq!(
        definition.parameters["properties"]["a"]["maximum"],
        i64::MAX
    );
    let sent = serde_json::to_value(&definition).unwrap();
    assert_eq!(
        sent["function"]["parameters"]["properties"],
        json!({
            "a": {"type": "integer", "description": "Signed."},
            "b": {"type": "array", "items": {"type": "integer", "minimum": 0}, "description": "Unsigned."}
        })
    );
}
