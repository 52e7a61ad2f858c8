//! Bytes to text that is safe to show: which encoding, which type, and what is taken out.

pub(crate) mod clean;
pub(crate) mod decode;
pub(crate) mod kind;
