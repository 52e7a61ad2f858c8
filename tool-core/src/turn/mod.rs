//! Waiting for a turn: so many calls at a time, one at a time for equal
//! arguments, so many calls in a period.
//!
//! [`Gate`] and [`Keys`] know no runtime: they are locks and wakers alone.
//! [`RateLimit`] sleeps, and so needs tokio's clock.

mod gate;
mod keys;
mod rate;
mod sync;
#[cfg(test)]
mod tests;

pub(crate) use gate::{Entry, Gate, Pass};
#[cfg(test)]
pub(crate) use gate::{Marker, Stuck};
pub(crate) use keys::Keys;
pub(crate) use rate::RateLimit;
