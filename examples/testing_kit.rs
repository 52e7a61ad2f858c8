//! Testing tools and an agent without a model: a tool checked against its own
//! definition, and a scripted model that plays a conversation.

use serde_json::json;
use tool_core::testing::{CheckTool, Recorder, ScriptedModel, stub};
use tool_core::{Call, Catalogue, Dialect, Executor, tool, tools};

/// Reverse a text.
#[tool(name = "text-reverse", read_only)]
fn reverse(
    /// The text.
    text: String,
) -> String {
    text.chars().rev().collect()
}

/// Give the share that each of some people gets.
#[tool(name = "math-share", read_only)]
fn share(
    /// What there is to share.
    total: u32,
    /// How many people there are.
    people: u32,
) -> u32 {
    total / people
}

/// Fetch a page.
#[tool(name = "web-fetch", read_only)]
async fn fetch(
    /// Which.
    url: String,
) -> String {
    format!("the real {url}, which a test does not want")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // What panics on purpose needs no backtrace.
    std::panic::set_hook(Box::new(|_| {}));
    for tool in tools![reverse, share] {
        let report = CheckTool::new(tool).report_async().await;
        println!(
            "{}: {}",
            tool.name(),
            if report.is_ok() { "holds" } else { "is broken" }
        );
        for failure in report.failures() {
            println!("{failure}");
        }
    }

    let recorder = Recorder::new();
    let page = stub(fetch::tool(), |_| "olleh");
    let tools = recorder.watch(&Catalogue::new([page, reverse::tool()])?);
    let model = ScriptedModel::new(Dialect::Anthropic)
        .prompt("What does the page say, backwards?")
        .calls([Call::new(
            "a",
            "web-fetch",
            json!({ "url": "https://example.com" }),
        )])
        .calls([Call::new("b", "text-reverse", json!({ "text": "olleh" }))])
        .text("It says hello.");
    let transcript = model.run(&Executor::new(tools)?).await;

    println!("a: {}", transcript.outcome("a").text());
    println!("b: {}", transcript.outcome("b").text());
    recorder.assert_called("web-fetch", json!({ "url": "https://example.com" }));
    println!("requests: {}", transcript.requests().len());
    Ok(())
}
