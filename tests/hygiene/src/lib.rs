//! Tools in a crate that takes every name away and denies every lint.
//!
//! It depends on `tool-core` alone, under another name. That it compiles is the test.

#![forbid(unsafe_code)]
#![deny(
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    unused,
    unused_qualifications,
    non_camel_case_types,
    clippy::all,
    clippy::pedantic
)]

use ::std::sync::Arc as SharedPointer;

pub use renamed as facade;

/// Not the one of the prelude.
#[derive(Debug)]
pub enum Option {
    /// Not `None`.
    Nothing,
}
/// Not the one of the prelude.
#[derive(Debug)]
pub struct Result;
/// Not the one of the prelude.
#[derive(Debug)]
pub struct String;
/// Not the one of the prelude.
#[derive(Debug)]
pub struct Vec;
/// Not the one of the prelude.
#[derive(Debug)]
pub struct Box;
/// Not the one of the prelude.
#[derive(Debug)]
pub struct Arc;
/// Not the marker.
pub trait Send {}
/// Not the marker.
pub trait Sync {}
/// Not the trait.
pub trait Future {}
/// Not the conversions.
pub trait Into {}
/// Not a function of the prelude.
#[must_use]
pub const fn drop() -> u8 {
    0
}
/// Not the standard library.
pub mod std {}
/// Not the core library.
pub mod core {}
/// Not the allocation library.
pub mod alloc {}
/// Not the crate.
pub mod serde {}
/// Not the crate.
pub mod schemars {}
/// Not the crate.
pub mod tool_core {}
/// Not the crate.
pub mod inventory {}

type Text = ::std::string::String;
type Maybe<T> = ::std::option::Option<T>;

/// A point.
#[derive(Debug, facade::serde::Deserialize, facade::schemars::JsonSchema)]
#[serde(crate = "crate::facade::serde")]
#[schemars(crate = "crate::facade::schemars")]
pub struct Point {
    /// East.
    pub x: f64,
}

/// Measure something.
///
/// Slowly.
///
/// # Errors
///
/// Never; the model is not told of this section.
#[renamed::tool(
    name = "hygiene-measure",
    title = "Measure",
    timeout = 1.5,
    read_only,
    tags("a"),
    meta(level = 1),
    crate = renamed
)]
pub async fn measure(
    /// Where.
    point: Point,
    /// How often.
    #[tool(default = 3, example = 4)]
    #[schemars(range(min = 1, max = 5))]
    times: u8,
    /// A word.
    #[tool(default = "x")]
    #[schemars(length(min = 1))]
    word: Text,
    /// Perhaps.
    perhaps: Maybe<bool>,
    #[tool(state)] unit: &Text,
    context: &renamed::Context,
) -> ::std::result::Result<Text, renamed::ToolError> {
    pause().await;
    Ok(format!(
        "{}{times}{word}{perhaps:?}{unit}{}",
        point.x,
        context.call_id()
    ))
}

/// Whether a point is far.
#[expect(clippy::ref_option, reason = "a condition is given references")]
fn is_far(point: &Point, far: &Maybe<f64>) -> bool {
    point.x > far.unwrap_or(10.0)
}

/// Go somewhere.
#[renamed::tool(
    approval_if = is_far,
    sequential(key = "point"),
    concurrency = 2,
    rate = "3/s",
    max_output = 100,
    retries = 1,
    crate = renamed
)]
#[must_use]
pub fn travel(
    /// Where to.
    point: Point,
    /// What is far.
    far: Maybe<f64>,
) -> bool {
    is_far(&point, &far)
}

fn is_west(point: &Point) -> bool {
    point.x < 0.0
}

/// Go west.
#[facade::tool(approval_if = is_west, sequential, crate = crate::facade)]
#[must_use]
pub fn west(Point { x }: Point) -> f64 {
    x
}

async fn pause() {
    ::std::future::ready(()).await;
}

/// Take all as one.
#[facade::tool(crate = crate::facade)]
#[must_use]
pub fn whole(Point { x }: Point) -> f64 {
    x
}

mod private {
    /// A public tool in a private module.
    #[renamed::tool(crate = renamed)]
    pub(crate) fn hidden() {}
}

/// An object with tools.
#[derive(Debug)]
pub struct Object {
    /// Its number.
    pub number: u8,
}

#[renamed::toolbox(crate = renamed)]
impl Object {
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "a condition is given references"
    )]
    const fn is_large(amount: &u8) -> bool {
        *amount > 9
    }

    /// Tell the number.
    #[tool]
    #[must_use]
    pub fn number(&self) -> u8 {
        self.number
    }

    /// Add to the number.
    #[tool(approval_if = Self::is_large)]
    pub async fn add(
        &self,
        /// How much.
        amount: u8,
    ) -> u8 {
        pause().await;
        self.number + amount
    }
}

/// Every tool of this crate.
#[must_use]
pub fn catalogue() -> renamed::Catalogue {
    /// A tool inside a function.
    #[renamed::tool(crate = renamed)]
    fn inner(
        /// A number.
        number: u8,
    ) -> u8 {
        number
    }

    let declared = renamed::tools![measure, travel, west, whole, private::hidden, inner];
    let object = SharedPointer::new(Object { number: 1 });
    renamed::Catalogue::new(declared)
        .and_then(|catalogue| catalogue.with(object.tools()))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_tools_are_there() {
        let catalogue = super::catalogue();
        let names: ::std::vec::Vec<&str> = catalogue.names().collect();
        assert_eq!(
            names,
            [
                "add",
                "hidden",
                "hygiene-measure",
                "inner",
                "number",
                "travel",
                "west",
                "whole"
            ]
        );
    }
}
