//! What the `.gitignore` files of a tree leave out.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use cap_std::fs::Dir;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::files::read_entry;

/// How much of a `.gitignore` counts; larger ones are not written by hand.
const LARGEST: usize = 64 * 1024;
const LINES: usize = 2000;

/// The patterns of one `.gitignore`, and of those in the directories above it.
#[derive(Debug)]
pub(super) struct Ignored {
    patterns: Gitignore,
    base: Base,
    above: Option<Arc<Self>>,
}

/// Where a `.gitignore` stands, seen from the start of a walk.
#[derive(Debug)]
enum Base {
    /// So far above it: what stands between the two.
    Above(PathBuf),
    /// At it or below it.
    Below(PathBuf),
}

impl Ignored {
    /// The patterns from the root down to the directory that contains the start of a walk.
    pub(super) fn above(root: &Dir, start: &Path) -> Option<Arc<Self>> {
        let names: Vec<_> = start
            .components()
            .filter(|component| *component != Component::CurDir)
            .collect();
        let mut chain = None;
        for depth in 0..names.len() {
            let (upper, lower) = names.split_at(depth);
            let upper: PathBuf = upper.iter().collect();
            let opened = if depth == 0 {
                root.try_clone()
            } else {
                root.open_dir(&upper)
            };
            if let Ok(directory) = opened {
                chain = Self::link(&directory, Base::Above(lower.iter().collect()), chain);
            }
        }
        chain
    }

    /// The patterns that count in a directory of the walk.
    pub(super) fn within(
        directory: &Dir,
        path: &Path,
        above: Option<Arc<Self>>,
    ) -> Option<Arc<Self>> {
        Self::link(directory, Base::Below(path.to_owned()), above)
    }

    fn link(directory: &Dir, base: Base, above: Option<Arc<Self>>) -> Option<Arc<Self>> {
        let Some(patterns) = patterns(directory) else {
            return above;
        };
        Some(Arc::new(Self {
            patterns,
            base,
            above,
        }))
    }

    /// Whether a path, relative to the start of the walk, is left out: the nearest file that says anything decides.
    pub(super) fn covers(&self, path: &Path, is_directory: bool) -> bool {
        let mut file = Some(self);
        while let Some(ignored) = file {
            let verdict = match &ignored.base {
                Base::Above(between) => ignored.patterns.matched(between.join(path), is_directory),
                Base::Below(base) => match path.strip_prefix(base) {
                    Ok(path) => ignored.patterns.matched(path, is_directory),
                    Err(_) => Match::None,
                },
            };
            match verdict {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => file = ignored.above.as_deref(),
            }
        }
        false
    }
}

fn patterns(directory: &Dir) -> Option<Gitignore> {
    let content = read_entry(directory, Path::new(".gitignore"), LARGEST)?;
    let content = String::from_utf8_lossy(&content);
    let mut builder = GitignoreBuilder::new("");
    for line in content.lines().take(LINES) {
        // A line that is no pattern means nothing, as for git.
        let _ = builder.add_line(None, line);
    }
    builder.build().ok().filter(|patterns| !patterns.is_empty())
}
