//! Ready tools for language models, behind a [`Policy`].
//!
//! | category | does | feature |
//! |---|---|---|
//! | `web` | fetch a page as text, markdown or HTML; download a file | `web` |
//! | `files` | read, write and list files below one directory | `files` |
//!
//! Every argument of a tool and every byte that a tool takes in may be written by an attacker. So nothing is
//! reachable by default but the public internet and the working directory, every size and time is bounded, and
//! text loses what drives terminals or hides from people. See [`policy`] for what can be allowed.
//!
//! # Example: a file is read, and one outside the root is not
//!
//! ```
//! # #[cfg(feature = "files")] {
//! use tool_builtins::Policy;
//! use tool_builtins::files::{ReadOptions, read_file};
//!
//! let directory = std::env::temp_dir().join(format!("tool-builtins-example-{}", std::process::id()));
//! std::fs::create_dir_all(&directory)?;
//! std::fs::write(directory.join("notes.txt"), "remember the milk")?;
//! let policy = Policy::new().root(&directory);
//!
//! let notes = read_file(&policy, "notes.txt", &ReadOptions::default())?;
//! assert_eq!(notes.size, 17);
//!
//! let refused = read_file(&policy, "../../etc/passwd", &ReadOptions::default()).unwrap_err();
//! assert!(refused.to_string().contains("--root DIR"));
//! # std::fs::remove_dir_all(&directory)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! `web` and `files`, both on by default. Each brings its own dependencies and no others.

#[cfg(feature = "files")]
pub mod files;
pub mod policy;
#[cfg(any(feature = "web", feature = "files"))]
mod text;
#[cfg(feature = "web")]
pub mod web;

pub use policy::{ControlFiles, Network, Policy};
