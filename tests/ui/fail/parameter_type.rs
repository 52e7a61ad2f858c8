use tool_core::tool;

struct Secret;

/// Take what no model can send.
#[tool]
fn take(
    /// A secret.
    secret: Secret,
    /// Borrowed text.
    text: &str,
    /// Borrowed bytes.
    bytes: &[u8],
) {
    let _ = (secret, text, bytes);
}

/// Take only what no model can send.
#[tool]
fn only(
    /// A secret.
    secret: Option<Secret>,
) {
    let _ = secret;
}

fn main() {}
