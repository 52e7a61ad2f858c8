//! What the tools may reach: the network, one directory, and how much of each.
//!
//! A [`Policy`] is made by the host program and given to every tool. No tool argument can widen it,
//! because the arguments are written by a model and, through what the model has read, by strangers.

mod address;
#[cfg(all(feature = "command_line", unix))]
pub(crate) mod command;
#[cfg(feature = "files")]
mod files;
mod limits;
#[cfg(feature = "web")]
mod network;
#[cfg(feature = "files")]
mod path;
#[cfg(feature = "files")]
mod protected;
#[cfg(feature = "web")]
mod resolver;
mod settings;
#[cfg(feature = "web")]
mod url;

pub use address::{Reach, reach};
#[cfg(all(feature = "command_line", unix))]
pub use command::{Commands, Program, Sandbox};
#[cfg(feature = "files")]
pub use files::{Entry, EntryKind, Folder, Listing};
pub use limits::Limits;
#[cfg(feature = "web")]
pub use network::{NetworkError, NetworkErrorKind, Response};
#[cfg(feature = "files")]
pub(crate) use path::shown;
#[cfg(feature = "files")]
pub use path::{PathError, PathErrorKind};
pub use settings::{ControlFiles, Network, Policy};
