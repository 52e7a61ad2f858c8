//! What the benchmarks share: the [harness] that takes interleaved samples,
//! the [workload] that every contestant runs, and the contestants that are
//! not ours, written by [hand] or with another crate ([`peers`]).
//!
//! They live in the library, and ours in the binaries, because some peers
//! cost a CPU minute whenever the crate that names them is rebuilt.

pub mod hand;
pub mod harness;
#[cfg(feature = "peers")]
pub mod peers;
pub mod workload;
