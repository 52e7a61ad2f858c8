use tool_core::{Args, tool, toolbox};

fn always() -> bool {
    true
}

/// Wrong types.
#[tool(
    approval_if = "always",
    sequential = "path",
    concurrency = "4",
    rate = 10,
    max_output = 64 * 1024,
    retries = 1.5
)]
fn mistyped() {}

/// No values.
#[tool(approval_if, sequential(), concurrency, rate, max_output(), retries)]
fn missing() {}

/// Numbers out of range.
#[tool(concurrency = 0, rate = "0/1m", max_output = -1, retries = 4294967296)]
fn out_of_range() {}

/// A suffix, a closure, a half key, a wrong type of key.
#[tool(concurrency = 4usize, approval_if = |_| true, sequential(ky = "path"), retries = 3u8)]
fn odd() {}

/// The key of a sequence is a string.
#[tool(sequential(key = path), rate = "10 per minute")]
fn key_type(
    /// Where.
    path: String,
) {
}

/// Too many, too long.
#[tool(sequential(key = "path", key = "other"), rate = "4294967296/1s")]
fn too_many(
    /// Where.
    path: String,
) {
}

/// Too long.
#[tool(rate = "1/0s")]
fn no_period() {}

/// A slip of the finger.
#[tool(sequential(key = "paht"), aproval_if = always, concurency = 4, retry = 3, max_ouput = 1)]
fn slips(
    /// Where.
    path: String,
) {
}

/// By the name in JSON.
#[tool(sequential(key = "path"))]
fn renamed(
    /// Where.
    #[serde(rename = "file-path")]
    path: String,
) {
}

/// Nothing to be sequential by.
#[tool(sequential(key = "path"))]
fn no_parameters() {}

/// The parameter is what is wrong.
#[tool(sequential(key = "path"))]
fn wrong_parameter(
    /// Where.
    path: &str,
) {
}

/// Asked in two ways.
#[tool(approval, approval_if = always)]
fn twice() {}

struct Store;

#[toolbox]
impl Store {
    /// In a toolbox too.
    #[tool(concurrency = 0, sequential(key = "path"))]
    fn reserve(&self) {}
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Whole {
    path: String,
}

/// What the struct has is not known, so that this is no error.
#[tool(sequential(key = "wibble"))]
fn whole(args: Args<Whole>) -> String {
    args.0.path
}

fn main() {}
