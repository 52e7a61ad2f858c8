//! Structured text: JSON Lines, YAML and TOML as JSON, XML with its structure to see, HTML as text.

mod lines;
#[cfg(feature = "formats")]
mod toml;
#[cfg(feature = "formats")]
mod tree;
#[cfg(feature = "formats")]
mod xml;
#[cfg(feature = "formats")]
mod yaml;

use serde_json::Value;

use super::fault::Fault;

/// How a text is marked up, by the name of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Markup {
    /// One JSON value a line.
    JsonLines,
    /// YAML.
    Yaml,
    /// TOML.
    Toml,
    /// XML of any kind.
    Xml,
    /// HTML.
    Html,
    /// None of them.
    Other,
}

/// The markup that goes with an extension in lower case.
pub(crate) fn markup(extension: &str) -> Markup {
    match extension {
        "jsonl" | "ndjson" | "jsonlines" => Markup::JsonLines,
        "yaml" | "yml" => Markup::Yaml,
        "toml" => Markup::Toml,
        "xml" | "xsd" | "xsl" | "xslt" | "rss" | "atom" | "svg" | "kml" | "gpx" | "plist"
        | "wsdl" => Markup::Xml,
        "html" | "htm" | "xhtml" => Markup::Html,
        _ => Markup::Other,
    }
}

/// The value that a text stands for, where its markup has one; `None` for markup that is no data.
pub(crate) fn value(
    markup: Markup,
    text: &str,
    offset: usize,
    limit: usize,
) -> Option<Result<Value, Fault>> {
    match markup {
        Markup::JsonLines => Some(lines::read(text, offset, limit)),
        #[cfg(feature = "formats")]
        Markup::Yaml => Some(yaml::read(text)),
        #[cfg(feature = "formats")]
        Markup::Toml => Some(toml::read(text)),
        #[cfg(not(feature = "formats"))]
        Markup::Yaml | Markup::Toml => Some(Err(Fault::NotBuilt {
            feature: "formats".to_owned(),
        })),
        _ => None,
    }
}

/// A text in the form in which it is read best, and what must be said of it; `None` where that is as it stands.
pub(crate) fn readable(markup: Markup, text: &str) -> Option<(String, &'static str)> {
    match markup {
        #[cfg(feature = "formats")]
        Markup::Xml if xml::is_crammed(text) => {
            let indented = xml::indent(text).ok()?;
            Some((
                indented,
                "indented for reading; for the file as it is use the format `text`",
            ))
        }
        #[cfg(feature = "web")]
        Markup::Html => {
            let page = crate::web::extract(text, "about:blank", crate::web::Style::Markdown);
            Some((
                page.content,
                "the text of the page; for its source use the format `text`",
            ))
        }
        _ => {
            let _ = text;
            None
        }
    }
}
