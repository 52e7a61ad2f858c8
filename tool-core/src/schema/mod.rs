//! JSON Schemas: the canonical form that native tools get, and words for people.

pub(crate) mod canonical;
pub(crate) mod describe;
mod lean;
mod numbers;
mod references;
mod walk;

pub(crate) use lean::{Keeps, lean};
pub(crate) use references::{inlined, is_recursive, target};
pub(crate) use walk::{accepts_null, join, resolve};
