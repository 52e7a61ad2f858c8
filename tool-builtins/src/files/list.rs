//! What is in a directory.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::SystemTime;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::FileError;
use super::time::utc;
use crate::policy::{Access, DEEPEST, EntryKind, Policy, Walk, plain};

/// How many entries are given when the caller does not say.
const LIMIT: usize = 1000;

/// The order of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Order {
    /// By name.
    #[default]
    Name,
    /// The largest first.
    Size,
    /// The one changed last first.
    Newest,
}

/// What of a directory is listed. The default is its first 1,000 entries by name, without hidden ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListOptions {
    /// How many levels; 1 is the directory alone. Default: 1.
    pub depth: usize,
    /// Whether to list names that start with a dot. Default: no.
    pub hidden: bool,
    /// The order. Default: by name.
    pub order: Order,
    /// How many entries to give at most. Default: 1,000.
    pub limit: usize,
}

impl Default for ListOptions {
    fn default() -> Self {
        Self {
            depth: 1,
            hidden: false,
            order: Order::Name,
            limit: LIMIT,
        }
    }
}

impl ListOptions {
    /// Lists so many levels.
    #[must_use]
    pub fn depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// Lists names that start with a dot too.
    #[must_use]
    pub fn with_hidden(mut self) -> Self {
        self.hidden = true;
        self
    }

    /// Lists in this order.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Gives at most so many entries.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }
}

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Entry {
    /// The name, or the path below the listed directory, without control and invisible characters; what is not valid
    /// Unicode is U+FFFD.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
    /// The size in bytes, for regular files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// When it was changed last, in UTC; only where the newest come first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
}

/// The entries of a directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Listing {
    /// The first entries in the order that was asked for.
    pub entries: Vec<Entry>,
    /// How many there are, the ones left out included, hidden ones not.
    pub total: usize,
    /// How many hidden entries were passed over.
    #[serde(skip_serializing_if = "is_zero")]
    pub hidden: usize,
    /// How many directories could not be read.
    #[serde(skip_serializing_if = "is_zero")]
    pub unreadable: usize,
    /// Whether there is too much to look at, so that `total` is not all.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
    /// Other roots that can be listed, told with the main one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub roots: Vec<String>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Lists a directory below a root.
///
/// `path` is relative to the root; `.` is the root itself. At most 100,000 entries are looked at, and 128 levels.
///
/// # Errors
///
/// A [`FileError`] when the path leads outside the root or is not a directory.
pub fn list_directory(
    policy: &Policy,
    path: &str,
    options: &ListOptions,
) -> Result<Listing, FileError> {
    list_until(policy, path, options, &|| false)
}

pub(super) fn list_until(
    policy: &Policy,
    path: &str,
    options: &ListOptions,
    stop: &dyn Fn() -> bool,
) -> Result<Listing, FileError> {
    let mut found: Vec<(u64, Option<SystemTime>, Entry)> = Vec::new();
    let walk = Walk {
        depth: options.depth.min(DEEPEST),
        hidden: options.hidden,
        ignored: true,
    };
    let walked = policy.walk(path, walk, &mut |visit| {
        let wants_more = visit.kind == EntryKind::File || options.order == Order::Newest;
        let metadata = wants_more
            .then(|| visit.directory.symlink_metadata(visit.name).ok())
            .flatten();
        let size = metadata
            .as_ref()
            .filter(|_| visit.kind == EntryKind::File)
            .map(cap_std::fs::Metadata::len);
        let modified = metadata
            .filter(|_| options.order == Order::Newest)
            .and_then(|metadata| metadata.modified().ok())
            .map(cap_std::time::SystemTime::into_std);
        let entry = Entry {
            name: told(visit.path),
            kind: visit.kind,
            size,
            modified: modified.map(utc),
        };
        found.push((size.unwrap_or_default(), modified, entry));
        if stop() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    match options.order {
        Order::Size => found.sort_by_key(|(size, ..)| std::cmp::Reverse(*size)),
        Order::Newest => found.sort_by_key(|(_, modified, _)| std::cmp::Reverse(*modified)),
        // A directory is read by name; of several, one after the other.
        Order::Name => found.sort_by(|(.., left), (.., right)| left.name.cmp(&right.name)),
    }
    let total = found.len();
    let entries = found.into_iter().take(options.limit);
    Ok(Listing {
        entries: entries.map(|(.., entry)| entry).collect(),
        total,
        hidden: walked.hidden,
        unreadable: walked.unread,
        incomplete: walked.incomplete,
        roots: if path == "." {
            policy.added_roots().map(root).collect()
        } else {
            Vec::new()
        },
    })
}

fn root((name, access): (&str, Access)) -> String {
    match access {
        Access::ReadOnly => format!("{name}:/ (read only)"),
        Access::ReadWrite => format!("{name}:/"),
    }
}

/// A path as a model reads it.
pub(super) fn told(path: &Path) -> String {
    plain(&path.to_string_lossy())
}
