//! Tools that let everything out that they know, at every place where they can.

use std::fmt;
use std::sync::{Arc, Mutex};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tool_core::{
    Catalogue, Content, Context, File, Output, Progress, Secret, ToolError, schemars, serde, tool,
    tools,
};

/// How much a result may have before it is shortened.
pub(super) const BUDGET: usize = 1_500;

/// Where a tool lets words out.
pub(super) const PLACES: [&str; 25] = [
    "message",
    "hint",
    "source",
    "chain of sources",
    "converted error",
    "panic",
    "retry",
    "denied",
    "text",
    "header",
    "note",
    "several pieces",
    "json value",
    "json key",
    "json with escapes",
    "json in json",
    "deep json",
    "json with a number beyond all",
    "file name",
    "file description",
    "file type",
    "progress",
    "long text",
    "long lines",
    "long json",
];

/// What the tools have been given, and a secret of their own.
pub(super) struct Vault {
    pub(super) given: Arc<Mutex<Vec<String>>>,
    pub(super) key: Secret<String>,
}

/// Somebody's account.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Login {
    /// Who.
    user: String,
    /// The password.
    password: Secret<String>,
}

/// Let words out.
#[tool(name = "secret-say")]
async fn say(
    /// Where.
    place: String,
    /// Which.
    words: String,
    #[tool(state)] vault: &Vault,
    context: &Context,
) -> Result<Output, ToolError> {
    vault.given.lock().unwrap().push(words.clone());
    spill(&place, &words, context)
}

/// Let words out, looking at neither context nor state.
#[tool(name = "secret-say_plainly")]
async fn say_plainly(
    /// Where.
    place: String,
    /// Which.
    words: String,
) -> Result<Output, ToolError> {
    spill(&place, &words, &Context::new())
}

/// Let words out, on a thread of their own.
#[tool(name = "secret-say_sync")]
fn say_sync(
    /// Where.
    place: String,
    /// Which.
    words: String,
    context: &Context,
) -> Result<Output, ToolError> {
    spill(&place, &words, context)
}

/// Let words out, where equal calls share a run.
#[tool(name = "secret-share", read_only, idempotent)]
async fn share(
    /// Where.
    place: String,
    /// Which.
    words: String,
    context: &Context,
) -> Result<Output, ToolError> {
    spill(&place, &words, context)
}

/// Let a password out.
#[tool(name = "secret-log_in")]
async fn log_in(
    /// Where.
    place: String,
    /// The password.
    password: Option<Secret<String>>,
    /// The account.
    login: Option<Login>,
    #[tool(state)] vault: &Vault,
    context: &Context,
) -> Result<Output, ToolError> {
    let words = match (&password, &login) {
        (Some(password), _) => password.expose().clone(),
        (None, Some(login)) if login.user == "ada" => login.password.expose().clone(),
        _ => String::new(),
    };
    vault.given.lock().unwrap().push(words.clone());
    spill(&place, &words, context)
}

/// Let the state's secret out.
#[tool(name = "secret-open")]
async fn open(
    /// Where.
    place: String,
    #[tool(state)] vault: &Vault,
    context: &Context,
) -> Result<Output, ToolError> {
    let words = vault.key.expose();
    vault.given.lock().unwrap().push(words.clone());
    spill(&place, words, context)
}

/// Take numbers alone.
#[tool(name = "secret-count")]
async fn count(
    /// How many.
    number: u64,
    /// Which.
    #[schemars(length(max = 5))]
    short: Option<String>,
    /// What kind.
    kind: Option<Kind>,
    /// Of the service.
    api_key: Option<u64>,
) -> u64 {
    let _ = (short, kind, api_key);
    number
}

/// Take what is named like a secret.
#[tool(name = "secret-connect")]
async fn connect(
    /// Of the service.
    token: String,
) -> usize {
    token.len()
}

/// Kinds.
#[derive(Deserialize, JsonSchema)]
pub(super) enum Kind {
    /// Large.
    Large,
    /// Small.
    Small,
}

