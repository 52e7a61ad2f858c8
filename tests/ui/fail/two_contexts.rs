use tool_core::{Context, tool};

/// Two contexts.
#[tool]
fn two(first: &Context, #[tool(context)] second: &Context) {
    let _ = (first, second);
}

/// Not by reference.
#[tool]
fn owned(context: Context, #[tool(context)] changed: &mut Context) {
    let _ = (context, changed);
}

fn main() {}
