//! How large a result may be, and making it no larger.

use std::borrow::Cow;
use std::fmt;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::json_lines::in_lines;
use super::note::{Kept, Loss, note};
use super::read;
use super::shorten::{Change, Pieces, Short, counted_bytes};
use super::store::{ResultStore, Stored};
use crate::output::{Content, Output};

/// Counts the tokens of a text, as the model's tokeniser does or nearly so.
///
/// It is asked a few times for a result that has more bytes than tokens are
/// allowed, and never for a smaller one: no token is shorter than a byte. When
/// it panics, three bytes count as a token.
pub type TokenCounter = Arc<dyn Fn(&str) -> usize + Send + Sync>;

/// How large a result may be. Files do not count.
#[derive(Clone)]
pub(crate) struct Budget {
    /// The most bytes of text and JSON together.
    pub(crate) max_bytes: usize,
    /// The most tokens of the same, and who counts them.
    pub(crate) tokens: Option<(usize, TokenCounter)>,
}

impl Default for Budget {
    /// 64 KiB: what most models take without losing the thread.
    fn default() -> Self {
        Self {
            max_bytes: 64 * 1024,
            tokens: None,
        }
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Budget")
            .field("max_bytes", &self.max_bytes)
            .field("max_tokens", &self.tokens.as_ref().map(|(limit, _)| limit))
            .finish()
    }
}

/// Shortens a result to the budget and says so in a note at its end. The whole
/// of it goes to `keep`, which must be free of secrets by now.
///
/// A result within the budget is left as it is, at the cost of adding up
/// lengths, and of counting tokens where bytes do not tell. A shortened one has
/// at most the budget's bytes and tokens of text and JSON, line breaks between
/// pieces aside, and a note of at most 1 KiB. The tool's own notes do not count
/// either as long as they have no more than 1 KiB together; more counts as text.
pub(crate) fn fit(output: &mut Output, budget: &Budget, keep: Option<&ResultStore>) {
    let content = output.content();
    let bytes = counted_bytes(content);
    let Some(first) = first_room(content, bytes, budget) else {
        return;
    };
    let pieces = Pieces::new(content);
    let (short, room) = match &budget.tokens {
        Some((limit, counter)) => fewer_tokens(&pieces, content, first, *limit, counter),
        None => (pieces.shorten(first.bytes, content.len()), first.bytes),
    };
    let count = pieces.count();
    let content = mem::take(output.content_mut());
    *output = with_note(content, short, count, room, keep);
}

/// The room to begin with, and the tokens of the result in it, where counted.
#[derive(Clone, Copy)]
struct Room {
    bytes: usize,
    tokens: Option<usize>,
}

/// The room of a result that is over the budget, or `None` for one within it.
fn first_room(content: &[Content], bytes: usize, budget: &Budget) -> Option<Room> {
    if bytes > budget.max_bytes {
        return Some(Room {
            bytes: budget.max_bytes,
            tokens: None,
        });
    }
    let (limit, counter) = budget.tokens.as_ref()?;
    if bytes <= *limit {
        return None;
    }
    let tokens = count(counter, &whole(content));
    (tokens > *limit).then_some(Room {
        bytes,
        tokens: Some(tokens),
    })
}

/// All that counts as one text, without a copy where it is one piece.
fn whole(content: &[Content]) -> Cow<'_, str> {
    let mut texts = content.iter().filter_map(|piece| match piece {
        Content::Text(text) => Some(text.as_str()),
        Content::Json(json) => Some(json.as_str()),
        Content::File(_) | Content::Note(_) => None,
    });
    match (texts.next(), texts.next()) {
        (None, _) => Cow::Borrowed(""),
        (Some(text), None) => Cow::Borrowed(text),
        (Some(first), Some(second)) => {
            let mut all = vec![first, second];
            all.extend(texts);
            Cow::Owned(all.join("\n"))
        }
    }
}

/// Shortens until the tokens are no more than the limit, with few counts: each
/// count gives the bytes of a token to try next.
fn fewer_tokens(
    pieces: &Pieces<'_>,
    content: &[Content],
    first: Room,
    limit: usize,
    counter: &TokenCounter,
) -> (Short, usize) {
    /// How often the counter is asked after the first time.
    const ROUNDS: usize = 4;
    let mut room = first.bytes;
    let mut best: Option<(Short, usize)> = None;
    let mut too_much = match first.tokens {
        Some(tokens) => {
            let too_much = room;
            room = room_for(room, tokens, limit).min(room.saturating_sub(1));
            too_much
        }
        None => usize::MAX,
    };
    for _ in 0..ROUNDS {
        // No token is shorter than a byte.
        if room <= limit {
            break;
        }
        let short = pieces.shorten(room, content.len());
        let text = short.text(content);
        let tokens = count(counter, &text);
        let next = room_for(text.len(), tokens, limit);
        if tokens > limit {
            too_much = room;
            let least = best.as_ref().map_or(0, |(_, room)| *room);
            // Where the estimate does not help, halves do.
            room = if next > least && next < room {
                next
            } else {
                least + (room - least) / 2
            };
            if room == least {
                break;
            }
            continue;
        }
        best = Some((short, room));
        let most = first.bytes.min(too_much.saturating_sub(1));
        // What a better fit would win is not worth counting again.
        if next.min(most) <= room.saturating_add(room / 8) {
            break;
        }
        room = next.min(most);
    }
    best.unwrap_or_else(|| {
        let room = first.bytes.min(limit);
        (pieces.shorten(room, content.len()), room)
    })
}

