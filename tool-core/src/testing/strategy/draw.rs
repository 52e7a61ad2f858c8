//! Values of a shape, drawn one level at a time, so that a recursive schema
//! costs no more than the values that are drawn of it.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::{NewTree, Union, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

use super::bounded::Bounded;
use super::scalar::first_multiple;
use super::shapes::{Id, List, Object, Others, Real, Shape, Shapes, Whole};
use super::writing;

/// How many levels of values are drawn before only the smallest are.
const LEVELS: usize = 7;
/// How often each part of a schema that needs a check is tried.
const TRIES: usize = 300;

/// Values of one shape.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    shapes: Arc<Shapes>,
    id: Id,
    level: usize,
}

impl Drawn {
    /// Values of the whole schema.
    pub(super) fn root(shapes: &Arc<Shapes>) -> Self {
        Self {
            shapes: Arc::clone(shapes),
            id: shapes.root,
            level: 0,
        }
    }

    fn at(&self, id: Id, level: usize) -> Self {
        Self {
            shapes: Arc::clone(&self.shapes),
            id,
            level,
        }
    }

    fn inner(&self, id: Id) -> BoxedStrategy<Value> {
        self.at(id, self.level + 1).boxed()
    }

    fn is_at_the_end(&self) -> bool {
        self.level >= LEVELS
    }

    /// The strategy of this one level.
    fn strategy(&self) -> BoxedStrategy<Value> {
        match self.shapes.get(self.id) {
            // Only reached where a caller has not looked at the heights.
            Shape::Never | Shape::Cannot(_) => Just(Value::Null).boxed(),
            Shape::Values(values) => select(values.clone()).boxed(),
            Shape::Any => anything(),
            Shape::Integer(range) => whole(range),
            Shape::Number(range) => real(range),
            Shape::Text(text) => writing::texts(text).prop_map(Value::from).boxed(),
            Shape::List(list) => self.list(list),
            Shape::Object(object) => self.object(object),
            Shape::Choice(branches) => self.choice(branches),
            Shape::Checked(inner, check) => {
                let shapes = Arc::clone(&self.shapes);
                let check = *check;
                let keep = move |value: Value| {
                    shapes
                        .checks
                        .get(check)
                        .is_none_or(|validator| validator.is_valid(&value))
                        .then_some(value)
                };
                let inner = self.at(*inner, self.level);
                Bounded::new(inner, TRIES, "values for a part of the schema", keep).boxed()
            }
        }
    }

    fn choice(&self, branches: &[Id]) -> BoxedStrategy<Value> {
        let height = |id: &Id| self.shapes.height(*id);
        let least = branches.iter().filter_map(height).min();
        let open = branches.iter().filter(|id| match height(id) {
            None => false,
            found => !self.is_at_the_end() || found == least,
        });
        // A branch is no level of the value.
        let open: Vec<_> = open.map(|id| self.at(*id, self.level).boxed()).collect();
        if open.is_empty() {
            return Just(Value::Null).boxed();
        }
        Union::new(open).boxed()
    }

    fn list(&self, list: &List) -> BoxedStrategy<Value> {
        // At the end no more of a tuple than it needs, or a recursive one had no end.
        let wanted = if self.is_at_the_end() {
            list.least
        } else {
            list.first.len()
        };
        let first: Vec<_> = list
            .first
            .iter()
            .take(wanted)
            .take_while(|id| self.shapes.height(**id).is_some())
            .map(|id| self.inner(*id))
            .collect();
        let is_whole = first.len() == list.first.len();
        let rest = list
            .rest
            .filter(|id| is_whole && self.shapes.height(*id).is_some());
        let least = list.least.saturating_sub(first.len());
        // Few items deep inside, or the whole would have too many.
        let more = if self.is_at_the_end() {
            0
        } else {
            (5_usize >> self.level.min(8)).max(1)
        };
        let most = (least + more).min(
            list.most
                .map_or(usize::MAX, |most| most.saturating_sub(first.len())),
        );
        let rest = match rest {
            Some(rest) if least <= most => {
                proptest::collection::vec(self.inner(rest), least..=most).boxed()
            }
            _ => Just(Vec::new()).boxed(),
        };
        let contained = match list.contains {
            Some((id, count)) => proptest::collection::vec(self.inner(id), count).boxed(),
            None => Just(Vec::new()).boxed(),
        };
        let cut = list.most.unwrap_or(usize::MAX);
        let distinct = list.distinct;
        (first, contained, rest)
            .prop_map(move |(first, contained, rest)| {
                let mut items: Vec<Value> = first;
                for item in contained.into_iter().chain(rest) {
                    if !(distinct && items.contains(&item)) {
                        items.push(item);
                    }
                }
                items.truncate(cut);
                items.into()
            })
            .boxed()
    }

