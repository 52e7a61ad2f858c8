//! Fetch pages and download files from the public internet, or from what a [`Policy`](crate::Policy) allows.

mod download;
mod error;
mod extract;
mod fetch;
mod file_name;
mod hidden;
mod inline;
mod media_type;
mod prune;
mod render;
mod scan;
mod table;
pub mod tools;

use tool_core::Declaration;

pub use download::{Download, download_file};
pub use error::{WebError, WebErrorKind};
pub use extract::{Extract, extract};
pub use fetch::{Page, PageFormat, fetch_page};
pub use file_name::safe_file_name;
pub use render::Style;

/// The tools of this category.
pub static TOOLS: &[&Declaration] = &tool_core::tools![tools::fetch_page, tools::download_file];
