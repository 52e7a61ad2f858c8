//! Ready tools for language models, behind a [`Policy`].
//!
//! | tool | does | feature |
//! |---|---|---|
//! | `web-fetch_page` | gives a page as text, markdown or HTML | `web` |
//! | `web-download_file` | downloads a file | `web` |
//! | `files-read_file` | reads text, JSON, tables; documents with `office`, `pdf`, `formats` | `files` |
//! | `files-write_file` | writes text, JSON, tables and bytes | `files` |
//! | `files-edit_file` | replaces a part of a text file | `files` |
//! | `files-list_directory` | lists a directory | `files` |
//! | `files-find_files` | finds files by a glob | `files` |
//! | `files-search_files` | searches text files by a regular expression | `files` |
//! | `files-file_info` | tells size, times, type and checksum of a file | `files` |
//! | `files-copy_file`, `files-move_file` | copies and moves | `files` |
//! | `files-delete_file` | deletes | `files` |
//! | `files-create_directory` | makes a directory | `files` |
//! | `command_line-run_command` | runs commands of an allow-list, in a sandbox | `command_line` |
//!
//! Every argument of a tool and every byte that a tool takes in may be written by an attacker. So nothing is
//! reachable by default but the public internet and the working directory, every size and time is bounded, and
//! text loses what drives terminals or hides from people. See [`policy`] for what can be allowed: a policy is a state
//! of the executor, and without one the safe default holds.
//!
//! # Example: a file is read, and one outside the root is not
//!
//! ```
//! # #[cfg(feature = "files")]
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use tool_builtins::{Policy, TOOLS};
//! use tool_core::{Call, Catalogue, Executor};
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("notes.txt"), "remember the milk")?;
//! let executor = Executor::builder(Catalogue::new(TOOLS)?)
//!     .state(Policy::new().root(folder.path()))
//!     .build()?;
//!
//! let read = |path: &str| Call::new("call_1", "files-read_file", format!(r#"{{"path": "{path}"}}"#));
//! assert!(executor.call(read("notes.txt")).await.text().starts_with("remember the milk"));
//!
//! let refused = executor.call(read("../../etc/passwd")).await;
//! assert!(refused.text().contains("--root DIR"));
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "files"))]
//! # fn main() {}
//! ```
//!
//! The same is there as plain functions, for tools of your own: [`web`] and [`files`].
//!
//! # Features
//!
//! `web`, `files` and `command_line`, all on by default, and `office`, `pdf` and `formats` for [documents](files). Each
//! brings its own dependencies and no others, but `command_line`, on Unix only, has `files` with it: both work below the
//! same root. `pdf` needs Rust 1.89, and takes longest to build: about a minute of processor
//! time with all that it brings.

#[cfg(all(feature = "command_line", unix))]
pub mod command_line;
#[cfg(feature = "files")]
mod document;
#[cfg(feature = "files")]
pub mod files;
#[cfg(any(feature = "web", feature = "files"))]
mod outside;
pub mod policy;
#[cfg(any(feature = "web", feature = "files"))]
mod text;
#[cfg(feature = "web")]
pub mod web;
#[cfg(feature = "__worker")]
pub mod worker;

use tool_core::Declaration;

#[cfg(any(feature = "web", feature = "files"))]
pub use outside::{OUTSIDE_NOTE, Outside};
#[cfg(feature = "__worker")]
pub use policy::Worker;
pub use policy::{ControlFiles, Network, Policy};

/// Every tool of the categories that are switched on.
///
/// [`tool_core::catalogue`] finds them by itself; a list is for where it cannot, as on wasm, and for a
/// [`Catalogue`](tool_core::Catalogue) of these tools only.
pub static TOOLS: &[&Declaration] = &[
    #[cfg(feature = "web")]
    tool_core::tools![web::tools::fetch_page][0],
    #[cfg(feature = "web")]
    tool_core::tools![web::tools::download_file][0],
    #[cfg(feature = "files")]
    tool_core::tools![files::tools::read_file][0],
    #[cfg(feature = "files")]
    tool_core::tools![files::tools::write_file][0],
    #[cfg(feature = "files")]
    tool_core::tools![files::tools::edit_file][0],
    #[cfg(feature = "files")]
    tool_core::tools![files::tools::list_directory][0],
    #[cfg(feature = "files")]
    tool_core::tools![files::tools::find_files][0],
    #[cfg(feature = "files")]
    tool_core::tools![files::tools::search_files][0],
    #[cfg(feature = "files")]
    tool_core::tools![files::tools::file_info][0],
    #[cfg(feature = "files")]
    tool_core::tools![files::tools::copy_file][0],
    #[cfg(feature = "files")]
    tool_core::tools![files::tools::move_file][0],
    #[cfg(feature = "files")]
    tool_core::tools![files::tools::delete_file][0],
    #[cfg(feature = "files")]
    tool_core::tools![files::tools::create_directory][0],
    #[cfg(all(feature = "command_line", unix))]
    tool_core::tools![command_line::tools::run_command][0],
];
