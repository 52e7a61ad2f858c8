//! A filter that gives up after so many tries.

use std::fmt;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::strategy::{NewTree, ValueTree};
use proptest::test_runner::TestRunner;

/// What `keep` makes of the values of a strategy; where it refuses too many
/// in a row, an error instead of a hang.
pub(super) struct Bounded<S, F> {
    source: S,
    tries: usize,
    /// What is looked for, for the error.
    what: &'static str,
    keep: Arc<F>,
}

impl<S, F> Bounded<S, F> {
    pub(super) fn new(source: S, tries: usize, what: &'static str, keep: F) -> Self {
        Self {
            source,
            tries,
            what,
            keep: Arc::new(keep),
        }
    }
}

impl<S: Clone, F> Clone for Bounded<S, F> {
    fn clone(&self) -> Self {
        Self {
            source: self.source.clone(),
            tries: self.tries,
            what: self.what,
            keep: Arc::clone(&self.keep),
        }
    }
}

impl<S: fmt::Debug, F> fmt::Debug for Bounded<S, F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Bounded")
            .field("source", &self.source)
            .finish_non_exhaustive()
    }
}

impl<S, F, T> Strategy for Bounded<S, F>
where
    S: Strategy,
    F: Fn(S::Value) -> Option<T>,
    T: Clone + fmt::Debug,
{
    type Tree = Tree<S::Tree, F, T>;
    type Value = T;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        for _ in 0..self.tries {
            let source = self.source.new_tree(runner)?;
            if let Some(shown) = (self.keep)(source.current()) {
                return Ok(Tree {
                    source,
                    keep: Arc::clone(&self.keep),
                    shown,
                });
            }
            // Counted for the whole run as well.
            runner.reject_local(self.what)?;
        }
        Err(format!(
            "cannot generate {}: none in {} tries is accepted",
            self.what, self.tries
        )
        .into())
    }
}

/// A value that is kept, and the way to smaller ones.
pub(super) struct Tree<S, F, T> {
    source: S,
    keep: Arc<F>,
    shown: T,
}

impl<S, F, T> Tree<S, F, T>
where
    S: ValueTree,
    F: Fn(S::Value) -> Option<T>,
{
    /// Goes back to the first value that is kept.
    fn settle(&mut self) -> bool {
        loop {
            if let Some(shown) = (self.keep)(self.source.current()) {
                self.shown = shown;
                return true;
            }
            if !self.source.complicate() {
                return false;
            }
        }
    }
}

impl<S, F, T> ValueTree for Tree<S, F, T>
where
    S: ValueTree,
    F: Fn(S::Value) -> Option<T>,
    T: Clone + fmt::Debug,
{
    type Value = T;

    fn current(&self) -> T {
        self.shown.clone()
    }

    fn simplify(&mut self) -> bool {
        self.source.simplify() && self.settle()
    }

    fn complicate(&mut self) -> bool {
        self.source.complicate() && self.settle()
    }
}
