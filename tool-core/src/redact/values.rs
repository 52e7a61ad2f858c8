//! Values that are secrets whatever they look like, found in a text.

use std::ops::Range;

use aho_corasick::AhoCorasick;
use memchr::memmem;

/// Shorter values are left out: they would turn every text into gaps.
pub(super) const SHORTEST: usize = 4;

/// How many bytes of a value are searched for. It bounds what an automaton
/// may take; where so many bytes agree, all that follow and agree go too.
const NEEDLE: usize = 64;

/// A needle is shorter than this only where it is all of its value: it is cut
/// between characters, and those have four bytes at most.
const CUT: usize = NEEDLE - 3;

/// How many values are searched one by one before an automaton pays.
pub(super) const FEW: usize = 8;

/// A set of values to find.
pub(super) struct Values<V> {
    /// In order, none twice.
    values: Vec<V>,
    finder: Option<Box<Finder>>,
}

struct Finder {
    automaton: AhoCorasick,
    /// One a pattern: the value that it is, or the first that begins with it.
    values: Vec<usize>,
}

impl<V: AsRef<str> + Ord> Values<V> {
    pub(super) fn new(values: impl IntoIterator<Item = V>) -> Self {
        let mut values: Vec<V> = values
            .into_iter()
            .filter(|value| value.as_ref().len() >= SHORTEST)
            .collect();
        values.sort();
        values.dedup();
        let finder = if values.len() > FEW {
            Finder::new(&values).map(Box::new)
        } else {
            None
        };
        Self { values, finder }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Adds where the values are, in no order. `counts` says of a value
    /// whether it is still one.
    pub(super) fn find(
        &self,
        text: &str,
        secrets: &mut Vec<Range<usize>>,
        counts: impl Fn(&V) -> bool,
    ) {
        let Some(finder) = &self.finder else {
            for value in self.values.iter().filter(|value| counts(value)) {
                find_one(value.as_ref(), text, secrets);
            }
            return;
        };
        let mut budget = Budget::of(text);
        for found in finder.automaton.find_overlapping_iter(text) {
            let Some(value) = finder.values.get(found.pattern().as_usize()) else {
                continue;
            };
            if found.len() < CUT {
                if self.values.get(*value).is_some_and(&counts) {
                    add(secrets, found.range());
                }
                continue;
            }
            let length = self.agreement(text.get(found.start()..).unwrap_or_default());
            if !budget.takes(length) {
                add(secrets, found.start()..text.len());
                return;
            }
            add(
                secrets,
                found.start()..found.end().max(found.start() + length),
            );
        }
    }

    /// How many bytes a text begins with that a value begins with too: most
    /// with one of the two between which it would stand.
    fn agreement(&self, text: &str) -> usize {
        let place = self.values.partition_point(|value| value.as_ref() < text);
        [place.checked_sub(1), Some(place)]
            .into_iter()
            .flatten()
            .filter_map(|index| self.values.get(index))
            .map(|value| common(value.as_ref(), text))
            .max()
            .unwrap_or(0)
    }
}

impl Finder {
    fn new<V: AsRef<str>>(values: &[V]) -> Option<Self> {
        let mut first = Vec::with_capacity(values.len());
        let mut patterns: Vec<&str> = Vec::with_capacity(values.len());
        for (index, value) in values.iter().enumerate() {
            let pattern = needle(value.as_ref());
            if patterns.last() != Some(&pattern) {
                first.push(index);
                patterns.push(pattern);
            }
        }
        // One that cannot be built would be too large; the slow way is left.
        let automaton = AhoCorasick::new(patterns).ok()?;
        Some(Self {
            automaton,
            values: first,
        })
    }
}

/// Adds where one value is.
pub(super) fn find_one(value: &str, text: &str, secrets: &mut Vec<Range<usize>>) {
    let needle = needle(value);
    let finder = memmem::Finder::new(needle);
    let mut budget = Budget::of(text);
    let mut from = 0;
    while let Some(at) = text
        .as_bytes()
        .get(from..)
        .and_then(|rest| finder.find(rest))
    {
        let start = from + at;
        let length = common(value, text.get(start..).unwrap_or_default());
        if !budget.takes(length) {
            add(secrets, start..text.len());
            return;
        }
        add(secrets, start..start + length.max(needle.len()));
        // One may begin inside another.
        from = start + 1;
    }
}

/// How much may be compared byte by byte. A long value that repeats itself, in
/// a text that repeats it, would take the product of both; the rest of such a
/// text is a secret as a whole.
struct Budget(usize);

impl Budget {
    fn of(text: &str) -> Self {
        Self(text.len().saturating_mul(16).saturating_add(4096))
    }

    fn takes(&mut self, bytes: usize) -> bool {
        let left = self.0.checked_sub(bytes);
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

/// Adds a range, to the last one where they overlap: a text may be one secret
/// over and over.
fn add(secrets: &mut Vec<Range<usize>>, secret: Range<usize>) {
    match secrets.last_mut() {
        Some(last) if last.start <= secret.start && secret.start < last.end => {
            last.end = last.end.max(secret.end);
        }
        _ => secrets.push(secret),
    }
}

/// What of a value is searched for.
fn needle(value: &str) -> &str {
    let mut end = value.len().min(NEEDLE);
    while !value.is_char_boundary(end) {
        end -= 1;
    }
    value.get(..end).unwrap_or(value)
}

/// How many bytes two texts have in common at their starts, in whole characters.
fn common(left: &str, right: &str) -> usize {
    let mut length = left
        .bytes()
        .zip(right.bytes())
        .take_while(|(left, right)| left == right)
        .count();
    while !right.is_char_boundary(length) {
        length -= 1;
    }
    length
}
