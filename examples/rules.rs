//! What a host says about whole classes of tools: by their annotations, tags
//! and names, whatever the tools declare themselves.

use tool_core::{ApprovalRequest, Call, Catalogue, Decision, Executor, Rule, Selector};
use tool_core::{Why, tool, tools};

/// Read a note.
#[tool(name = "notes-read_note", read_only, open_world = false)]
fn read_note() -> &'static str {
    "buy milk"
}

/// Delete a note.
#[tool(name = "notes-delete_note", destructive, open_world = false)]
fn delete_note() -> &'static str {
    "deleted"
}

/// Add a note.
#[tool(name = "notes-add_note", destructive = false, open_world = false)]
fn add_note() -> &'static str {
    "added"
}

/// Publish all notes on the web.
#[tool(name = "web-publish_notes", tags("outgoing"), open_world)]
fn publish_notes() -> &'static str {
    "published"
}

/// Stands for a person who agrees to all that is asked.
async fn ask(request: ApprovalRequest) -> Decision {
    if let Why::Rule(rule) = request.why {
        println!("  asked, as it is {rule}");
    }
    Decision::Allow
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = Catalogue::new(tools![read_note, delete_note, add_note, publish_notes])?;

    // The first rule that selects a tool decides.
    let executor = Executor::builder(tools.clone())
        .rule(Rule::allow(Selector::read_only()))
        .rule(Rule::deny(
            Selector::tagged("outgoing"),
            "this agent works offline",
        ))
        .rule(Rule::ask(
            Selector::destructive().or(Selector::open_world()),
        ))
        .approval(ask)
        .build()?;
    for name in executor.catalogue().names() {
        println!("{name}");
        let outcome = executor.call(Call::new("1", name, "{}")).await;
        println!("  {}", outcome.text());
    }

    // A slip in a rule that denies would be a hole, so it is found at the start.
    let slip = Rule::deny(
        Selector::named("web-publish_note"),
        "this agent works offline",
    );
    if let Err(error) = Executor::builder(tools).rule(slip).build() {
        println!("\n{error}");
    }
    Ok(())
}
