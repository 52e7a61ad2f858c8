//! The one tool that every contestant declares fifty times, and the call that
//! it gets.

use std::{error::Error, hint::black_box};

use serde::Serialize;

/// Whatever a contestant reports instead of an answer.
pub type Failure = Box<dyn Error + Send + Sync>;

/// The tool that is called: one in the middle of the fifty.
pub const TOOL: &str = "tool_25";

/// The arguments as a model writes them.
const ARGUMENTS: &str = r#"{"city":"Berlin","days":3}"#;

/// The arguments of one call, hidden from the optimiser.
pub fn arguments() -> &'static str {
    black_box(ARGUMENTS)
}

/// What every tool answers: what it was given, so that no work hides in it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "peers", derive(schemars::JsonSchema))]
pub struct Forecast {
    /// The city that was asked for.
    pub city: String,
    /// How many days were asked for, one if none were.
    pub days: u32,
}

impl Forecast {
    /// The body of every tool.
    pub fn new(city: String, days: Option<u32>) -> Self {
        Self {
            city,
            days: days.unwrap_or(1),
        }
    }
}

/// Whether this is an answer to [`arguments`], in whatever envelope the
/// contestant puts it.
pub fn is_answer(answer: &Result<String, Failure>) -> bool {
    answer
        .as_ref()
        .is_ok_and(|text| text.contains(r#""city":"Berlin""#) && text.contains(r#""days":3"#))
}

/// Passes fifty function names to a macro, each with the type name that some
/// peers' macros derive from it.
#[macro_export]
macro_rules! with_fifty_names {
    ($callback:ident) => {
        $callback! {
            tool_00 Tool00, tool_01 Tool01, tool_02 Tool02, tool_03 Tool03, tool_04 Tool04,
            tool_05 Tool05, tool_06 Tool06, tool_07 Tool07, tool_08 Tool08, tool_09 Tool09,
            tool_10 Tool10, tool_11 Tool11, tool_12 Tool12, tool_13 Tool13, tool_14 Tool14,
            tool_15 Tool15, tool_16 Tool16, tool_17 Tool17, tool_18 Tool18, tool_19 Tool19,
            tool_20 Tool20, tool_21 Tool21, tool_22 Tool22, tool_23 Tool23, tool_24 Tool24,
            tool_25 Tool25, tool_26 Tool26, tool_27 Tool27, tool_28 Tool28, tool_29 Tool29,
            tool_30 Tool30, tool_31 Tool31, tool_32 Tool32, tool_33 Tool33, tool_34 Tool34,
            tool_35 Tool35, tool_36 Tool36, tool_37 Tool37, tool_38 Tool38, tool_39 Tool39,
            tool_40 Tool40, tool_41 Tool41, tool_42 Tool42, tool_43 Tool43, tool_44 Tool44,
            tool_45 Tool45, tool_46 Tool46, tool_47 Tool47, tool_48 Tool48, tool_49 Tool49,
        }
    };
}

macro_rules! collect_names {
    ($($function:ident $type:ident),* $(,)?) => {
        /// The names of the fifty tools.
        pub const NAMES: [&str; 50] = [$(stringify!($function)),*];
    };
}

with_fifty_names!(collect_names);