    fn object(&self, object: &Object) -> BoxedStrategy<Value> {
        let mut members: Vec<BoxedStrategy<Option<(String, Value)>>> = Vec::new();
        let required = object.members.iter().filter(|member| member.is_required);
        let missing = object.least.saturating_sub(required.count());
        let others = self.others(object, missing);
        let fillers = match &others {
            None if self.is_at_the_end() => self.smallest(object, missing),
            _ => Vec::new(),
        };
        for member in &object.members {
            let name = member.name.clone();
            let named = self
                .inner(member.shape)
                .prop_map(move |value| (name.clone(), value));
            if member.is_required || fillers.contains(&member.name.as_str()) {
                members.push(named.prop_map(Some).boxed());
            } else if !self.is_at_the_end() && self.shapes.height(member.shape).is_some() {
                members.push(prop::option::weighted(self.share(), named).boxed());
            }
        }
        let others = others.unwrap_or_else(|| Just(Vec::new()).boxed());
        let most = object.most.unwrap_or(usize::MAX);
        let optional: Vec<String> = object
            .members
            .iter()
            .filter(|member| !member.is_required)
            .map(|member| member.name.clone())
            .collect();
        (members, others)
            .prop_map(move |(members, others)| {
                let mut drawn: Map<String, Value> = members.into_iter().flatten().collect();
                for (name, value) in others {
                    if drawn.len() < most {
                        drawn.entry(name).or_insert(value);
                    }
                }
                for name in &optional {
                    if drawn.len() > most {
                        drawn.shift_remove(name);
                    }
                }
                drawn.into()
            })
            .boxed()
    }

    /// The optional members whose values are the smallest, so many of them.
    fn smallest<'a>(&self, object: &'a Object, count: usize) -> Vec<&'a str> {
        let mut optional: Vec<(usize, &str)> = object
            .members
            .iter()
            .filter(|member| !member.is_required)
            .filter_map(|member| Some((self.shapes.height(member.shape)?, member.name.as_str())))
            .collect();
        optional.sort_unstable();
        optional.truncate(count);
        optional.into_iter().map(|(_, name)| name).collect()
    }

    /// Members that have no name in the schema; `None` where it takes none.
    fn others(
        &self,
        object: &Object,
        missing: usize,
    ) -> Option<BoxedStrategy<Vec<(String, Value)>>> {
        let name = |id: Option<Id>| match id {
            Some(id) => self
                .inner(id)
                .prop_map(|name| name.as_str().unwrap_or_default().to_owned())
                .boxed(),
            None => "[a-z]{1,8}".boxed(),
        };
        let height = |id: &Id| self.shapes.height(*id);
        // By the height of the value: at the end only the smallest are drawn.
        let mut kinds: Vec<(usize, BoxedStrategy<(String, Value)>)> = Vec::new();
        for (pattern, value) in &object.patterns {
            if let (Some(_), Some(height)) = (height(pattern), height(value)) {
                kinds.push((height, (name(Some(*pattern)), self.inner(*value)).boxed()));
            }
        }
        let named = object.names.filter(|id| height(id).is_some());
        let is_rare = kinds.is_empty() && matches!(object.others, Others::Ignored);
        match &object.others {
            Others::Of(id) => {
                if let Some(height) = height(id) {
                    kinds.push((height, (name(named), self.inner(*id)).boxed()));
                }
            }
            Others::Ignored => {
                // Not a name that a later version may give a meaning.
                let mark = if named.is_none() && missing == 0 {
                    "x-"
                } else {
                    ""
                };
                let names = name(named).prop_map(move |name| format!("{mark}{name}"));
                kinds.push((0, (names, scalar()).boxed()));
            }
            Others::Refused => {}
        }
        if self.is_at_the_end() {
            let least = kinds.iter().map(|(height, _)| *height).min();
            kinds.retain(|(height, _)| Some(*height) == least);
        }
        if kinds.is_empty() {
            return None;
        }
        let kinds = Union::new(kinds.into_iter().map(|(_, kind)| kind));
        let count = match (missing, is_rare) {
            // Some of the optional members count as well, and some names are drawn twice.
            (1.., _) => missing..=missing + 2,
            (0, _) if self.is_at_the_end() => 0..=0,
            (0, true) => {
                let one = proptest::collection::vec(kinds, 1);
                return Some(prop_oneof![12 => Just(Vec::new()), 1 => one].boxed());
            }
            (0, false) => 0..=3,
        };
        Some(proptest::collection::vec(kinds, count).boxed())
    }

    /// How likely an optional member is.
    fn share(&self) -> f64 {
        match self.level {
            0 => 0.6,
            1 => 0.5,
            2 => 0.4,
            _ => 0.25,
        }
    }
}

