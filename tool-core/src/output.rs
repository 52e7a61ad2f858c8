//! What a tool gives back, and the return types that become it.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use crate::{File, JsonText, ToolError};

/// One piece of a tool's result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Content {
    /// Text for the model.
    Text(String),
    /// A JSON value, already as text.
    Json(JsonText),
    /// A file. It never enters the text that the model reads. Boxed, to keep
    /// the others small.
    File(Box<File>),
    /// A remark to the model about the result, such as that it was cut. The
    /// model reads it after the rest; it is no part of the result.
    Note(String),
}

impl Content {
    /// A JSON piece.
    ///
    /// # Errors
    ///
    /// When the value cannot be written as JSON, such as a map whose keys are not strings.
    pub fn json<T: Serialize + ?Sized>(value: &T) -> Result<Self, ToolError> {
        match JsonText::new(value) {
            Ok(text) => Ok(Self::Json(text)),
            Err(error) => Err(ToolError::new(format!(
                "the tool's result cannot be written as JSON: {error}"
            ))),
        }
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<File> for Content {
    fn from(file: File) -> Self {
        Self::File(Box::new(file))
    }
}

/// What a tool gives back: pieces of content in order.
#[derive(Clone, Debug, Default)]
pub struct Output {
    content: Vec<Content>,
}

impl Output {
    /// The pieces in order.
    pub fn content(&self) -> &[Content] {
        &self.content
    }

    pub(crate) fn content_mut(&mut self) -> &mut Vec<Content> {
        &mut self.content
    }

    /// The files in order.
    pub fn files(&self) -> impl Iterator<Item = &File> {
        self.content.iter().filter_map(|content| match content {
            Content::File(file) => Some(&**file),
            _ => None,
        })
    }

    /// The one JSON value of the result, where there is exactly one piece of
    /// text or JSON and it is JSON.
    pub fn json(&self) -> Option<&JsonText> {
        let mut pieces = self
            .content
            .iter()
            .filter(|content| !matches!(content, Content::File(_) | Content::Note(_)));
        match (pieces.next(), pieces.next()) {
            (Some(Content::Json(json)), None) => Some(json),
            _ => None,
        }
    }

    /// The same as [`text`](Self::text), without a copy where it is one piece.
    pub fn into_text(mut self) -> String {
        match (self.content.pop(), self.content.is_empty()) {
            (None, _) => String::new(),
            (Some(Content::Text(text)), true) => text,
            (Some(Content::Json(json)), true) => json.into_string(),
            (Some(last), _) => {
                self.content.push(last);
                self.text().into_owned()
            }
        }
    }

    /// All text and JSON and all notes, one piece a line. Files are left out.
    pub fn text(&self) -> Cow<'_, str> {
        let mut pieces = self.content.iter().filter_map(|content| match content {
            Content::Text(text) => Some(text.as_str()),
            Content::Json(json) => Some(json.as_str()),
            Content::File(_) => None,
            Content::Note(note) => Some(note.as_str()),
        });
        let Some(first) = pieces.next() else {
            return Cow::Borrowed("");
        };
        let Some(second) = pieces.next() else {
            return Cow::Borrowed(first);
        };
        let mut text = format!("{first}\n{second}");
        for piece in pieces {
            text.push('\n');
            text.push_str(piece);
        }
        Cow::Owned(text)
    }
}

impl<C: Into<Content>> From<C> for Output {
    fn from(content: C) -> Self {
        Self {
            content: vec![content.into()],
        }
    }
}

impl FromIterator<Content> for Output {
    fn from_iter<I: IntoIterator<Item = Content>>(content: I) -> Self {
        Self {
            content: content.into_iter().collect(),
        }
    }
}

impl Extend<Content> for Output {
    fn extend<I: IntoIterator<Item = Content>>(&mut self, content: I) {
        self.content.extend(content);
    }
}

/// A JSON result of type `T`, which also gives the tool an output schema.
///
/// # Examples
///
/// ```
/// use schemars::JsonSchema;
/// use serde::Serialize;
/// use tool_core::{Json, tool};
///
/// #[derive(Serialize, JsonSchema)]
/// struct Sum {
///     total: i64,
/// }
///
/// /// Add two numbers.
/// #[tool]
/// fn add(
///     /// The first number.
///     a: i32,
///     /// The second number.
///     b: i32,
/// ) -> Json<Sum> {
///     Json(Sum { total: i64::from(a) + i64::from(b) })
/// }
/// # fn main() {}
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Json<T>(pub T);

/// A type that a tool may return.
///
/// Text: `String`, `&'static str`, `Cow<'static, str>`, `()` (the text
/// `Done.`). JSON: numbers, `bool`, [`serde_json::Value`], [`Json<T>`].
/// Files: [`File`], `Vec<File>`, `(R, Vec<File>)`. Any mix: `Vec<Content>`,
/// [`Output`]. And `Option<R>` (`None` is the JSON `null`) and `Result<R, E>`
/// with `E: Into<ToolError>` of all of those.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    label = "not a type that a tool may return",
    note = "return `String`, `&'static str`, `()`, a number, `bool`, `serde_json::Value`, `File`, \
            `Vec<File>`, `(R, Vec<File>)`, `Vec<Content>`, `Option<R>`, or `Result<R, E>` of one \
            of those, where any `std::error::Error` will do as `E`",
    note = "for a type of your own, derive `Serialize` and `JsonSchema` and return `Json<{Self}>`"
)]
pub trait IntoOutput {
    /// The result as pieces of content.
    ///
    /// # Errors
    ///
    /// The tool's own error, or one that says why the value cannot be written as JSON.
    fn into_output(self) -> Result<Output, ToolError>;

