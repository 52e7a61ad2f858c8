//! A file that a tool gives back.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// A file that a tool gives back: an image, a document, a recording.
///
/// The content is reference counted, so a clone is cheap. It serialises with
/// its content in base64.
///
/// # Examples
///
/// ```
/// use tool_core::File;
///
/// let file = File::new("report.csv", "text/csv", "a,b\n1,2\n").with_description("the report");
/// assert_eq!(
///     serde_json::to_value(&file).unwrap(),
///     serde_json::json!({
///         "filename": "report.csv",
///         "content": "YSxiCjEsMgo=",
///         "mime_type": "text/csv",
///         "description": "the report",
///     }),
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct File {
    /// The name, without folders.
    pub filename: String,
    /// The bytes.
    pub content: Bytes,
    /// The media type, such as `image/png`, without parameters.
    pub mime_type: String,
    /// What the file is, for the model.
    pub description: Option<String>,
}

impl File {
    /// A file without a description.
    pub fn new(
        filename: impl Into<String>,
        mime_type: impl Into<String>,
        content: impl Into<Bytes>,
    ) -> Self {
        Self {
            filename: filename.into(),
            content: content.into(),
            mime_type: mime_type.into(),
            description: None,
        }
    }

    /// Adds what the file is, for the model.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }
}

impl Serialize for File {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = 3 + usize::from(self.description.is_some());
        let mut file = serializer.serialize_struct("File", fields)?;
        file.serialize_field("filename", &self.filename)?;
        file.serialize_field("content", &STANDARD.encode(&self.content))?;
        file.serialize_field("mime_type", &self.mime_type)?;
        if let Some(description) = &self.description {
            file.serialize_field("description", description)?;
        }
        file.end()
    }
}

/// The size stands for the content, which may be large or private.
impl fmt::Debug for File {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("File")
            .field("filename", &self.filename)
            .field("bytes", &self.content.len())
            .field("mime_type", &self.mime_type)
            .field("description", &self.description)
            .finish_non_exhaustive()
    }
}
