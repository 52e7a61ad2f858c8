//! The general validator, for schemas that the quick checks do not understand.

use std::fmt;

use serde_json::Value;

use super::plan::{Origin, SchemaError};
use super::secrets::Hidden;
use super::{Problem, diagnose};

/// A schema compiled by the `jsonschema` crate.
pub(crate) struct Validator {
    compiled: jsonschema::Validator,
}

impl fmt::Debug for Validator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Validator")
    }
}

impl Validator {
    /// Compiles a schema. References to other documents are never fetched.
    pub(crate) fn new(schema: &Value, origin: Origin) -> Result<Self, SchemaError> {
        let mut options = jsonschema::options();
        if origin == Origin::Declared {
            options = options.should_validate_formats(true);
        }
        match options.build(schema) {
            Ok(compiled) => Ok(Self { compiled }),
            Err(error) => Err(SchemaError::Invalid(error.to_string())),
        }
    }

    pub(crate) fn accepts(&self, value: &Value) -> bool {
        self.compiled.is_valid(value)
    }

    /// Every problem that the validator sees, for those that we have no words for.
    pub(crate) fn problems(&self, value: &Value, hidden: Option<&Hidden>) -> Vec<Problem> {
        self.compiled
            .iter_errors(value)
            .take(diagnose::MOST_PROBLEMS)
            .map(|error| {
                use jsonschema::error::ValidationErrorKind as Kind;

                let path = path(error.instance_path().as_str());
                let got = diagnose::got(hidden, error.instance(), &path);
                let message = match error.kind() {
                    Kind::Pattern { pattern } => {
                        format!("expected a string that matches `{pattern}`, got {got}")
                    }
                    Kind::Format { format } => {
                        format!("expected a string in the format `{format}`, got {got}")
                    }
                    Kind::UniqueItems => format!("expected items that all differ, got {got}"),
                    Kind::MultipleOf { multiple_of } => {
                        format!("expected a multiple of {multiple_of}, got {got}")
                    }
                    // The value is left out: it may be long.
                    _ => error.masked_with(got).to_string(),
                };
                Problem::new(path, message)
            })
            .collect()
    }
}

/// A JSON pointer as a path of ours: `/tags/2` is `tags[2]`.
fn path(pointer: &str) -> String {
    let mut path = String::new();
    for segment in pointer.split('/').skip(1) {
        let segment = segment.replace("~1", "/").replace("~0", "~");
        if !path.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit()) {
            path.push_str(&format!("[{segment}]"));
        } else {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(&segment);
        }
    }
    path
}
