//! The pieces of a result, and files as text can carry them.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::file::File;
use crate::outcome::Outcome;
use crate::output::Content;
use crate::schema::describe;

/// What stands for a result without content: several providers refuse an empty one.
pub(super) const NO_OUTPUT: &str = "(no output)";

/// One piece of what the model reads.
#[derive(Debug)]
pub(super) enum Piece<'a> {
    Text(Cow<'a, str>),
    Json(&'a str),
    File(&'a File),
}

/// The pieces of a result in order; an error is one text.
pub(super) fn pieces(outcome: &Outcome) -> Vec<Piece<'_>> {
    match &outcome.result {
        Ok(output) => output
            .content()
            .iter()
            .map(|content| match content {
                Content::Text(text) | Content::Note(text) => Piece::Text(Cow::Borrowed(text)),
                Content::Json(json) => Piece::Json(json.as_str()),
                Content::File(file) => Piece::File(file),
            })
            .collect(),
        Err(error) => vec![Piece::Text(Cow::Owned(error.to_model()))],
    }
}

/// All text of a result, with a line for each file that `is_sent` does not
/// take; never empty.
pub(super) fn text(outcome: &Outcome, mut is_sent: impl FnMut(&File) -> bool) -> String {
    let mut text = outcome.text().into_owned();
    for file in outcome.files().filter(|file| !is_sent(file)) {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&mention(file));
    }
    if text.is_empty() {
        text.push_str(NO_OUTPUT);
    }
    text
}

/// A file in words, where a provider cannot take the file itself.
pub(super) fn mention(file: &File) -> String {
    let mut words = format!(
        "[file {}: {}, {}]",
        describe::name(&file.filename),
        describe::name(&file.mime_type),
        describe::count(file.content.len(), "byte")
    );
    if let Some(description) = &file.description {
        words.push(' ');
        words.push_str(description);
    }
    words
}

/// The media type in lower case and without parameters.
pub(super) fn media_type(file: &File) -> String {
    let essence = file.mime_type.split(';').next().unwrap_or_default().trim();
    match essence.to_ascii_lowercase().as_str() {
        "image/jpg" => "image/jpeg".to_owned(),
        other => other.to_owned(),
    }
}

pub(super) fn base64(file: &File) -> String {
    STANDARD.encode(&file.content)
}

/// `data:image/png;base64,…`
pub(super) fn data_url(file: &File) -> String {
    format!("data:{};base64,{}", media_type(file), base64(file))
}

/// Images that all providers but Gemini take.
pub(super) fn is_image(media_type: &str) -> bool {
    ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(&media_type)
}

/// The file as text, where it is of a textual type and is text.
pub(super) fn as_text<'a>(file: &'a File, media_type: &str) -> Option<&'a str> {
    let textual = media_type.starts_with("text/")
        || [
            "application/json",
            "application/xml",
            "application/yaml",
            "application/x-yaml",
            "application/toml",
            "application/javascript",
        ]
        .contains(&media_type)
        || media_type.ends_with("+json")
        || media_type.ends_with("+xml");
    if textual && !file.content.is_empty() {
        std::str::from_utf8(&file.content).ok()
    } else {
        None
    }
}

/// JSON text as a value, where it is an object.
pub(super) fn as_object(json: &str) -> Option<Value> {
    serde_json::from_str::<Value>(json)
        .ok()
        .filter(Value::is_object)
}
