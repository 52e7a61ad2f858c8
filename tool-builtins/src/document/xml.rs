//! XML, walked from front to back: bounded in depth, no entity is ever expanded, and nothing outside is fetched.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::bounds::DEPTH;
use super::fault::Fault;

/// One step of a walk.
pub(crate) enum Node<'a> {
    /// An element begins.
    Open(Element<'a>),
    /// The element that was open ends.
    Close,
    /// Characters; one run of text may come in several pieces.
    Text(Cow<'a, str>),
}

/// The start of an element.
pub(crate) struct Element<'a>(BytesStart<'a>);

/// A walk over the text of one XML part.
pub(crate) struct Walk<'a> {
    reader: Reader<&'a [u8]>,
    depth: usize,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
        let config = reader.config_mut();
        config.expand_empty_elements = true;
        config.allow_dangling_amp = true;
        Self { reader, depth: 0 }
    }

    /// The next step, `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Node<'a>>, Fault> {
        loop {
            let event = self.reader.read_event().map_err(|error| {
                Fault::malformed(format!(
                    "its XML is broken at byte {}: {}",
                    self.reader.error_position(),
                    reason(&error)
                ))
            })?;
            return Ok(Some(match event {
                Event::Start(start) | Event::Empty(start) => {
                    self.depth += 1;
                    if self.depth > DEPTH {
                        return Err(Fault::malformed(format!(
                            "its XML is nested deeper than {DEPTH} levels"
                        )));
                    }
                    Node::Open(Element(start))
                }
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    Node::Close
                }
                Event::Text(text) => Node::Text(text.into_inner()),
                Event::CData(text) => Node::Text(text.into_inner()),
                Event::GeneralRef(reference) => match character(&reference) {
                    Some(character) => Node::Text(Cow::Owned(character.to_string())),
                    None => continue,
                },
                // Entities of a document's own are the way to bombs and to files of the machine; office formats and
                // sensible data have none.
                Event::DocType(declared) if declared.contains("<!ENTITY") => {
                    return Err(Fault::malformed("its XML declares entities"));
                }
                Event::Eof => return Ok(None),
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => continue,
            }));
        }
    }

    /// Passes over everything inside the element that was opened last, its end included.
    pub(crate) fn skip(&mut self) -> Result<(), Fault> {
        let outside = self.depth.saturating_sub(1);
        while self.depth > outside {
            if self.next()?.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// All text inside the element that was opened last, its end included.
    pub(crate) fn inner_text(&mut self) -> Result<String, Fault> {
        let outside = self.depth.saturating_sub(1);
        let mut text = String::new();
        while self.depth > outside {
            match self.next()? {
                Some(Node::Text(piece)) => text.push_str(&piece),
                Some(_) => {}
                None => break,
            }
        }
        Ok(text)
    }
}

impl Element<'_> {
    /// The name without its prefix: documents choose prefixes as they like.
    pub(crate) fn name(&self) -> &str {
        name_in(self.0.name().into_inner())
    }

    /// The name with its prefix.
    pub(crate) fn full_name(&self) -> &str {
        self.0.name().into_inner()
    }

    /// The value of the attribute of this name, whatever its prefix.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        self.attributes()
            .find(|(key, _)| name_in(key) == name)
            .map(|(_, value)| value)
    }

    /// The value of the attribute with a prefix before this name: `r:id` beside `id`.
    pub(crate) fn prefixed(&self, name: &str) -> Option<String> {
        self.attributes()
            .find(|(key, _)| key.contains(':') && name_in(key) == name)
            .map(|(_, value)| value)
    }

    /// All attributes, their names with prefixes.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = (&str, String)> {
        let mut attributes = self.0.attributes();
        attributes.with_checks(false);
        attributes.filter_map(Result::ok).map(|attribute| {
            let value = unescape(&attribute.value)
                .map(Cow::into_owned)
                .unwrap_or_default();
            (attribute.key.into_inner(), value)
        })
    }

    /// Whether a switch such as `<w:b/>` is on: it is, unless its value says no.
    pub(crate) fn is_on(&self) -> bool {
        !matches!(
            self.attribute("val").as_deref(),
            Some("0" | "false" | "off" | "none")
        )
    }
}

fn name_in(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// Character references and the five names that XML knows; any other entity stands for nothing.
fn character(reference: &BytesRef<'_>) -> Option<char> {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return Some(character);
    }
    Some(match &**reference {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => return None,
    })
}

/// Which kind of error, without the names that it quotes: they are as long as an attacker likes.
fn reason(error: &quick_xml::Error) -> &'static str {
    match error {
        quick_xml::Error::IllFormed(_) => "tags do not match",
        quick_xml::Error::Syntax(_) => "a tag is not finished",
        quick_xml::Error::InvalidAttr(_) => "an attribute is not well formed",
        _ => "it is not well formed",
    }
}