/// The bytes that so many tokens have in a text like the one counted, and a
/// little less.
fn room_for(bytes: usize, tokens: usize, limit: usize) -> usize {
    let bytes = bytes as u128 * limit as u128 / tokens.max(1) as u128;
    usize::try_from(bytes - bytes / 32).unwrap_or(usize::MAX)
}

/// Asks a counter of the user's; when it panics, three bytes are a token.
fn count(counter: &TokenCounter, text: &str) -> usize {
    catch_unwind(AssertUnwindSafe(|| counter(text))).unwrap_or_else(|panic| {
        tracing::error!("the token counter panicked");
        // What was thrown may throw again when it is dropped, and so may that.
        if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
            mem::forget(again);
        }
        text.len().div_ceil(3)
    })
}

/// Puts the shortened pieces in place of the whole ones, keeps these, and adds the note.
fn with_note(
    whole_content: Vec<Content>,
    short: Short,
    pieces: usize,
    room: usize,
    keep: Option<&ResultStore>,
) -> Output {
    let mut whole = Whole::default();
    let mut content = Vec::new();
    let mut gone = Vec::new();
    let mut piece_number = 0;
    for (place, (piece, change)) in whole_content.into_iter().zip(short.changes).enumerate() {
        let counts = matches!(piece, Content::Text(_) | Content::Json(_));
        let mark = short
            .cut
            .filter(|(cut, _)| *cut == place)
            .map(|(_, byte)| byte);
        match change {
            Change::Same => {
                if counts {
                    whole.measure(&piece);
                    if keep.is_some() {
                        whole.add(piece.clone(), mark);
                    }
                }
                content.push(piece);
            }
            Change::New(_) | Change::Gone if !counts => content.extend(change.into_content()),
            Change::New(_) | Change::Gone => {
                if matches!(change, Change::Gone) {
                    gone.push(piece_number);
                }
                content.extend(change.into_content());
                whole.measure(&piece);
                if keep.is_some() {
                    whole.add(piece, mark);
                }
            }
        }
        piece_number += usize::from(counts);
    }
    let stored = keep.and_then(|store| {
        let bytes = whole.text.len();
        let stored = store.keep(mem::take(&mut whole.text), room)?;
        Some((stored, bytes))
    });
    let kept = stored
        .as_ref()
        .map(|(stored, bytes)| kept(stored, *bytes, whole.mark));
    content.push(Content::Note(note(&Loss {
        bytes: whole.bytes,
        lines: whole.lines,
        lists: &short.lists,
        pieces,
        gone: &gone,
        kept,
    })));
    content.into_iter().collect()
}

fn kept(stored: &Stored, bytes: usize, mark: usize) -> Kept<'_> {
    let text = stored.entry.text.as_str();
    Kept {
        tool: read::NAME,
        id: &stored.id,
        offset: stored.entry.lines.line(text, mark),
        only: (text.len() < bytes).then_some(text.len()),
    }
}

/// The whole result as one text.
#[derive(Default)]
struct Whole {
    text: String,
    pieces: usize,
    bytes: usize,
    lines: usize,
    /// Where the first thing is that was left out.
    mark: usize,
}

impl Whole {
    fn measure(&mut self, piece: &Content) {
        let (text, is_text) = match piece {
            Content::Text(text) => (text.as_str(), true),
            Content::Json(json) => (json.as_str(), false),
            Content::File(_) | Content::Note(_) => return,
        };
        self.bytes += text.len();
        if is_text {
            self.lines += text.lines().count();
        }
    }

    fn add(&mut self, piece: Content, mark: Option<usize>) {
        let (text, mark) = match piece {
            Content::Text(text) => (text, mark),
            Content::Json(json) => {
                let (text, moved) = in_lines(json.into_string(), mark.unwrap_or(0));
                (text, mark.map(|_| moved))
            }
            Content::File(_) | Content::Note(_) => return,
        };
        let before = if self.pieces == 0 {
            self.text = text;
            0
        } else {
            self.text.push('\n');
            let before = self.text.len();
            self.text.push_str(&text);
            before
        };
        self.pieces += 1;
        if let Some(mark) = mark {
            self.mark = before + mark;
        }
    }
}
