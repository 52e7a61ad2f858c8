//! All that the expansions of the macros use. Not part of the public interface.

pub use std::boxed::Box;
pub use std::option::Option;
pub use std::result::Result;
pub use std::string::String;
pub use std::sync::{Arc, OnceLock};
pub use std::time::Duration;
pub use std::vec::Vec;

pub use inventory;
pub use schemars::{JsonSchema, Schema, SchemaGenerator};
pub use serde;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

pub use crate::args::Args;
pub use crate::arguments::{RepairMode, is_optional};
pub use crate::declaration::{
    ApprovalIf, Declaration, Input, Options, Parameter, Refinement, Shape, Site, StateType,
};
pub use crate::definition::{Annotations, Kind, Rate};
pub use crate::error::ToolError;
pub use crate::invocation::{Invocation, Mismatch, Work, type_id};
pub use crate::output::{IntoOutput, Output};
pub use crate::tool::{Blueprint, Handle, Tool};
pub use std::any::type_name;

/// A type that a model's argument can become.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a tool",
    label = "needs `Deserialize` and `JsonSchema`",
    note = "derive both for a type of your own, \
            `#[derive(tool_core::serde::Deserialize, tool_core::schemars::JsonSchema)]`, \
            or mark what the model must not see: `#[tool(state)]` or `#[tool(context)]`"
)]
pub trait ToolParameter: Sized {
    /// What the type is to a model.
    const SHAPE: &'static Shape;
    /// The schema of the type.
    fn schema(generator: &mut SchemaGenerator) -> Schema;
    /// The argument of the parameter with this index.
    fn take(call: &Invocation<'_>, index: usize) -> Result<Self, Mismatch>;
    /// The same, or its default.
    fn take_or(
        call: &Invocation<'_>,
        index: usize,
        default: fn() -> Self,
    ) -> Result<Self, Mismatch>;
    /// All arguments.
    fn whole(call: &Invocation<'_>) -> Result<Self, Mismatch>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> ToolParameter for T {
    const SHAPE: &'static Shape = &Shape {
        schema: Self::schema,
        optional: is_optional::<T>,
    };

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }

    fn take(call: &Invocation<'_>, index: usize) -> Result<Self, Mismatch> {
        call.argument(index)
    }

    fn take_or(
        call: &Invocation<'_>,
        index: usize,
        default: fn() -> Self,
    ) -> Result<Self, Mismatch> {
        call.argument_or(index, default)
    }

    fn whole(call: &Invocation<'_>) -> Result<Self, Mismatch> {
        call.whole()
    }
}

/// The schema of a type that is read in another way than by its own `Deserialize`.
pub fn schema_only<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Puts one entry of `meta(…)` in.
pub fn add_meta<T: Serialize>(meta: &mut Map<String, Value>, key: &str, value: T) {
    meta.insert(key.to_owned(), json!(value));
}

impl Refinement<'_> {
    /// Says what a parameter that is not sent becomes.
    pub fn default<T: Serialize>(&mut self, value: &T) {
        self.has_default = true;
        // A default that JSON cannot say is still applied.
        if let Ok(value) = serde_json::to_value(value) {
            self.schema.insert("default".to_owned(), value);
        }
    }

    /// Adds an example.
    pub fn example<T: Serialize>(&mut self, value: &T) {
        let Ok(value) = serde_json::to_value(value) else {
            return;
        };
        let examples = self.schema.entry("examples").or_insert_with(|| json!([]));
        if let Value::Array(examples) = examples {
            examples.push(value);
        }
    }

    /// Sets a keyword such as `minimum`.
    pub fn keyword<T: Serialize + ?Sized>(&mut self, keyword: &str, value: &T) {
        if let Ok(value) = serde_json::to_value(value) {
            self.schema.insert(keyword.to_owned(), value);
        }
    }

    /// Sets the least and the greatest length, of whatever the type has.
    pub fn length(&mut self, minimum: Option<u64>, maximum: Option<u64>) {
        let (least, greatest) = match self.schema.get("type").and_then(Value::as_str) {
            Some("array") => ("minItems", "maxItems"),
            Some("object") => ("minProperties", "maxProperties"),
            _ => ("minLength", "maxLength"),
        };
        if let Some(minimum) = minimum {
            self.keyword(least, &minimum);
        }
        if let Some(maximum) = maximum {
            self.keyword(greatest, &maximum);
        }
    }

    /// Sets a pattern, from a string or from anything that prints as one.
    pub fn pattern<T: ToString + ?Sized>(&mut self, pattern: &T) {
        self.keyword("pattern", &pattern.to_string());
    }

    /// Sets a pattern that any string with this text in it matches.
    pub fn contains<T: ToString + ?Sized>(&mut self, text: &T) {
        let mut pattern = String::new();
        for character in text.to_string().chars() {
            if r"\.+*?()|[]{}^$".contains(character) {
                pattern.push('\\');
            }
            pattern.push(character);
        }
        self.keyword("pattern", &pattern);
    }

    /// The same for the items of an array.
    pub fn inner(&mut self, refine: fn(&mut Refinement<'_>)) {
        if let Some(Value::Object(items)) = self.schema.get_mut("items") {
            refine(&mut Refinement {
                schema: items,
                has_default: false,
            });
        }
    }
}

/// Says that a future can move between threads, at the span of the function.
pub fn send<F: Future<Output = Result<Output, ToolError>> + Send + 'static>(future: F) -> Work {
    Work::Async(Box::pin(future))
}

/// A sync function with its arguments.
pub fn blocking<F: FnOnce() -> Result<Output, ToolError> + Send + 'static>(function: F) -> Work {
    Work::Blocking(Box::new(function))
}
