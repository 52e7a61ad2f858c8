//! What the tools may reach: the network, one directory, and how much of each.
//!
//! A [`Policy`] is made by the host program and given to every tool. No tool argument can widen it,
//! because the arguments are written by a model and, through what the model has read, by strangers.

mod address;
#[cfg(feature = "files")]
mod changes;
#[cfg(all(feature = "command_line", unix))]
pub(crate) mod command;
#[cfg(feature = "files")]
mod draft;
#[cfg(feature = "files")]
mod files;
#[cfg(feature = "files")]
mod ignored;
mod limits;
#[cfg(feature = "web")]
mod network;
#[cfg(feature = "files")]
mod path;
#[cfg(feature = "files")]
mod protected;
#[cfg(feature = "files")]
mod refusal;
#[cfg(feature = "web")]
mod resolver;
#[cfg(feature = "files")]
mod roots;
mod settings;
#[cfg(feature = "files")]
mod transfer;
#[cfg(feature = "web")]
mod url;
#[cfg(feature = "files")]
mod walk;
#[cfg(feature = "__worker")]
mod worker;

pub use address::{Reach, reach};
#[cfg(all(feature = "command_line", unix))]
pub use command::{Commands, Program, Sandbox};
#[cfg(feature = "files")]
pub use files::{EntryKind, Folder};
#[cfg(feature = "files")]
pub(crate) use files::{Existing, read_entry};
pub use limits::Limits;
#[cfg(feature = "web")]
pub use network::{NetworkError, NetworkErrorKind, Response};
#[cfg(feature = "files")]
pub(crate) use path::{DEEPEST, plain, shown};
#[cfg(feature = "files")]
pub use path::{PathError, PathErrorKind};
#[cfg(feature = "files")]
pub use refusal::Refusal;
#[cfg(feature = "files")]
pub use roots::{Access, RecursiveDelete};
pub use settings::{ControlFiles, Network, Policy};
#[cfg(feature = "files")]
pub(crate) use walk::{Visit, Walk};
#[cfg(feature = "__worker")]
pub use worker::Worker;
