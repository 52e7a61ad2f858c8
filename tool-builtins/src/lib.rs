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
//! # Features
//!
//! `web` and `files`, both on by default. Each brings its own dependencies and no others.

pub mod policy;
#[cfg(any(feature = "web", feature = "files"))]
mod text;

pub use policy::{ControlFiles, Network, Policy};
