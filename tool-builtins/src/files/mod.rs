//! Read, write and list files below the root of a [`Policy`](crate::Policy).

mod error;
mod json;
mod list;
mod read;
mod table;
pub mod tools;
mod write;

use tool_core::Declaration;

#[cfg(all(feature = "command_line", unix))]
pub(crate) use error::denied;
pub use error::{FileError, FileErrorKind};
pub use list::list_directory;
pub use read::{Content, FileContent, ReadFormat, ReadOptions, read_file};
pub use table::Table;
pub use write::{Written, write_file};

/// The tools of this category.
pub static TOOLS: &[&Declaration] =
    &tool_core::tools![tools::read_file, tools::write_file, tools::list_directory];
