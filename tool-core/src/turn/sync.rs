//! The lock of gates and keys: the tests compile both a second time with the
//! lock of a model checker in its place.

pub(super) use std::sync::{Mutex, MutexGuard};
