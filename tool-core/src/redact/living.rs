//! The values of all [`Secret`](crate::Secret)s that are alive.
//!
//! One registry a process: a secret that a state holds is a secret in the
//! result of any tool. It looks at texts and never runs code of others under
//! its lock, so that a secret may be dropped anywhere.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering as Memory};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use zeroize::Zeroizing;

use super::json::escaped;
use super::values::{FEW, SHORTEST, Values, find_one};

/// How many values there are, so that a program without any pays one load.
static COUNT: AtomicUsize = AtomicUsize::new(0);

static REGISTRY: RwLock<Registry> = RwLock::new(Registry {
    living: BTreeSet::new(),
    recent: BTreeSet::new(),
    built: None,
    stale: 0,
});

/// A value that is known as long as this lives.
pub(crate) struct Registration {
    entry: Entry,
    /// The value as JSON writes it, where that differs.
    escaped: Option<Entry>,
}

/// One value. The same text is one entry, however many secrets hold it.
#[derive(Clone)]
struct Entry(Arc<Value>);

struct Value {
    text: Zeroizing<String>,
    /// How many registrations there are; changes under the lock alone.
    registrations: AtomicUsize,
    is_alive: AtomicBool,
}

struct Registry {
    living: BTreeSet<Entry>,
    /// Those that are not built into the automaton yet.
    recent: BTreeSet<Entry>,
    built: Option<Values<Entry>>,
    /// How many of the built are not alive any more.
    stale: usize,
}

impl Registration {
    /// Makes a value known, or tells that it is too short to be looked for.
    pub(crate) fn new(text: &str) -> Option<Self> {
        if text.len() < SHORTEST {
            return None;
        }
        let escaped = escaped(text).map(Zeroizing::new);
        let mut registry = write();
        Some(Self {
            entry: registry.add(text),
            escaped: escaped.map(|text| registry.add(&text)),
        })
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut registry = write();
        registry.remove(&self.entry);
        if let Some(escaped) = &self.escaped {
            registry.remove(escaped);
        }
    }
}

impl Registry {
    fn add(&mut self, text: &str) -> Entry {
        if let Some(entry) = self.living.get(text) {
            entry.0.registrations.fetch_add(1, Memory::Relaxed);
            return entry.clone();
        }
        let entry = Entry(Arc::new(Value {
            text: Zeroizing::new(text.to_owned()),
            registrations: AtomicUsize::new(1),
            is_alive: AtomicBool::new(true),
        }));
        self.living.insert(entry.clone());
        self.recent.insert(entry.clone());
        COUNT.store(self.living.len(), Memory::Relaxed);
        entry
    }

    fn remove(&mut self, entry: &Entry) {
        if entry.0.registrations.fetch_sub(1, Memory::Relaxed) > 1 {
            return;
        }
        entry.0.is_alive.store(false, Memory::Relaxed);
        self.living.remove(entry);
        COUNT.store(self.living.len(), Memory::Relaxed);
        if !self.recent.remove(entry) {
            self.stale += 1;
            let built = self.built.as_ref().map_or(0, Values::len);
            if self.stale * 2 >= built {
                self.forget();
            }
        }
    }

    /// Throws the automaton away. The next search makes another where it needs one.
    fn forget(&mut self) {
        self.built = None;
        self.stale = 0;
        self.recent = self.living.clone();
    }

    fn build(&mut self) {
        self.built = Some(Values::new(self.living.iter().cloned()));
        self.stale = 0;
        self.recent.clear();
    }

    /// Whether too many are searched one by one. What may be grows with what
    /// is built, so that building costs little for each of many.
    fn is_behind(&self) -> bool {
        let built = self.built.as_ref().map_or(0, Values::len);
        self.recent.len() > FEW.max(built / 8)
    }
}

/// Whether any value is known.
pub(super) fn exist() -> bool {
    COUNT.load(Memory::Relaxed) > 0
}

/// Adds where the values are, in no order.
pub(super) fn find(text: &str, secrets: &mut Vec<Range<usize>>) {
    if !exist() || text.len() < SHORTEST {
        return;
    }
    let mut registry = read();
    if registry.is_behind() {
        drop(registry);
        let mut behind = write();
        if behind.is_behind() {
            behind.build();
        }
        drop(behind);
        registry = read();
    }
    if let Some(built) = &registry.built {
        built.find(text, secrets, |entry| {
            entry.0.is_alive.load(Memory::Relaxed)
        });
    }
    for entry in &registry.recent {
        find_one(&entry.0.text, text, secrets);
    }
}

// A panic under the lock could come from want of memory alone, and leaves
// nothing half done that matters.
fn read() -> RwLockReadGuard<'static, Registry> {
    REGISTRY.read().unwrap_or_else(PoisonError::into_inner)
}

fn write() -> RwLockWriteGuard<'static, Registry> {
    REGISTRY.write().unwrap_or_else(PoisonError::into_inner)
}

impl AsRef<str> for Entry {
    fn as_ref(&self) -> &str {
        &self.0.text
    }
}

impl Borrow<str> for Entry {
    fn borrow(&self) -> &str {
        self.as_ref()
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.as_ref() == other.as_ref()
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_ref().cmp(other.as_ref())
    }
}

impl fmt::Debug for Registration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Registration")
    }
}
