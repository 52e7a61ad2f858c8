//! All arguments of a tool as one struct.

use std::ops::{Deref, DerefMut};

/// All arguments of a tool as one struct of the user's, with its own derives
/// and the docs of its fields.
///
/// # Examples
///
/// ```
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use tool_core::{Args, Context, tool};
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Search {
///     /// What to look for.
///     query: String,
///     /// How many results to give.
///     limit: Option<u8>,
/// }
///
/// /// Search the archive.
/// #[tool]
/// fn search(args: Args<Search>) -> String {
///     format!("{} results for {}", args.limit.unwrap_or(10), args.query)
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let output = search::tool().call(r#"{"query":"rust"}"#, &Context::new()).await.unwrap();
/// assert_eq!(output.text(), "10 results for rust");
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Args<T>(pub T);

impl<T> Deref for Args<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Args<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