pub(super) fn catalogue() -> Catalogue {
    Catalogue::new(tools![
        say,
        say_plainly,
        say_sync,
        share,
        log_in,
        open,
        count
    ])
    .unwrap()
}

/// An error with a cause.
#[derive(Debug)]
struct Cause {
    words: String,
    cause: Option<Box<Cause>>,
}

impl fmt::Display for Cause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "it was {}", self.words)
    }
}

impl std::error::Error for Cause {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let cause = self.cause.as_deref()?;
        Some(cause)
    }
}

fn caused(words: &str) -> Cause {
    let inner = Cause {
        words: words.to_owned(),
        cause: None,
    };
    Cause {
        words: "something else".to_owned(),
        cause: Some(Box::new(inner)),
    }
}

fn raw(text: String) -> Result<Output, ToolError> {
    let value = RawValue::from_string(text)?;
    Ok(Output::from(Content::json(&value)?))
}

fn spill(place: &str, words: &str, context: &Context) -> Result<Output, ToolError> {
    let failed = || ToolError::new("it failed");
    let file = |name: &str, kind: &str| File::new(name, kind, b"content".to_vec());
    Ok(match place {
        "message" => return Err(ToolError::new(format!("it failed with {words}"))),
        "hint" => return Err(failed().with_hint(format!("try {words}"))),
        "source" => return Err(failed().with_source(format!("because of {words}"))),
        "chain of sources" => return Err(failed().with_source(caused(words))),
        "converted error" => return Err(ToolError::from(caused(words))),
        // A panic that the hook of the process does not print.
        "panic" => std::panic::resume_unwind(Box::new(format!("it broke at {words}"))),
        "retry" => return Err(ToolError::retry(format!("not {words}"))),
        "denied" => return Err(ToolError::denied(format!("not {words}"))),
        "text" => Output::from(format!("It is ({words}), is it not?")),
        "header" => Output::from(format!(
            "HTTP/1.1 401 No\r\n{words}\r\nServer: x\r\n\r\nNo."
        )),
        "note" => Output::from(Content::Note(words.to_owned())),
        "several pieces" => [
            Content::Text("One".to_owned()),
            Content::json(&[words])?,
            Content::Text(words.to_owned()),
        ]
        .into_iter()
        .collect(),
        "json value" => Output::from(Content::json(&json!({"a": [{"b": words}, 1]}))?),
        "json key" => Output::from(Content::json(&json!({"a": {words: 1}}))?),
        "json with escapes" => {
            let units = words.encode_utf16();
            let escaped: Vec<String> = units.map(|unit| format!("\\u{unit:04x}")).collect();
            return raw(format!("{{\"a\":\"{}\"}}", escaped.concat()));
        }
        "json in json" => {
            let inner = json!({ "inner": words }).to_string();
            Output::from(Content::json(&json!({ "body": inner }))?)
        }
        "deep json" => {
            let value = serde_json::Value::from(words);
            let deep = (0..200).fold(value, |inner, _| json!([inner]));
            Output::from(Content::json(&deep)?)
        }
        "json with a number beyond all" => {
            return raw(format!("[1e999,{}]", json!(words)));
        }
        "file name" => Output::from(file(&format!("{words}.txt"), "text/plain")),
        "file description" => {
            Output::from(file("a.txt", "text/plain").with_description(format!("of {words}")))
        }
        "file type" => Output::from(file("a.txt", &format!("text/plain; {words}"))),
        "progress" => {
            context.report(Progress::new(1.0).message(format!("at {words}")));
            Output::from("done")
        }
        "long text" => {
            let padding = "word ".repeat(BUDGET / 12);
            Output::from(format!("{padding}{words} ").repeat(6))
        }
        "long lines" => Output::from(format!("line\n{words}\n").repeat(BUDGET / 8)),
        "long json" => {
            let rows = (0..80).map(|row| json!({"row": row, "said": words}));
            Output::from(Content::json(&rows.collect::<Vec<_>>())?)
        }
        other => return Err(ToolError::new(format!("no such place: {other}"))),
    })
}
