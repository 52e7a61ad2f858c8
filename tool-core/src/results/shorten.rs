//! A result of several pieces, shortened to a room that they share.

use super::note::NOTE_BYTES;
use super::share::share;
use super::shorten_json::{ShortList, shorten_json};
use super::shorten_text::shorten_text;
use crate::JsonText;
use crate::output::Content;

/// JSON larger than this is cut as text.
const MAX_JSON_BYTES: usize = 16 * 1024 * 1024;
/// How many arrays and objects the note tells of.
const LISTS: usize = 3;
/// A piece is left out before it is shown with less room than this.
const LEAST: usize = 64;

/// What counts of a result, in its order.
pub(super) struct Pieces<'a> {
    pieces: Vec<Piece<'a>>,
}

struct Piece<'a> {
    place: usize,
    text: &'a str,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Json,
    Note,
}

/// A result in a smaller form.
pub(super) struct Short {
    /// For each piece of content what stands in its place, in order.
    pub(super) changes: Vec<Change>,
    pub(super) lists: Vec<ShortList>,
    /// The place of the first piece of which something is left out, and the
    /// first byte of it that is.
    pub(super) cut: Option<(usize, usize)>,
}

/// What becomes of a piece of content.
pub(super) enum Change {
    Same,
    New(Content),
    Gone,
}

impl Change {
    /// What stands in the place of a piece that did not stay the same.
    pub(super) fn into_content(self) -> Option<Content> {
        match self {
            Self::New(content) => Some(content),
            Self::Same | Self::Gone => None,
        }
    }
}

/// How many bytes of a result count: text and JSON, and of the tool's notes
/// only what is more than the allowance.
pub(super) fn counted_bytes(content: &[Content]) -> usize {
    let (mut bytes, mut notes) = (0_usize, 0_usize);
    for piece in content {
        match piece {
            Content::Text(text) => bytes += text.len(),
            Content::Json(json) => bytes += json.as_str().len(),
            Content::Note(note) => notes += note.len(),
            Content::File(_) => {}
        }
    }
    if notes > NOTE_BYTES {
        bytes + notes
    } else {
        bytes
    }
}

impl<'a> Pieces<'a> {
    pub(super) fn new(content: &'a [Content]) -> Self {
        let notes: usize = content
            .iter()
            .map(|piece| match piece {
                Content::Note(note) => note.len(),
                _ => 0,
            })
            .sum();
        let notes_count = notes > NOTE_BYTES;
        let pieces = content.iter().enumerate().filter_map(|(place, piece)| {
            let (text, kind) = match piece {
                Content::Text(text) => (text.as_str(), Kind::Text),
                Content::Json(json) if is_json(json.as_str()) => (json.as_str(), Kind::Json),
                Content::Json(json) => (json.as_str(), Kind::Text),
                Content::Note(note) if notes_count => (note.as_str(), Kind::Note),
                Content::Note(_) | Content::File(_) => return None,
            };
            Some(Piece { place, text, kind })
        });
        Self {
            pieces: pieces.collect(),
        }
    }

    /// How many pieces of text and JSON there are.
    pub(super) fn count(&self) -> usize {
        let counted = |piece: &&Piece<'_>| piece.kind != Kind::Note;
        self.pieces.iter().filter(counted).count()
    }

    /// All pieces in at most `room` bytes together. The first ones are shown
    /// where there is not room enough for a little of each.
    pub(super) fn shorten(&self, room: usize, content: usize) -> Short {
        let mut shown = 0;
        let mut least = 0;
        for piece in &self.pieces {
            least += piece.text.len().min(LEAST);
            if least > room && shown > 0 {
                break;
            }
            shown += 1;
        }
        let wants: Vec<usize> = self.pieces[..shown]
            .iter()
            .map(|piece| piece.text.len())
            .collect();
        let mut shares = share(&wants, room);
        shares.resize(self.pieces.len(), 0);

        let mut short = Short {
            changes: Vec::new(),
            lists: Vec::new(),
            cut: None,
        };
        short.changes.resize_with(content, || Change::Same);
        for (piece, room) in self.pieces.iter().zip(shares) {
            if piece.text.len() > room {
                let change = short.piece(piece, room);
                if let Some(place) = short.changes.get_mut(piece.place) {
                    *place = change;
                }
            }
        }
        short.lists.truncate(LISTS);
        short
    }
}

impl Short {
    fn piece(&mut self, piece: &Piece<'_>, room: usize) -> Change {
        let (content, cut) = match piece.kind {
            Kind::Json => match shorten_json(piece.text, room) {
                Some(json) => {
                    self.lists.extend(json.lists);
                    (Some(Content::Json(JsonText::trusted(json.text))), json.cut)
                }
                None => (None, 0),
            },
            Kind::Text | Kind::Note => {
                let short = shorten_text(piece.text, room);
                let content = match piece.kind {
                    _ if short.text.is_empty() => None,
                    Kind::Note => Some(Content::Note(short.text)),
                    _ => Some(Content::Text(short.text)),
                };
                (content, short.cut)
            }
        };
        if piece.kind != Kind::Note {
            self.cut = self.cut.or(Some((piece.place, cut)));
        }
        content.map_or(Change::Gone, Change::New)
    }

    /// The text that the model would read, without the notes that do not count.
    pub(super) fn text(&self, content: &[Content]) -> String {
        let mut text = String::new();
        for (piece, change) in content.iter().zip(&self.changes) {
            let piece = match change {
                Change::Same => piece,
                Change::New(piece) => piece,
                Change::Gone => continue,
            };
            let piece = match piece {
                Content::Text(text) => text,
                Content::Json(json) => json.as_str(),
                Content::Note(_) | Content::File(_) => continue,
            };
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(piece);
        }
        text
    }
}

/// Whether a text may be taken apart as JSON. Needs no memory, however deep it is.
fn is_json(text: &str) -> bool {
    text.len() <= MAX_JSON_BYTES && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}
