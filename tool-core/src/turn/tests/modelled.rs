//! Gates and keys with the lock of a model checker.
#![allow(
    dead_code,
    reason = "the same files as outside, of which the model needs less"
)]

#[allow(clippy::duplicate_mod, reason = "what is modelled is the code itself")]
#[path = "../gate.rs"]
mod gate;
#[allow(clippy::duplicate_mod, reason = "what is modelled is the code itself")]
#[path = "../keys.rs"]
mod keys;

mod sync {
    pub(super) use shuttle::sync::{Mutex, MutexGuard};
}

pub(super) use gate::{Entry, Gate, Stuck};
pub(super) use keys::Keys;
