//! Read, change and find files below the roots of a [`Policy`](crate::Policy).
//!
#![doc = include_str!("../../docs/files.md")]
//!
#![doc = include_str!("../../docs/documents.md")]

mod breaks;
mod document;
mod edit;
mod encoded;
mod error;
mod find;
mod info;
mod json;
mod list;
mod media_type;
mod nearest;
mod read;
mod rows;
mod search;
mod table;
mod time;
pub mod tools;
mod transfer;
mod write;

use tool_core::Declaration;

pub use crate::document::Picture;
#[cfg(feature = "office")]
pub use crate::document::{Sheet, Workbook};
pub use edit::{Edited, Occurrences, edit_file};
pub use error::{FileError, FileErrorKind};
pub use find::{FindKind, FindOptions, FindOrder, Found, find_files};
pub use info::{Checksum, FileInfo, file_info};
pub use list::{Entry, ListOptions, Listing, Order, list_directory};
pub use read::{Content, FileContent, ReadFormat, ReadOptions, read_file};
pub use search::{Matches, SearchOptions, search_files};
pub use table::Table;
pub use transfer::{Deleted, Overwrite, copy_file, create_directory, delete_file, move_file};
pub use write::{WriteFormat, WriteMode, WriteOptions, Written, write_file};

/// The tools of this category.
pub static TOOLS: &[&Declaration] = &tool_core::tools![
    tools::read_file,
    tools::write_file,
    tools::edit_file,
    tools::list_directory,
    tools::find_files,
    tools::search_files,
    tools::file_info,
    tools::copy_file,
    tools::move_file,
    tools::delete_file,
    tools::create_directory,
];
