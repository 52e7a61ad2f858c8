//! Where the whole of a shortened result is kept.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::boundary;
use super::id::id;
use super::lines::Lines;
use super::read;
use crate::Tool;

/// The most bytes of an answer to a read.
pub(super) const READ_BYTES: usize = 32 * 1024;
/// A line longer than this is read in parts.
const LINE_BYTES: usize = 2_000;

/// Keeps the whole of results that were too large for the model, so that it
/// can read on with [the tool](Self::tool) `results-read_result`. A clone is
/// cheap and is the same store.
///
/// It holds at most 64 MiB, 1,000 results, each for at most an hour; the
/// oldest go first. Of a result larger than a quarter of the store only the
/// beginning is kept, and the model is told so. Nothing is written to disk.
///
/// A result has a name of 128 random bits, so that whoever was not given it
/// cannot read the result: one store may serve many conversations. What is
/// kept has been cleared of secrets before.
///
/// On bare wasm (`wasm32-unknown-unknown`), where there is no randomness, it
/// keeps nothing.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use tool_core::{Catalogue, ResultStore};
///
/// let store = ResultStore::new()
///     .max_bytes(16 * 1024 * 1024)
///     .max_age(Duration::from_secs(600));
/// assert!(store.is_empty());
///
/// let tools = Catalogue::new([store.tool()]).unwrap();
/// assert!(tools.get("results-read_result").is_some());
/// ```
#[derive(Clone)]
pub struct ResultStore {
    state: Arc<Mutex<State>>,
}

struct State {
    entries: HashMap<String, Arc<Entry>>,
    /// The names of the entries, oldest first.
    order: VecDeque<String>,
    bytes: usize,
    max_bytes: usize,
    max_entries: usize,
    max_age: Duration,
}

/// One result.
pub(super) struct Entry {
    pub(super) text: String,
    pub(super) lines: Lines,
    /// The most bytes of an answer that reads from it.
    pub(super) answer_bytes: usize,
    stored: Instant,
}

/// What came of keeping a result.
pub(super) struct Stored {
    pub(super) id: String,
    pub(super) entry: Arc<Entry>,
}

impl ResultStore {
    /// An empty store of 64 MiB and 1,000 results, each kept for an hour.
    pub fn new() -> Self {
        Self {
            state: Arc::new(Mutex::new(State {
                entries: HashMap::new(),
                order: VecDeque::new(),
                bytes: 0,
                max_bytes: 64 * 1024 * 1024,
                max_entries: 1_000,
                max_age: Duration::from_secs(60 * 60),
            })),
        }
    }

    /// How many bytes are kept at most, of all results together. 64 MiB by
    /// default. Holds for every clone of the store.
    #[must_use]
    pub fn max_bytes(self, bytes: usize) -> Self {
        self.set(|state| state.max_bytes = bytes)
    }

    /// How many results are kept at most. 1,000 by default. Holds for every
    /// clone of the store.
    #[must_use]
    pub fn max_entries(self, entries: usize) -> Self {
        self.set(|state| state.max_entries = entries)
    }

    /// How long a result is kept at most. An hour by default. Holds for every
    /// clone of the store.
    #[must_use]
    pub fn max_age(self, age: Duration) -> Self {
        self.set(|state| state.max_age = age)
    }

    fn set(self, change: impl FnOnce(&mut State)) -> Self {
        {
            let mut state = self.state();
            change(&mut state);
            state.make_room();
        }
        self
    }

    /// How many results are kept.
    pub fn len(&self) -> usize {
        self.state().entries.len()
    }

    /// Whether no result is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes the results take.
    pub fn bytes(&self) -> usize {
        self.state().bytes
    }

    /// Forgets all results.
    pub fn clear(&self) {
        let mut state = self.state();
        state.entries.clear();
        state.order.clear();
        state.bytes = 0;
    }

    /// The tool `results-read_result`, by which a model reads what is kept
    /// here: some lines of it, or the places that hold some words. It needs
    /// to be among the tools that the model is given.
    pub fn tool(&self) -> Tool {
        read::tool(self.clone())
    }

    /// Keeps a text, or its beginning, to be read in answers of at most so
    /// many bytes. `None` where the store has no room for anything of it.
    pub(super) fn keep(&self, mut text: String, answer_bytes: usize) -> Option<Stored> {
        let most = {
            let state = self.state();
            if state.max_entries == 0 {
                return None;
            }
            state.max_bytes / 4
        };
        text.truncate(boundary::before(&text, most));
        text.shrink_to_fit();
        if text.is_empty() {
            return None;
        }
        let id = id()?;
        // A whole line fits into an answer, and so does the widest character.
        let answer_bytes = answer_bytes.clamp(5, READ_BYTES);
        let entry = Arc::new(Entry {
            lines: Lines::new(&text, LINE_BYTES.min(answer_bytes - 1)),
            text,
            answer_bytes,
            stored: Instant::now(),
        });
        let mut state = self.state();
        state.bytes += entry.bytes();
        state.order.push_back(id.clone());
        state.entries.insert(id.clone(), Arc::clone(&entry));
        state.make_room();
        state
            .entries
            .contains_key(&id)
            .then_some(Stored { id, entry })
    }

    pub(super) fn get(&self, id: &str) -> Option<Arc<Entry>> {
        self.state().entries.get(id).cloned()
    }

    /// The state without what has expired.
    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves it whole: no code of others runs under the lock.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.expire();
        state
    }
}

impl State {
    fn expire(&mut self) {
        while let Some(oldest) = self.order.front() {
            match self.entries.get(oldest) {
                Some(entry) if entry.stored.elapsed() < self.max_age => return,
                _ => self.forget_oldest(),
            }
        }
    }

    fn make_room(&mut self) {
        self.expire();
        while self.bytes > self.max_bytes || self.entries.len() > self.max_entries {
            self.forget_oldest();
        }
    }

    fn forget_oldest(&mut self) {
        let oldest = self.order.pop_front();
        if let Some(entry) = oldest.and_then(|id| self.entries.remove(&id)) {
            self.bytes -= entry.bytes();
        }
    }
}

impl Entry {
    fn bytes(&self) -> usize {
        self.text.len() + self.lines.bytes()
    }
}

impl Default for ResultStore {
    fn default() -> Self {
        Self::new()
    }
}

/// What is kept is not shown, nor are the names by which it can be read.
impl fmt::Debug for ResultStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state();
        formatter
            .debug_struct("ResultStore")
            .field("results", &state.entries.len())
            .field("bytes", &state.bytes)
            .finish_non_exhaustive()
    }
}
