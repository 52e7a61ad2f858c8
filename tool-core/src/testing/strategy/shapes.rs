//! What values of a schema look like, in a form from which they are drawn.

use std::fmt;

use jsonschema::Validator;
use regex_syntax::hir::Hir;
use serde_json::Value;

/// The place of a shape in its list.
pub(super) type Id = usize;

/// What a value looks like. It may be more than the schema takes, where it is
/// [`Checked`](Shape::Checked), and less, where that makes better tests.
#[derive(Debug)]
pub(super) enum Shape {
    /// No value at all.
    Never,
    /// Values that cannot be drawn: why, and where.
    Cannot(String),
    /// One of these.
    Values(Vec<Value>),
    /// Any JSON.
    Any,
    Integer(Whole),
    Number(Real),
    Text(Text),
    List(List),
    Object(Object),
    Choice(Vec<Id>),
    /// Of this shape, as far as the check with this number takes it.
    Checked(Id, usize),
}

/// Whole numbers: both ends are included.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) least: i128,
    pub(super) most: i128,
    pub(super) step: i128,
}

/// Numbers: both ends are included, unless a check takes them out.
#[derive(Debug)]
pub(super) struct Real {
    pub(super) least: Option<f64>,
    pub(super) most: Option<f64>,
    pub(super) step: Option<f64>,
}

/// A text; lengths in characters.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) least: usize,
    pub(super) most: Option<usize>,
    pub(super) writing: Writing,
}

/// How a text is written.
#[derive(Debug)]
pub(super) enum Writing {
    Free,
    Pattern { pattern: String, parsed: Box<Hir> },
    Format(String),
}

#[derive(Debug)]
pub(super) struct List {
    /// The first items, each of its own shape.
    pub(super) first: Vec<Id>,
    /// The items after those; `None` where there are none.
    pub(super) rest: Option<Id>,
    pub(super) least: usize,
    pub(super) most: Option<usize>,
    pub(super) distinct: bool,
    /// A shape that some items have to have, and how many.
    pub(super) contains: Option<(Id, usize)>,
}

#[derive(Debug)]
pub(super) struct Object {
    pub(super) members: Vec<Member>,
    pub(super) others: Others,
    /// What the names of other members look like.
    pub(super) names: Option<Id>,
    /// Members whose names fit a pattern: the shapes of the name and of the value.
    pub(super) patterns: Vec<(Id, Id)>,
    pub(super) least: usize,
    pub(super) most: Option<usize>,
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) shape: Id,
    pub(super) is_required: bool,
}

/// Members that have no name in the schema.
#[derive(Clone, Copy, Debug)]
pub(super) enum Others {
    Refused,
    /// Taken, whatever they are.
    Ignored,
    Of(Id),
}

/// The shapes of one schema.
pub(super) struct Shapes {
    pub(super) list: Vec<Shape>,
    /// How deep the smallest value of each shape is; `None` where there is none.
    pub(super) heights: Vec<Option<usize>>,
    pub(super) checks: Vec<Validator>,
    pub(super) root: Id,
}

impl fmt::Debug for Shapes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Shapes")
            .field("count", &self.list.len())
            .finish_non_exhaustive()
    }
}

impl Shapes {
    /// A shape; [`Shape::Never`] for an id of another list.
    pub(super) fn get(&self, id: Id) -> &Shape {
        self.list.get(id).unwrap_or(&Shape::Never)
    }

    pub(super) fn height(&self, id: Id) -> Option<usize> {
        self.heights.get(id).copied().flatten()
    }

    /// Why parts of the schema are never drawn.
    pub(super) fn left_out(&self) -> impl Iterator<Item = &str> {
        self.list.iter().filter_map(|shape| match shape {
            Shape::Cannot(reason) => Some(reason.as_str()),
            _ => None,
        })
    }
}

/// How deep the smallest value of each shape is, found by going over the list
/// until nothing changes.
pub(super) fn heights(list: &[Shape]) -> Vec<Option<usize>> {
    let mut heights = vec![None; list.len()];
    loop {
        let mut changed = false;
        for (id, shape) in list.iter().enumerate() {
            let height = height(shape, &heights);
            if let Some(known) = heights.get_mut(id)
                && *known != height
            {
                *known = height;
                changed = true;
            }
        }
        if !changed {
            return heights;
        }
    }
}

fn height(shape: &Shape, heights: &[Option<usize>]) -> Option<usize> {
    let of = |id: &Id| heights.get(*id).copied().flatten();
    let deepest = |ids: &mut dyn Iterator<Item = Id>| -> Option<usize> {
        let mut deepest = 0;
        for id in ids {
            deepest = deepest.max(of(&id)?);
        }
        Some(deepest + 1)
    };
    match shape {
        Shape::Never | Shape::Cannot(_) => None,
        Shape::Values(values) => (!values.is_empty()).then_some(0),
        Shape::Any | Shape::Integer(_) | Shape::Number(_) | Shape::Text(_) => Some(0),
        Shape::Choice(branches) => branches.iter().filter_map(of).min(),
        Shape::Checked(inner, _) => of(inner),
        Shape::List(list) => {
            let first = list.first.iter().take(list.least).copied();
            let rest = list.rest.filter(|_| list.least > list.first.len());
            if list.least > list.first.len() && list.rest.is_none() {
                return None;
            }
            let contains = list.contains.map(|(id, _)| id);
            deepest(&mut first.chain(rest).chain(contains))
        }
        Shape::Object(object) => {
            let required = object.members.iter().filter(|member| member.is_required);
            let filled = filled(object, heights)?;
            let deepest = deepest(&mut required.map(|member| member.shape))?;
            Some(deepest.max(filled))
        }
    }
}

/// How deep the members are that an object needs beside the required ones.
fn filled(object: &Object, heights: &[Option<usize>]) -> Option<usize> {
    let of = |id: Id| heights.get(id).copied().flatten();
    let is_required = |member: &&Member| member.is_required;
    let missing = object
        .least
        .saturating_sub(object.members.iter().filter(is_required).count());
    let Some(last) = missing.checked_sub(1) else {
        return Some(0);
    };
    let named = object.patterns.iter().map(|(_, value)| of(*value));
    let other = match object.others {
        Others::Refused => None,
        Others::Ignored => Some(0),
        Others::Of(id) => of(id),
    };
    let others = named.chain([other]).flatten().min();
    let mut optional: Vec<usize> = object
        .members
        .iter()
        .filter(|member| !member.is_required)
        .filter_map(|member| of(member.shape))
        .collect();
    optional.sort_unstable();
    let height = others.or_else(|| optional.get(last).copied())?;
    Some(height + 1)
}
