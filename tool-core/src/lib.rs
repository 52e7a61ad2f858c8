//! Declare tools for language models as Rust functions, list them, and run
//! the calls that a model makes.
//!
//! ```
//! use serde_json::json;
//! use tool_core::{Catalogue, Dialect, Executor, ToolError, tool, tools};
//!
//! /// Get the forecast for a city.
//! #[tool(name = "weather-get_forecast", timeout = 10)]
//! async fn get_forecast(
//!     /// The name of the city, in English.
//!     city: String,
//!     /// How many days to look ahead.
//!     #[tool(default = 3)]
//!     #[schemars(range(min = 1, max = 14))]
//!     days: u8,
//! ) -> Result<String, ToolError> {
//!     Ok(format!("{city}: sun for {days} days"))
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let tools = Catalogue::new(tools![get_forecast]).unwrap();
//! let request = json!({ "tools": Dialect::OpenAi.definitions(&tools).tools });
//! assert_eq!(request["tools"][0]["function"]["name"], "weather-get_forecast");
//!
//! // What the provider answers:
//! let response = json!({ "choices": [{ "message": { "tool_calls": [{
//!     "id": "call_1",
//!     "type": "function",
//!     "function": { "name": "weather-get_forecast", "arguments": "{\"city\":\"Paris\"}" }
//! }] } }] });
//! let executor = Executor::new(tools).unwrap();
//! let outcomes = executor.run(Dialect::OpenAi.calls(&response).unwrap()).await;
//! let messages = Dialect::OpenAi.results(&outcomes);
//! assert_eq!(messages[0]["content"], "Paris: sun for 3 days");
//! # }
//! ```
//!
//! # Map
//!
//! | to | use |
//! |---|---|
//! | declare a tool | [`tool`], [`toolbox`], [`Tool::new`]; [`Args`], [`Context`], [`IntoOutput`], [`File`], [`Json`] |
//! | list tools | [`catalogue`], [`Catalogue`], [`tools!`], [`Definition`] |
//! | run calls | [`Executor`], [`Call`], [`Outcome`], [`ToolError`] |
//! | let a person decide | [`ExecutorBuilder::approval`], [`Decision`], [`Rule`], [`Selector`]; at another time: [`Pending`], [`Executor::resume`], [`ApprovalKey`], [`Ledger`] |
//! | run code around calls | [`Hook`], [`Retry`], and `Cache` with the feature `cache` |
//! | bound what a run uses | [`Session`], [`UsageLimits`]; of a tool: [`Sequential`], [`Rate`], and `concurrency` of [`tool`] |
//! | bound what a result takes | [`ExecutorBuilder::max_output_bytes`], [`ExecutorBuilder::max_output_tokens`], [`ResultStore`] |
//! | hear of calls as they run | [`Executor::run_stream`], [`Progress`], [`ExecutorBuilder::on_progress`] |
//! | end calls | [`Context::is_cancelled`], [`Session::cancelled_by`], [`Executor::shutdown`] |
//! | see what calls do | [`Recording`], [`TraceContext`]; spans and durations through `tracing` |
//! | test tools and agents | `testing`, a module behind the feature of the same name |
//! | talk to a provider | [`Dialect`], [`Definitions`], [`Translator`], [`Assembler`], [`History`] |
//!
//! # Limits
//!
//! A crate that no code names is not linked, and its tools are not in
//! [`catalogue`]: write `use tool_builtins as _;`. On wasm and in static
//! libraries list tools with [`tools!`]. Two versions of this crate in one
//! program are two catalogues. With `panic = "abort"` a panicking tool ends
//! the process; the panic guard needs unwinding.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `validator` | yes | schemas with patterns, formats, unions and references, by the `jsonschema` crate. Without it a tool whose schema has such is refused |
//! | `cache` | no | `Cache`, a hook that keeps the results of `read_only` tools for a while, by the `moka` crate |
//! | `opentelemetry` | no | [`TraceContext`] becomes the parent of the call's span, and a tool gets the context of its own span to pass on |
//! | `testing` | no | the module `testing`: tools checked against their definitions, scripted models, recorders, stubs. Brings `proptest` |

mod approval;
mod args;
mod arguments;
mod call;
mod catalogue;
mod context;
mod declaration;
mod definition;
mod dialect;
mod docs;
mod error;
mod error_chain;
mod executor;
mod file;
mod hook;
mod invocation;
mod json_text;
mod lint;
mod outcome;
mod output;
mod panic;
mod random;
mod redact;
mod results;
mod schema;
mod secret;
mod telemetry;

#[cfg(feature = "testing")]
pub mod testing;
mod tool;
mod turn;
mod usage;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use schemars;
pub use serde;
pub use serde_json;
pub use tool_macros::{tool, toolbox};

pub use approval::{
    ApprovalHandler, ApprovalKey, ApprovalRequest, Decision, Ledger, Pending, PendingReason,
    ResumeError, Rule, Selector, Why,
};
pub use args::Args;
pub use arguments::{Problem, Repair, RepairKind, RepairMode, SchemaError};
pub use call::{Arguments, Call};
pub use catalogue::{Catalogue, CatalogueError, SelectError, catalogue};
pub use context::{Context, Progress};
pub use declaration::Declaration;
pub use definition::{Annotations, Approval, Definition, Kind, Rate, Sequential};
pub use dialect::{Assembler, Definitions, Dialect, DialectError, History, SetAside, Translator};
pub use error::{ErrorKind, ToolError};
pub use executor::{
    Executor, ExecutorBuilder, ExecutorError, RunEvent, RunStream, Session, Shutdown,
};
pub use file::File;
#[cfg(feature = "cache")]
pub use hook::Cache;
pub use hook::{Before, Hook, HookedCall, Next, Retry};
pub use json_text::JsonText;
pub use lint::{Lint, LintRule, Severity};
pub use outcome::{Batch, Outcome};
pub use output::{Content, IntoOutput, Json, Output};
pub use results::{ResultStore, TokenCounter};
pub use secret::Secret;
pub use telemetry::{Recording, TraceContext, TraceContextError};
pub use tool::{Checked, DefinitionError, Tool};
pub use usage::UsageLimits;
