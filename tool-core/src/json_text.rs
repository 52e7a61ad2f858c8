//! JSON that is already text.

use std::fmt;

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// A JSON value that is already text, as a tool's result is when it leaves the
/// tool. It serialises as the value that it is, not as a string.
///
/// # Examples
///
/// ```
/// use tool_core::JsonText;
///
/// let text = JsonText::new(&[1, 2]).unwrap();
/// assert_eq!(text.as_str(), "[1,2]");
/// assert_eq!(serde_json::to_string(&(text, 3)).unwrap(), "[[1,2],3]");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct JsonText {
    // Not a `RawValue`: that gives back the spare memory of the text, which
    // costs more than all the rest of a small result.
    text: String,
}

impl JsonText {
    /// A value as text.
    ///
    /// # Errors
    ///
    /// When the value cannot be written as JSON, such as a map whose keys are not strings.
    pub fn new<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        serde_json::to_string(value).map(|text| Self { text })
    }

    /// Text that is known to be JSON.
    pub(crate) fn trusted(text: String) -> Self {
        Self { text }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text.
    pub fn into_string(self) -> String {
        self.text
    }
}

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: &RawValue = serde_json::from_str(&self.text).map_err(S::Error::custom)?;
        value.serialize(serializer)
    }
}

impl fmt::Display for JsonText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl fmt::Debug for JsonText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "JsonText({})", self.text)
    }
}
