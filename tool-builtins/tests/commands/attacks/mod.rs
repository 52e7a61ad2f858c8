//! Hostile commands as data: each with words of the message that refuses it. `OUTER` is the directory around the root.

mod language;
mod options;
mod paths;

pub(crate) use language::{LANGUAGE, PROGRAMS};
pub(crate) use options::{OPTIONS, SED};
pub(crate) use paths::{PATHS, STEERING};