    /// The JSON Schema of the result, where the type has one.
    fn output_schema(_generator: &mut SchemaGenerator) -> Option<Schema>
    where
        Self: Sized,
    {
        None
    }
}

impl IntoOutput for Output {
    fn into_output(self) -> Result<Output, ToolError> {
        Ok(self)
    }
}

impl IntoOutput for Vec<Content> {
    fn into_output(self) -> Result<Output, ToolError> {
        Ok(Output { content: self })
    }
}

impl IntoOutput for () {
    fn into_output(self) -> Result<Output, ToolError> {
        // Several providers refuse an empty result.
        Ok(Output::from("Done."))
    }
}

macro_rules! text_into_output {
    ($($text:ty),*) => {$(
        impl IntoOutput for $text {
            fn into_output(self) -> Result<Output, ToolError> {
                Ok(Output::from(String::from(self)))
            }
        }
    )*};
}

text_into_output!(String, &'static str, Box<str>, Cow<'static, str>);

macro_rules! json_into_output {
    ($($json:ty),*) => {$(
        impl IntoOutput for $json {
            fn into_output(self) -> Result<Output, ToolError> {
                Ok(Output::from(Content::json(&self)?))
            }
        }
    )*};
}

json_into_output!(
    bool, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64, Value
);

impl<T: Serialize + JsonSchema> IntoOutput for Json<T> {
    fn into_output(self) -> Result<Output, ToolError> {
        Ok(Output::from(Content::json(&self.0)?))
    }

    fn output_schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(generator.subschema_for::<T>())
    }
}

impl IntoOutput for File {
    fn into_output(self) -> Result<Output, ToolError> {
        Ok(Output::from(self))
    }
}

impl IntoOutput for Vec<File> {
    fn into_output(self) -> Result<Output, ToolError> {
        Ok(self.into_iter().map(Content::from).collect())
    }
}

impl<R: IntoOutput> IntoOutput for (R, Vec<File>) {
    fn into_output(self) -> Result<Output, ToolError> {
        let mut output = self.0.into_output()?;
        output.content.extend(self.1.into_iter().map(Content::from));
        Ok(output)
    }

    fn output_schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        R::output_schema(generator)
    }
}

impl<R: IntoOutput> IntoOutput for Option<R> {
    fn into_output(self) -> Result<Output, ToolError> {
        match self {
            Some(value) => value.into_output(),
            None => Value::Null.into_output(),
        }
    }

    fn output_schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        let schema = R::output_schema(generator)?;
        Some(schemars::json_schema!({ "anyOf": [schema, { "type": "null" }] }))
    }
}

impl<R: IntoOutput, E: Into<ToolError>> IntoOutput for Result<R, E> {
    fn into_output(self) -> Result<Output, ToolError> {
        match self {
            Ok(value) => value.into_output(),
            Err(error) => Err(error.into()),
        }
    }

    fn output_schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        R::output_schema(generator)
    }
}
