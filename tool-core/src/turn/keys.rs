//! One call at a time for equal arguments.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, DefaultHasher, Hash as _, Hasher, RandomState};
use std::sync::{Arc, PoisonError, Weak};

use serde_json::{Number, Value};

use super::gate::{Entry, Gate};
use super::sync::{Mutex, MutexGuard};

/// A gate of one place for each name and value that somebody holds or waits
/// for.
///
/// Values are equal when they mean the same: the order of an object's keys
/// does not count, and `1` is `1.0`. Only a fingerprint of 128 bits is kept,
/// made with keys of chance; should two ever be equal by accident, one call
/// waits for another that it need not have waited for.
pub(crate) struct Keys {
    random: [RandomState; 2],
    gates: Mutex<HashMap<Fingerprint, Weak<Gate>>>,
}

type Fingerprint = [u64; 2];

impl Keys {
    /// No gates yet.
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            random: [RandomState::new(), RandomState::new()],
            gates: Mutex::default(),
        })
    }

    /// Takes a place in the queue of this value of the argument of this name,
    /// now and not when the entry is polled.
    pub(crate) fn enter(self: &Arc<Self>, name: &str, value: &Value) -> Entry {
        let key = self.fingerprint(name, value);
        let mut gates = self.lock();
        if let Some(gate) = gates.get(&key).and_then(Weak::upgrade) {
            return gate.enter();
        }
        let gate = Gate::at(Home {
            keys: Arc::downgrade(self),
            key,
        });
        gates.insert(key, Arc::downgrade(&gate));
        gate.enter()
    }

    /// How many gates there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    fn fingerprint(&self, name: &str, value: &Value) -> Fingerprint {
        let mut hasher = Twice(self.random.each_ref().map(RandomState::build_hasher));
        name.hash(&mut hasher);
        hash_meaning(value, &mut hasher);
        hasher.0.map(|hasher| hasher.finish())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Fingerprint, Weak<Gate>>> {
        self.gates.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where the gate of a key is kept. Dropped with the gate, which each entry and
/// each pass keeps alive, it clears the place.
pub(super) struct Home {
    keys: Weak<Keys>,
    key: Fingerprint,
}

impl Drop for Home {
    fn drop(&mut self) {
        let Some(keys) = self.keys.upgrade() else {
            return;
        };
        let mut gates = keys.lock();
        // The next gate of the key may have been put there already.
        if gates
            .get(&self.key)
            .is_some_and(|gate| gate.strong_count() == 0)
        {
            gates.remove(&self.key);
        }
    }
}

/// Two hashes of different keys in one pass.
struct Twice([DefaultHasher; 2]);

impl Hasher for Twice {
    fn write(&mut self, bytes: &[u8]) {
        for hasher in &mut self.0 {
            hasher.write(bytes);
        }
    }

    fn finish(&self) -> u64 {
        self.0[0].finish()
    }
}

/// A part of a value that is yet to be hashed.
enum Part<'a> {
    Key(&'a str),
    Value(&'a Value),
}

/// Feeds a value so that two that mean the same feed the same, and two that do
/// not feed different bytes. Keeps its own stack, however deep the value is.
fn hash_meaning(value: &Value, hasher: &mut impl Hasher) {
    let mut parts = vec![Part::Value(value)];
    while let Some(part) = parts.pop() {
        let value = match part {
            Part::Key(key) => {
                key.hash(hasher);
                continue;
            }
            Part::Value(value) => value,
        };
        match value {
            Value::Null => 0_u8.hash(hasher),
            Value::Bool(truth) => (1_u8, truth).hash(hasher),
            Value::Number(number) => hash_number(number, hasher),
            Value::String(text) => (4_u8, text).hash(hasher),
            Value::Array(items) => {
                (5_u8, items.len()).hash(hasher);
                parts.extend(items.iter().map(Part::Value));
            }
            Value::Object(fields) => {
                (6_u8, fields.len()).hash(hasher);
                let mut fields: Vec<_> = fields.iter().collect();
                fields.sort_unstable_by_key(|(key, _)| *key);
                for (key, value) in fields {
                    parts.extend([Part::Value(value), Part::Key(key)]);
                }
            }
        }
    }
}

fn hash_number(number: &Number, hasher: &mut impl Hasher) {
    match integer(number) {
        Some(integer) => (2_u8, integer).hash(hasher),
        None => match number.as_f64() {
            Some(float) => (3_u8, float.to_bits()).hash(hasher),
            // Beyond any type of ours, if some crate has such numbers kept as text.
            None => (7_u8, number.to_string()).hash(hasher),
        },
    }
}

/// The number as an integer, where it is one that fits into 64 bits. Beyond
/// that all numbers are floats, and need no other form to be compared.
fn integer(number: &Number) -> Option<i128> {
    const BEYOND: f64 = 18_446_744_073_709_551_616.0;
    if let Some(integer) = number.as_i64() {
        return Some(integer.into());
    }
    if let Some(integer) = number.as_u64() {
        return Some(integer.into());
    }
    let float = number.as_f64()?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float without a fraction below 2^64 is an integer of 128 bits"
    )]
    (float.fract() == 0.0 && float.abs() < BEYOND).then_some(float as i128)
}
