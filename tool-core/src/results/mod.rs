//! Results that are larger than a model can take: what of them it is shown,
//! and the place where the whole is kept for it to read on.

mod boundary;
mod budget;
mod id;
mod json_lines;
mod json_scan;
mod lines;
mod note;
mod read;
mod search;
mod share;
mod shorten;
mod shorten_json;
mod shorten_text;
mod store;
#[cfg(test)]
mod tests;

pub use budget::TokenCounter;
pub(crate) use budget::{Budget, fit};
pub(crate) use read::reads_results;
pub use store::ResultStore;
