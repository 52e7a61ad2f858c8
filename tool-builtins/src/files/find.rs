//! Files whose names match a pattern.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::SystemTime;

use globset::{GlobBuilder, GlobMatcher};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::{FileError, FileErrorKind};
use super::list::told;
use crate::policy::{EntryKind, Policy, Visit, Walk, shown};

/// How many paths are given when the caller does not say.
pub(super) const LIMIT: usize = 100;

/// The longest glob that is taken, in bytes.
const LONGEST: usize = 500;

/// What is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FindKind {
    /// Regular files.
    #[default]
    File,
    /// Directories.
    Directory,
    /// Files, directories, links and whatever else there is.
    Any,
}

/// In which order paths are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FindOrder {
    /// By path.
    #[default]
    Path,
    /// The one changed last first.
    Newest,
}

/// What to find, and where. Start from [`FindOptions::new`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FindOptions {
    /// A glob: `*.rs` for a name at any depth, `src/**/*.rs` for a path.
    pub pattern: String,
    /// The directory to look in. Default: the root.
    pub path: String,
    /// What to find. Default: files.
    pub kind: FindKind,
    /// The order. Default: by path.
    pub order: FindOrder,
    /// Whether to look at names that start with a dot. Default: no.
    pub hidden: bool,
    /// Whether to look at what a `.gitignore` leaves out. Default: no.
    pub ignored: bool,
    /// How many paths to give at most. Default: 100.
    pub limit: usize,
}

impl FindOptions {
    /// Files that match a glob, anywhere below the root, without hidden and ignored ones.
    pub fn new(pattern: impl Into<String>) -> Self {
        Self {
            pattern: pattern.into(),
            path: ".".to_owned(),
            kind: FindKind::File,
            order: FindOrder::Path,
            hidden: false,
            ignored: false,
            limit: LIMIT,
        }
    }
}

/// The paths that were found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Found {
    /// The first paths in the order that was asked for, relative to the root.
    pub paths: Vec<String>,
    /// How many there are, the ones left out included.
    pub total: usize,
    /// Whether there is too much to look at, or something could not be read, so that `total` is not all.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
}

/// Finds what matches a pattern below a directory. Links are not followed.
///
/// At most 100,000 entries are looked at, and 128 levels.
///
/// # Errors
///
/// A [`FileError`] when the path leads outside the root or is not a directory, and when the pattern is not valid.
pub fn find_files(policy: &Policy, options: &FindOptions) -> Result<Found, FileError> {
    find_until(policy, options, &|| false)
}

pub(super) fn find_until(
    policy: &Policy,
    options: &FindOptions,
    stop: &dyn Fn() -> bool,
) -> Result<Found, FileError> {
    let glob = Glob::new(&options.pattern)?;
    let walk = Walk {
        depth: usize::MAX,
        hidden: options.hidden,
        ignored: options.ignored,
    };
    let mut found: Vec<(Option<SystemTime>, String)> = Vec::new();
    let walked = policy.walk(&options.path, walk, &mut |visit| {
        let is_wanted = match options.kind {
            FindKind::File => visit.kind == EntryKind::File,
            FindKind::Directory => visit.kind == EntryKind::Directory,
            FindKind::Any => true,
        };
        if is_wanted && glob.matches(visit) {
            let modified = match options.order {
                FindOrder::Path => None,
                FindOrder::Newest => visit
                    .directory
                    .symlink_metadata(visit.name)
                    .and_then(|metadata| metadata.modified())
                    .ok()
                    .map(cap_std::time::SystemTime::into_std),
            };
            found.push((modified, below(&options.path, visit.path)));
        }
        if stop() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    found.sort_by(|(left_time, left), (right_time, right)| {
        right_time.cmp(left_time).then_with(|| left.cmp(right))
    });
    let total = found.len();
    let paths = found.into_iter().take(options.limit);
    Ok(Found {
        paths: paths.map(|(_, path)| path).collect(),
        total,
        incomplete: walked.incomplete || walked.unread > 0,
    })
}

/// A path of a walk, as the next call can give it.
pub(super) fn below(start: &str, path: &Path) -> String {
    let path = told(path);
    let start = start.trim_start_matches("./").trim_end_matches('/');
    match start {
        "" | "." => path,
        start => format!("{}/{path}", shown(start)),
    }
}

/// A pattern for names or for paths.
pub(super) struct Glob {
    matcher: GlobMatcher,
    is_for_names: bool,
}

impl Glob {
    pub(super) fn new(pattern: &str) -> Result<Self, FileError> {
        let refused = |why: &str| {
            let message = format!("`{}` is no glob: {why}", shown(pattern));
            FileError::new(FileErrorKind::InvalidPattern, message)
                .with_hint("a glob is like `*.rs`, `src/**/*.{ts,tsx}` or `data/2024-??.csv`")
        };
        if pattern.len() > LONGEST {
            return Err(refused("it is too long"));
        }
        let path = pattern.trim_start_matches("./");
        // The kinds are named one by one: the crate's own message repeats the whole pattern.
        let glob = GlobBuilder::new(path)
            .literal_separator(true)
            .build()
            .map_err(|error| refused(&error.kind().to_string()))?;
        Ok(Self {
            matcher: glob.compile_matcher(),
            is_for_names: !path.contains('/'),
        })
    }

    pub(super) fn matches(&self, visit: &Visit<'_>) -> bool {
        if self.is_for_names {
            self.matcher.is_match(visit.name)
        } else {
            self.matcher.is_match(visit.path)
        }
    }
}
