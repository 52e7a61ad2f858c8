//! Text as a file holds it, so that what is changed can be written back in the same encoding.

use encoding_rs::{Encoding, UTF_8};

use super::error::{FileError, FileErrorKind};
use crate::policy::shown;
use crate::text::decode::{Markup, decode};
use crate::text::kind::binary_type;

/// The text of a file and the form in which it stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Encoded {
    pub(super) text: String,
    pub(super) form: Form,
}

/// An encoding, with or without a byte order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    encoding: &'static str,
    mark: bool,
}

impl Encoded {
    /// Reads bytes that [`Form::encode`] gives back exactly.
    pub(super) fn read(path: &str, bytes: &[u8]) -> Result<Self, FileError> {
        if let Some(kind) = binary_type(bytes) {
            let message = format!("`{}` is not text: it is of type `{kind}`", shown(path));
            return Err(FileError::new(FileErrorKind::Binary, message)
                .with_hint("only text can be edited; to replace the file write it as a whole"));
        }
        let decoded = decode(bytes, None, Markup::None);
        for mark in [false, true] {
            let form = Form {
                encoding: decoded.encoding,
                mark,
            };
            if form.encode(&decoded.text).as_deref() == Some(bytes) {
                return Ok(Self {
                    text: decoded.text,
                    form,
                });
            }
        }
        let message = format!(
            "`{}` seems to be in {} and has bytes that are not valid in it: to change a part would change them too",
            shown(path),
            decoded.encoding
        );
        Err(FileError::new(FileErrorKind::Malformed, message)
            .with_hint("to replace the file write it as a whole"))
    }
}

impl Form {
    /// The bytes of a whole file, or `None` when the encoding lacks a character.
    pub(super) fn encode(self, text: &str) -> Option<Vec<u8>> {
        let marked = self.mark.then_some('\u{feff}');
        let characters = marked.into_iter().chain(text.chars());
        let units = || {
            let mut units = Vec::with_capacity(text.len() + 1);
            for character in characters.clone() {
                units.extend_from_slice(character.encode_utf16(&mut [0; 2]));
            }
            units
        };
        Some(match self.encoding {
            "UTF-16LE" => units().into_iter().flat_map(u16::to_le_bytes).collect(),
            "UTF-16BE" => units().into_iter().flat_map(u16::to_be_bytes).collect(),
            "UTF-32LE" => characters
                .flat_map(|character| u32::from(character).to_le_bytes())
                .collect(),
            "UTF-32BE" => characters
                .flat_map(|character| u32::from(character).to_be_bytes())
                .collect(),
            label => {
                let encoding = Encoding::for_label(label.as_bytes())?;
                if encoding == UTF_8 {
                    return Some(match marked {
                        Some(mark) => format!("{mark}{text}").into_bytes(),
                        None => text.as_bytes().to_vec(),
                    });
                }
                let (bytes, _, lacks) = encoding.encode(text);
                if lacks || self.mark {
                    return None;
                }
                bytes.into_owned()
            }
        })
    }

    /// The same for new content of a file at `path`.
    pub(super) fn encode_for(self, path: &str, text: &str) -> Result<Vec<u8>, FileError> {
        self.encode(text).ok_or_else(|| {
            let message = format!(
                "`{}` is in {}, which lacks a character of the new text",
                shown(path),
                self.encoding
            );
            FileError::new(FileErrorKind::Unwritable, message)
                .with_hint("to have it in UTF-8 write the file as a whole")
        })
    }
}
