//! Places that no message may quote.

use std::collections::BTreeSet;

use crate::arguments::{Repair, RepairKind};
use crate::redact::REDACTED;

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Member(String),
    Item(usize),
}

/// A place in a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place(Vec<Step>);

impl Place {
    pub(super) fn new(steps: Vec<Step>) -> Self {
        Self(steps)
    }

    /// The place as a JSON pointer.
    pub(super) fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.0 {
            pointer.push('/');
            match step {
                Step::Member(name) => {
                    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                }
                Step::Item(index) => pointer.push_str(&index.to_string()),
            }
        }
        pointer
    }

    /// The place as paths of problems are compared.
    fn flat(&self) -> String {
        let steps: Vec<String> = self
            .0
            .iter()
            .map(|step| match step {
                Step::Member(name) => flat(name),
                Step::Item(index) => index.to_string(),
            })
            .collect();
        steps.join(".")
    }
}

/// The places of refused arguments that no message may quote.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hidden {
    places: BTreeSet<String>,
}

impl Hidden {
    pub(super) fn new(places: &[Place]) -> Self {
        Self {
            places: places.iter().map(Place::flat).collect(),
        }
    }

    /// The places of both.
    #[must_use]
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.places.extend(other.places);
        self
    }

    /// Whether a path is a hidden place, or inside one.
    pub(crate) fn covers(&self, path: &str) -> bool {
        let path = flat(path);
        let ends = path.match_indices('.').map(|(end, _)| end);
        self.places.contains("")
            || self.places.contains(&path)
            || ends
                .filter_map(|end| path.get(..end))
                .any(|outer| self.places.contains(outer))
    }

    /// Whether a hidden place is inside what a path leads to.
    fn is_inside(&self, path: &str) -> bool {
        if path.is_empty() {
            return true;
        }
        let inside = format!("{}.", flat(path));
        self.places
            .range(inside.clone()..)
            .next()
            .is_some_and(|place| place.starts_with(&inside))
    }

    /// Takes what a repair quotes of hidden places out of it. The name of a
    /// property is no secret.
    pub(crate) fn hide_in(&self, repair: &mut Repair) {
        let quotes = repair.kind != RepairKind::PropertyName;
        if quotes && (self.covers(&repair.path) || self.is_inside(&repair.path)) {
            hide(repair);
        }
    }
}

/// Takes what a repair quotes out of it.
pub(crate) fn hide(repair: &mut Repair) {
    REDACTED.clone_into(&mut repair.before);
    REDACTED.clone_into(&mut repair.after);
}

/// A path with one kind of separator: `tags[2].name` is `tags.2.name`.
fn flat(path: &str) -> String {
    path.replace(']', "").replace('[', ".")
}
