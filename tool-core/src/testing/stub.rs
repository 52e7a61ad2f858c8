//! Tools that only seem to do something.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

use serde_json::Value;

use crate::catalogue::Catalogue;
use crate::error::ToolError;
use crate::invocation::Work;
use crate::output::IntoOutput;
use crate::tool::Tool;

/// The same tool with another function: name, schema, timeout and checks stay,
/// and nothing of the real function runs. It needs no state.
///
/// # Examples
///
/// ```
/// use serde_json::{Value, json};
/// use tool_core::{Context, tool, testing};
///
/// /// Send a mail.
/// #[tool(name = "mail-send")]
/// async fn send(
///     /// To whom.
///     to: String,
/// ) -> String {
///     unreachable!("no test sends mail to {to}")
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let send = testing::stub(send::tool(), |arguments: Value| format!("sent to {}", arguments["to"]));
/// let output = send.call(json!({ "to": "ada" }), &Context::new()).await.unwrap();
/// assert_eq!(output.text(), "sent to \"ada\"");
/// // The arguments are checked as before.
/// assert!(send.call(json!({}), &Context::new()).await.is_err());
/// # }
/// ```
pub fn stub<R: IntoOutput>(
    tool: impl Into<Tool>,
    function: impl Fn(Value) -> R + Send + Sync + 'static,
) -> Tool {
    tool.into().with_function(move |arguments, _context| {
        let result = function(arguments).into_output();
        Work::Async(Box::pin(async move { result }))
    })
}

/// The same tools, none of which does anything: each one that is named gives
/// the result beside its name, every time, and the others an error.
///
/// # Panics
///
/// When a name is that of no tool: the test would stub nothing.
///
/// # Examples
///
/// ```
/// use tool_core::{Call, Catalogue, testing, tool, tools};
///
/// /// Fetch a page.
/// #[tool(name = "web-fetch_page")]
/// async fn fetch_page(
///     /// The address.
///     url: String,
/// ) -> String {
///     unreachable!("no test fetches {url}")
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let real = Catalogue::new(tools![fetch_page]).unwrap();
/// let tools = testing::stubbed(&real, [("web-fetch_page", "the page")]);
/// let executor = testing::executor(&tools).build().unwrap();
/// let call = Call::new("1", "web-fetch_page", r#"{"url":"https://example.com"}"#);
/// assert_eq!(executor.call(call).await.text(), "the page");
/// # }
/// ```
#[track_caller]
pub fn stubbed<N, R>(catalogue: &Catalogue, results: impl IntoIterator<Item = (N, R)>) -> Catalogue
where
    N: AsRef<str>,
    R: IntoOutput + Clone + Send + Sync + 'static,
{
    let results: BTreeMap<String, Arc<R>> = results
        .into_iter()
        .map(|(name, result)| (name.as_ref().to_owned(), Arc::new(result)))
        .collect();
    for name in results.keys() {
        assert!(
            catalogue.get(name).is_some(),
            "there is no tool '{name}' to stub{}",
            meant(catalogue, name)
        );
    }
    let tools = catalogue.iter().map(|tool| {
        if let Some(result) = results.get(tool.name()) {
            let result = Arc::clone(result);
            return stub(tool, move |_arguments| (*result).clone());
        }
        let name = tool.name().to_owned();
        stub(tool, move |_arguments| {
            Err::<(), _>(ToolError::new(format!(
                "tool '{name}' has no stub in this test"
            )))
        })
    });
    same_names(Catalogue::new(tools))
}

/// A catalogue of tools whose names are those of another catalogue.
pub(super) fn same_names<E: Display>(catalogue: Result<Catalogue, E>) -> Catalogue {
    match catalogue {
        Ok(catalogue) => catalogue,
        Err(error) => panic!("the names were distinct before: {error}"),
    }
}

/// The name that a wrong one may be meant for, as words to add.
pub(super) fn meant(catalogue: &Catalogue, name: &str) -> String {
    match catalogue.nearest(name).first() {
        Some(near) => format!("; did you mean '{near}'?"),
        None => String::new(),
    }
}
