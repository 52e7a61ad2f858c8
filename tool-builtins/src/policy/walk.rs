//! All that is below a directory, in bounded time and memory.

use std::ffi::{OsStr, OsString};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_fs_ext::DirExt;
use cap_std::fs::Dir;

use super::files::{EntryKind, kind};
use super::ignored::Ignored;
use super::path::{DEEPEST, PathError};
use super::settings::Policy;

/// How many entries one walk looks at.
const MOST: usize = 100_000;

/// How to walk. Links are met and never followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Walk {
    /// How many levels: 1 is the directory alone.
    pub(crate) depth: usize,
    /// Whether to meet names that start with a dot.
    pub(crate) hidden: bool,
    /// Whether to meet what a `.gitignore` names, and `.git`.
    pub(crate) ignored: bool,
}

/// Something that a walk meets.
#[derive(Debug)]
pub(crate) struct Visit<'a> {
    /// Its path, relative to where the walk began.
    pub(crate) path: &'a Path,
    pub(crate) name: &'a OsStr,
    /// The open directory in which it stands.
    pub(crate) directory: &'a Dir,
    pub(crate) kind: EntryKind,
}

/// What a walk did not meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Walked {
    /// How many hidden names were passed over.
    pub(crate) hidden: usize,
    /// How many directories could not be read.
    pub(crate) unread: usize,
    /// Whether it ended early: too many entries, too deep, or because the visitor wanted it.
    pub(crate) incomplete: bool,
}

/// A directory that waits for its visit.
struct Waiting {
    path: PathBuf,
    depth: usize,
    ignored: Option<Arc<Ignored>>,
}

impl Policy {
    /// Meets what is below a directory: the entries of each by name, a directory before what is in it.
    pub(crate) fn walk(
        &self,
        path: &str,
        walk: Walk,
        visit: &mut dyn FnMut(&Visit<'_>) -> ControlFlow<()>,
    ) -> Result<Walked, PathError> {
        let place = self.place(path)?;
        let directory = place.open_directory()?;
        let above = if walk.ignored {
            None
        } else {
            Ignored::above(place.directory(), &place.relative)
        };
        Ok(walk.run(&directory, above, visit))
    }
}

impl Walk {
    /// Every single entry at any depth.
    pub(crate) fn everything() -> Self {
        Self {
            depth: usize::MAX,
            hidden: true,
            ignored: true,
        }
    }

    pub(super) fn run(
        self,
        start: &Dir,
        above: Option<Arc<Ignored>>,
        visit: &mut dyn FnMut(&Visit<'_>) -> ControlFlow<()>,
    ) -> Walked {
        let mut walked = Walked::default();
        let mut left = MOST;
        // Paths wait here and no open directories: a deep or wide tree must not use up the process's files.
        let mut waiting = vec![Waiting {
            path: PathBuf::new(),
            depth: 1,
            ignored: above,
        }];
        while let Some(next) = waiting.pop() {
            let Some(directory) = open(start, &next.path) else {
                walked.unread += 1;
                continue;
            };
            let Some(entries) = self.entries(&directory, &mut left, &mut walked) else {
                walked.unread += 1;
                continue;
            };
            let ignored = if self.ignored {
                None
            } else {
                Ignored::within(&directory, &next.path, next.ignored)
            };
            let mut deeper = Vec::new();
            for (name, kind) in entries {
                let path = next.path.join(&name);
                let is_directory = kind == EntryKind::Directory;
                if !self.ignored
                    && (name == ".git"
                        || ignored
                            .as_ref()
                            .is_some_and(|ignored| ignored.covers(&path, is_directory)))
                {
                    continue;
                }
                let met = visit(&Visit {
                    path: &path,
                    name: &name,
                    directory: &directory,
                    kind,
                });
                if met.is_break() {
                    walked.incomplete = true;
                    return walked;
                }
                if is_directory && next.depth < self.depth {
                    if next.depth < DEEPEST {
                        deeper.push(Waiting {
                            path,
                            depth: next.depth + 1,
                            ignored: ignored.clone(),
                        });
                    } else {
                        walked.incomplete = true;
                    }
                }
            }
            waiting.extend(deeper.into_iter().rev());
        }
        walked
    }

    /// The entries of one directory by name.
    fn entries(
        self,
        directory: &Dir,
        left: &mut usize,
        walked: &mut Walked,
    ) -> Option<Vec<(OsString, EntryKind)>> {
        let mut entries = Vec::new();
        for entry in directory.entries().ok()? {
            let Ok(entry) = entry else {
                walked.unread += 1;
                break;
            };
            if *left == 0 {
                walked.incomplete = true;
                break;
            }
            *left -= 1;
            let name = entry.file_name();
            if !self.hidden && name.as_encoded_bytes().starts_with(b".") {
                walked.hidden += 1;
                continue;
            }
            let kind = entry.file_type().map_or(EntryKind::Other, kind);
            entries.push((name, kind));
        }
        entries.sort_by(|(left, _), (right, _)| left.cmp(right));
        Some(entries)
    }
}

/// A directory that became a link since it was met is not opened.
fn open(start: &Dir, path: &Path) -> Option<Dir> {
    if path.as_os_str().is_empty() {
        start.try_clone().ok()
    } else {
        start.open_dir_nofollow(path).ok()
    }
}
