use tool_core::tool;

/// A type.
#[tool]
fn typed<T: Send>(
    /// A value.
    value: T,
) where
    T: Sync,
{
    let _ = value;
}

/// A lifetime.
#[tool]
async fn lifetime<'a>(context: &'a tool_core::Context) {
    let _ = context;
}

fn main() {}
