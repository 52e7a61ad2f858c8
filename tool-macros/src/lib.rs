//! `#[tool]` and `#[toolbox]`: a Rust function becomes a tool that a language
//! model can call. Use them through `tool-core`, which re-exports both and
//! holds all that their expansions name.
//!
//! The stages: `item` and `attr` parse, `model` gives meaning and
//! collects every error, `expand` writes code and cannot fail, `fallback`
//! keeps the function alive where there were errors.

mod applicable;
mod attr;
mod constraints;
mod docs;
mod errors;
mod expand;
mod fallback;
mod function;
mod item;
mod keys;
mod model;
mod parameter;
mod running;
#[cfg(test)]
mod snapshots;
mod toolbox;

use proc_macro::TokenStream;

/// Makes a tool of a function.
///
/// The doc comment of the function is the tool's description, each parameter
/// is a property, and the doc comment of a parameter describes it. The
/// function stays as it is written; a struct of the same name beside it is the
/// tool's handle, for `tools![…]` and `name::tool()`.
///
/// # Keys
///
/// | key | value | means |
/// |---|---|---|
/// | `name` | `"web-fetch_page"` | the name that the model calls; by default the function's |
/// | `timeout` | seconds, an integer or a float above 0 | how long a call may take, from when the tool begins; by default what the executor says, 120 |
/// | `kind` | `"standard"` or `"interrupt"` | with `"interrupt"` the tool does not run: the turn ends, and the call waits for a person |
/// | `title` | a string | a name for people |
/// | `approval` | flag or `true`/`false` | a person is asked before each call; the rules of the executor go before |
/// | `approval_if` | the path of a function | a person is asked before the calls for which it returns `true`; see below |
/// | `sequential` | flag or `true`/`false` | the tool runs alone in its batch: after the calls before it, before those after it |
/// | `sequential(key = "…")` | the name of a parameter, as it is in JSON | calls with an equal value in it run one after the other, of all tools of an executor with this key |
/// | `concurrency` | an integer of at least 1 | how many calls of the tool may run at a time; more wait |
/// | `rate` | `"10/1m"`: calls, `/`, a period in `ms`, `s`, `m`, `h` or `d` | how often the tool may be called; more wait, and are refused where that takes longer than the timeout |
/// | `max_output` | bytes, an integer of at least 1 | how much text and JSON a result may have before it is cut; by default what the executor says, 64 KiB |
/// | `retries` | an integer | how often in a row the tool may ask the model to try again, by `ToolError::retry`; by default what the executor says, 3 |
/// | `read_only`, `destructive`, `idempotent`, `open_world` | flag or `true`/`false` | what the tool does to the world |
/// | `strict` | flag or `true`/`false` | whether providers are asked to keep strictly to the schema |
/// | `repair` | `"off"`, `"report"` or `"on"` | whether arguments that are nearly right are mended, or only told what would mend them |
/// | `tags("…", …)` | strings | free words to select tools by |
/// | `meta(key = value, …)` | expressions that serialise | free data for the host |
/// | `crate` | a path | where `tool-core` is, if not at `::tool_core` |
///
/// A call is checked in this order: the rules of the executor, the limits of the
/// session, its arguments, hooks, approval, `sequential(key)`, `concurrency`,
/// `rate`. Of `approval` and `approval_if` a tool has one.
///
/// The function of `approval_if` is given a reference to each argument, in the
/// order of the parameters and without state and context, and returns `bool`:
/// for `path: String, overwrite: bool` it is `fn(&str, &bool) -> bool`. Where
/// the tool takes a struct of arguments it is given a reference to that. In a
/// toolbox it may be `Self::name`, a function without `self`.
///
/// # On a parameter
///
/// | attribute | means |
/// |---|---|
/// | `///` | the description, required |
/// | `#[tool(default = EXPR)]` | what it is where the model does not send it |
/// | `#[tool(example = EXPR)]` | an example, may be repeated |
/// | `#[tool(state)]` on `&T` | the executor's state of that type; the model does not see it |
/// | `#[tool(context)]` on a `&Context` of another name | the context of the call |
/// | `#[schemars(range(min, max), length(min, max, equal), regex(pattern), contains(pattern), email, url, inner(…), extend("keyword" = value), with = "T")]` | constraints, in the schema and enforced |
/// | `#[serde(rename = "…", with = "…")]` | another name in JSON, another way to read it |
///
/// Instead of single parameters a function may take one struct: by a pattern,
/// `Search { query, limit }: Search`, or as `Args<Search>`.
#[proc_macro_attribute]
pub fn tool(attributes: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(attributes.into(), &item.into()).into()
}

/// Makes tools of the methods of an `impl` block that carry `#[tool]`, and
/// gives the type `fn tools(self: Arc<Self>) -> Vec<Tool>`.
///
/// The methods take `&self`. The one key is `crate`.
#[proc_macro_attribute]
pub fn toolbox(attributes: TokenStream, item: TokenStream) -> TokenStream {
    toolbox::expand(attributes.into(), &item.into()).into()
}
