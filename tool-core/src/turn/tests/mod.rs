//! What gates, keys and limits promise.

mod gate;
mod keys;
mod modelled;
mod rate;
mod reference;
mod threads;
