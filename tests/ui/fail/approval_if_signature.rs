use tool_core::{Args, Context, tool, toolbox};

mod policy {
    pub fn takes_number(_path: &u32) -> bool {
        true
    }
}

fn takes_two(_path: &str, _overwrite: &bool) -> bool {
    true
}

fn takes_owned(_path: String) -> bool {
    true
}

fn answers_text(_path: &str) -> String {
    String::new()
}

async fn answers_later(_path: &str) -> bool {
    true
}

/// A wrong type.
#[tool(approval_if = policy::takes_number)]
fn wrong_type(
    /// Where.
    path: String,
) -> String {
    path
}

/// State and context are not given.
#[tool(approval_if = takes_two)]
fn wrong_number(
    #[tool(state)] _root: &String,
    /// Where.
    path: String,
    _context: &Context,
) -> String {
    path
}

/// By value.
#[tool(approval_if = takes_owned)]
fn by_value(
    /// Where.
    path: String,
) -> String {
    path
}

/// No boolean.
#[tool(approval_if = answers_text)]
fn wrong_answer(
    /// Where.
    path: String,
) -> String {
    path
}

/// Not now.
#[tool(approval_if = answers_later)]
fn late_answer(
    /// Where.
    path: String,
) -> String {
    path
}

/// Not there.
#[tool(approval_if = not_there)]
fn missing(
    /// Where.
    path: String,
) -> String {
    path
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Whole {
    path: String,
}

/// A struct is given as one.
#[tool(approval_if = answers_text)]
fn whole(args: Args<Whole>) -> String {
    args.0.path
}

struct Store;

#[toolbox]
impl Store {
    fn is_large(&self, size: &u64) -> bool {
        *size > 1000
    }

    /// The object is not given.
    #[tool(approval_if = Self::is_large)]
    fn reserve(
        &self,
        /// How much.
        size: u64,
    ) -> u64 {
        size
    }
}

fn main() {}
