//! `#[tool]` and `#[toolbox]`: a Rust function becomes a tool that a language
//! model can call. Use them through `tool-core`, which re-exports both and
//! holds all that their expansions name.
//!
//! The stages: `item` and `attr` parse, `model` gives meaning and
//! collects every error, `expand` writes code and cannot fail, `fallback`
//! keeps the function alive where there were errors.

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
/// | `timeout` | seconds, an integer or a float above 0 | how long a call may take |
/// | `kind` | `"standard"` or `"interrupt"` | whether the turn ends with this tool |
/// | `title` | a string | a name for people |
/// | `approval` | flag or `true`/`false` | a person is asked before each call |
/// | `read_only`, `destructive`, `idempotent`, `open_world` | flag or `true`/`false` | what the tool does to the world |
/// | `strict` | flag or `true`/`false` | whether providers are asked to keep strictly to the schema |
/// | `repair` | `"off"`, `"report"` or `"on"` | whether arguments that are nearly right are mended |
/// | `tags("…", …)` | strings | free words to select tools by |
/// | `meta(key = value, …)` | expressions that serialise | free data for the host |
/// | `crate` | a path | where `tool-core` is, if not at `::tool_core` |
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
/// | `#[schemars(range(min, max), length(min, max, equal), regex(pattern), contains(pattern), email, url, inner(…), with = "T")]` | constraints, in the schema and enforced |
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
