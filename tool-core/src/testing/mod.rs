//! Tests for tools.

mod strategy;

pub use proptest;

pub use strategy::{Fault, FaultyArguments, ValidArguments, faulty_arguments, valid_arguments};