impl Strategy for Drawn {
    type Tree = Box<dyn ValueTree<Value = Value>>;
    type Value = Value;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        self.strategy().new_tree(runner)
    }
}

/// A number as JSON: a 64-bit integer where it is one.
fn as_json(number: i128) -> Value {
    match (i64::try_from(number), u64::try_from(number)) {
        (Ok(number), _) => number.into(),
        (_, Ok(number)) => number.into(),
        _ => Value::Null,
    }
}

fn whole(range: &Whole) -> BoxedStrategy<Value> {
    let &Whole { least, most, step } = range;
    let first = first_multiple(least, step);
    let count = (most - first) / step;
    // Counted from the multiple that is nearest to zero, as smaller means nearer to it.
    let zero = (-first / step).clamp(0, count);
    let (low, high) = (-zero, count - zero);
    let near = low.max(-100)..=high.min(1_000);
    let ends = prop_oneof![Just(low), Just(high)];
    prop_oneof![6 => near, 2 => low..=high, 3 => ends]
        .prop_map(move |offset| as_json(first + (zero + offset) * step))
        .boxed()
}

fn real(range: &Real) -> BoxedStrategy<Value> {
    let &Real { least, most, step } = range;
    if let Some(step) = step {
        return multiples(least, most, step);
    }
    let (low, high): (f64, f64) = match (least, most) {
        (None, None) => {
            let some = prop::num::f64::NORMAL | prop::num::f64::ZERO;
            let small = (-1_000..=1_000_i32).prop_map(Value::from);
            return prop_oneof![4 => small, 1 => some.prop_map(|number| json!(number))].boxed();
        }
        (Some(low), None) => (low, low + 1e6),
        (None, Some(high)) => (high - 1e6, high),
        // The distance of the two must be a number as well.
        (Some(low), Some(high)) if !(high - low).is_finite() => (low / 2.0, high / 2.0),
        (Some(low), Some(high)) => (low, high),
    };
    let ends = prop_oneof![Just(low), Just(high)].prop_map(|number| json!(number));
    let floats = (low..=high).prop_map(|number| json!(number));
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a saturating cast is what is wanted"
    )]
    let (first, last) = (low.ceil() as i64, high.floor() as i64);
    if first <= last {
        let integers = (first..=last).prop_map(Value::from);
        return prop_oneof![4 => integers, 4 => floats, 1 => ends].boxed();
    }
    prop_oneof![4 => floats, 1 => ends].boxed()
}

/// Multiples of a step that is mostly a fraction, such as 0.01.
fn multiples(least: Option<f64>, most: Option<f64>, step: f64) -> BoxedStrategy<Value> {
    let low = least.map_or(-1_000.0, |least| (least / step).ceil());
    let high = most.map_or(low + 2_000.0, |most| (most / step).floor());
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a saturating cast is what is wanted"
    )]
    let (low, high) = (low as i64, high.max(low) as i64);
    (low..=high)
        .prop_map(move |count| {
            #[expect(
                clippy::cast_precision_loss,
                reason = "a check refuses what is not exact"
            )]
            let number = count as f64 * step;
            // As a person would write it: 0.3 and not 0.30000000000000004.
            let short: f64 = format!("{number:.9}").parse().unwrap_or(number);
            if short.fract() == 0.0 && short.abs() < 9e15 {
                #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
                let whole = short as i64;
                return json!(whole);
            }
            json!(short)
        })
        .boxed()
}

fn scalar() -> BoxedStrategy<Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-9..=20_i32).prop_map(Value::from),
        "[a-z]{0,5}".prop_map(Value::from),
    ]
    .boxed()
}

/// Any JSON, mostly small.
fn anything() -> BoxedStrategy<Value> {
    let inner = scalar();
    prop_oneof![
        4 => scalar(),
        1 => proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
        1 => proptest::collection::btree_map("[a-z]{1,3}", inner, 0..3)
            .prop_map(|members| Value::Object(members.into_iter().collect())),
    ]
    .boxed()
}
