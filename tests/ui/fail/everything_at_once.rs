use tool_core::{Context, tool};

#[tool(nme = "x", timeout = 0, kind = "other", timeout = 3)]
async fn wrong(
    a: String,
    /// A pair.
    (b, c): (u8, u8),
    /// Borrowed.
    d: &str,
    #[tool(state)] e: String,
    first: &Context,
    second: &Context,
) -> Result<String, tool_core::ToolError> {
    Ok(format!("{a}{b}{c}{d}{e}{}{}", first.call_id(), second.call_id()))
}

async fn caller(context: &Context) {
    // The function and its handle are there all the same: no further errors.
    let _ = wrong(String::new(), (1, 2), "", String::new(), context, context).await;
    let _ = wrong::tool();
    let _ = tool_core::tools![wrong];
}

fn main() {
    let _ = caller;
}
