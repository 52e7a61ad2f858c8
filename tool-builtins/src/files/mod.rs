//! Read, write and list files below the root of a [`Policy`](crate::Policy).

mod error;
mod json;
mod list;
mod read;
mod table;
mod write;

pub use error::{FileError, FileErrorKind};
pub use list::list_directory;
pub use read::{Content, FileContent, ReadFormat, ReadOptions, read_file};
pub use table::Table;
pub use write::{Written, write_file};
