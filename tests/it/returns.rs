//! Every type that a tool may return.

use std::borrow::Cow;

use serde_json::{Value, json};
use tool_core::{Content, Context, File, Json, Output, Tool, ToolError, tool};

async fn output(tool: Tool) -> Result<Output, ToolError> {
    tool.call("{}", &Context::new()).await
}

macro_rules! returns {
    ($($name:ident -> $ty:ty { $value:expr } => $text:expr;)*) => {
        #[tokio::test]
        async fn every_return_type_has_its_text() {
            $({
                /// Return something.
                #[tool]
                #[allow(clippy::type_complexity)]
                fn $name() -> $ty { $value }

                let output = output($name::tool()).await.unwrap();
                assert_eq!(output.text(), $text, stringify!($ty));
            })*
        }
    };
}

returns! {
    string -> String { "a".to_owned() } => "a";
    text -> &'static str { "b" } => "b";
    cow -> Cow<'static, str> { Cow::Borrowed("c") } => "c";
    unit -> () { {} } => "Done.";
    integer -> i64 { -5 } => "-5";
    float -> f64 { 0.5 } => "0.5";
    boolean -> bool { true } => "true";
    value -> Value { json!({"b": 1, "a": 2}) } => r#"{"b":1,"a":2}"#;
    typed -> Json<Vec<u8>> { Json(vec![1, 2]) } => "[1,2]";
    file -> File { File::new("a.txt", "text/plain", "x") } => "";
    some -> Option<String> { Some("d".to_owned()) } => "d";
    none -> Option<String> { None } => "null";
    fine -> Result<u8, std::num::ParseIntError> { "7".parse() } => "7";
    both -> (String, Vec<File>) { ("e".to_owned(), vec![File::new("a", "b/c", "x")]) } => "e";
    pieces -> Vec<Content> { vec!["f".into(), File::new("a", "b/c", "x").into(), "g".into()] } => "f\ng";
    nested -> Result<Option<(Json<u8>, Vec<File>)>, ToolError> { Ok(Some((Json(1), vec![]))) } => "1";
}

#[tokio::test]
async fn files_come_beside_the_text() {
    /// Give two files.
    #[tool]
    async fn files() -> (&'static str, Vec<File>) {
        (
            "two",
            vec![File::new("a", "x/y", "1"), File::new("b", "x/y", "2")],
        )
    }

    let output = output(files::tool()).await.unwrap();
    let names: Vec<&str> = output.files().map(|file| file.filename.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn a_json_result_has_an_output_schema() {
    #[derive(serde::Serialize, schemars::JsonSchema)]
    struct Sum {
        total: u8,
    }

    /// Add.
    #[tool]
    fn sum() -> Result<Json<Sum>, ToolError> {
        Ok(Json(Sum { total: 1 }))
    }

    let schema = sum::tool().definition().output_schema.clone().unwrap();
    assert_eq!(schema["properties"]["total"]["maximum"], 255);
    assert_eq!(schema["required"], json!(["total"]));
}

#[tokio::test]
async fn errors_of_every_kind_convert() {
    /// Fail with a standard error.
    #[tool]
    fn standard() -> Result<String, std::io::Error> {
        Err(std::io::Error::other("the disk is full"))
    }

    /// Fail on purpose.
    #[tool]
    fn own() -> Result<String, ToolError> {
        Err(ToolError::new("no such order")
            .with_hint("list them")
            .retryable())
    }

    let error = output(standard::tool()).await.unwrap_err();
    assert_eq!(error.to_model(), "Error: the disk is full");
    assert!(error.source().is_some());
    let error = output(own::tool()).await.unwrap_err();
    assert!(error.is_retryable());
    assert_eq!(error.to_model(), "Error: no such order\nlist them");
}

#[tokio::test]
async fn a_result_that_is_no_json_is_an_error() {
    /// Return a map whose keys are no strings.
    #[tool]
    fn odd() -> Json<std::collections::BTreeMap<Vec<u8>, u8>> {
        Json([(vec![1], 1)].into())
    }

    let error = output(odd::tool()).await.unwrap_err();
    assert!(
        error
            .message()
            .starts_with("the tool's result cannot be written as JSON"),
        "{error}"
    );
}
