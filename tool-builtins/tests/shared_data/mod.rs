//! The shared data, where it is at hand.

use std::fs;
use std::path::{Path, PathBuf};

/// A part of the shared data, or `None` where it is absent, which is said.
pub(crate) fn data(part: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/data")
        .join(part);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is absent", path.display());
    None
}

/// Every file below a directory, sorted.
pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        if entry.is_dir() {
            found.extend(files(&entry));
        } else {
            found.push(entry);
        }
    }
    found.sort();
    found
}
