//! JSON: still JSON, of the same type, with less in it.

use std::ops::Range;

use super::boundary::is_break;
use super::json_scan::{self, Ends, Item, Items, unit};
use super::note::grouped;
use super::share::share;

/// Containers inside so many others are shown empty.
const DEEPEST: usize = 64;
/// So many rows are shown, cut where they must be, before fewer are shown whole.
const ROWS: usize = 8;
/// So many members are shown, cut where they must be.
const MEMBERS: usize = 32;
/// With less room than this beside the words between, a tail says nothing.
const LEAST: usize = 16;
/// How many arrays and objects the note tells of.
const TOLD: usize = 3;

/// A JSON value that was shortened.
pub(super) struct ShortJson {
    pub(super) text: String,
    /// The first byte of the original that is left out.
    pub(super) cut: usize,
    /// The largest arrays and objects that lost elements, largest first.
    pub(super) lists: Vec<ShortList>,
}

/// An array or an object that lost elements.
pub(super) struct ShortList {
    pub(super) path: String,
    pub(super) object: bool,
    pub(super) shown: usize,
    pub(super) total: usize,
    bytes: usize,
}

/// Shortens text that is known to be JSON, and longer than `room`, to at most
/// `room` bytes. `None` where there is no room for the smallest of its type.
///
/// Arrays keep their first elements, objects their first members; the room is
/// shared fairly among what is kept, and long strings lose their middle. Takes
/// linear time: what is nested deeper than 64 levels is shown empty.
pub(super) fn shorten_json(text: &str, room: usize) -> Option<ShortJson> {
    let root = json_scan::root(text);
    // One level more than is opened: there the ends of the closed ones are asked for.
    let ends = Ends::new(text, DEEPEST + 1);
    let mut shortener = Shortener {
        text,
        ends: &ends,
        short: String::with_capacity(room.min(text.len())),
        cut: None,
        lists: Vec::new(),
        path: Vec::new(),
    };
    if room < shortener.least(&root) {
        return None;
    }
    shortener.value(root, room);
    Some(ShortJson {
        cut: shortener.cut.unwrap_or(text.len()),
        text: shortener.short,
        lists: shortener.lists,
    })
}

enum Step {
    Key(Range<usize>),
    Index(usize),
}

struct Shortener<'a> {
    text: &'a str,
    ends: &'a Ends,
    short: String,
    cut: Option<usize>,
    lists: Vec<ShortList>,
    path: Vec<Step>,
}

impl<'a> Shortener<'a> {
    fn slice(&self, span: Range<usize>) -> &'a str {
        self.text.get(span).unwrap_or_default()
    }

    /// The bytes of the shortest form that a value has.
    fn least(&self, value: &Range<usize>) -> usize {
        match self.text.as_bytes().get(value.start) {
            Some(b'"' | b'[' | b'{') => 2,
            _ => value.len(),
        }
    }

    /// Writes a value into at most `room` bytes, which are not fewer than its least.
    fn value(&mut self, span: Range<usize>, room: usize) {
        if span.len() <= room {
            self.short.push_str(self.slice(span));
            return;
        }
        match self.text.as_bytes().get(span.start) {
            Some(b'"') => self.string(span, room),
            Some(b'{') if self.path.len() >= DEEPEST => self.empty(&span, "{}"),
            Some(b'[') if self.path.len() >= DEEPEST => self.empty(&span, "[]"),
            _ => self.container(&span, room),
        }
    }

    fn empty(&mut self, span: &Range<usize>, form: &str) {
        self.short.push_str(form);
        self.cut_at(span.start);
    }

    fn cut_at(&mut self, place: usize) {
        self.cut = Some(self.cut.map_or(place, |cut| cut.min(place)));
    }

    fn string(&mut self, span: Range<usize>, room: usize) {
        let body = span.start + 1..span.end - 1;
        let room = room - 2;
        let usable = room.saturating_sub(gap(body.len()).len());
        let both = usable >= LEAST;
        let (head_room, tail_room) = if both {
            (usable - usable / 3, usable / 3)
        } else {
            (room.saturating_sub(ELLIPSIS.len()), 0)
        };
        let (head, tail) = self.halves(&body, head_room, tail_room);
        self.cut_at(head);
        self.short.push('"');
        self.short.push_str(self.slice(body.start..head));
        if both {
            self.short.push_str(&gap(tail - head));
            self.short.push_str(self.slice(tail..body.end));
        } else if room >= ELLIPSIS.len() {
            self.short.push_str(ELLIPSIS);
        }
        self.short.push('"');
    }

    /// Where the head ends and the tail begins, between escapes and characters.
    fn halves(&self, body: &Range<usize>, head_room: usize, tail_room: usize) -> (usize, usize) {
        let bytes = self.text.as_bytes();
        let mut head = body.start;
        let mut at = body.start;
        while at < body.end {
            if is_break(self.text, at) {
                if at <= body.start + head_room {
                    head = at;
                } else if at + tail_room >= body.end {
                    return (head, at);
                }
            }
            at += unit(bytes, at);
        }
        (head, body.end)
    }

    fn container(&mut self, span: &Range<usize>, room: usize) {
        let object = self.text.as_bytes().get(span.start) == Some(&b'{');
        let (open, close) = if object { ('{', '}') } else { ('[', ']') };
        let inner = room.saturating_sub(2);
        let (items, total, next) = self.choose(span, inner, object);
        if items.len() < total {
            self.cut_at(next);
            self.tell(span, object, items.len(), total);
        }

        let keys: usize = items.iter().map(overhead).sum();
        let wants: Vec<usize> = items.iter().map(|item| item.value.len()).collect();
        // The last item has no comma.
        let shares = self.shares(&items, &wants, (inner + 1).saturating_sub(keys));
        self.short.push(open);
        for (index, (item, room)) in items.into_iter().zip(shares).enumerate() {
            if index > 0 {
                self.short.push(',');
            }
            if object {
                self.short.push_str(self.slice(item.key.clone()));
                self.short.push(':');
                self.path.push(Step::Key(item.key));
            } else {
                self.path.push(Step::Index(index));
            }
            self.value(item.value, room);
            self.path.pop();
        }
        self.short.push(close);
    }

    /// The first items that are shown, how many there are, and where the first
    /// begins that is not shown.
    fn choose(&self, span: &Range<usize>, inner: usize, object: bool) -> (Vec<Item>, usize, usize) {
        let floor = if object {
            (inner / MEMBERS).clamp(16, 256)
        } else {
            (inner / ROWS).max(16)
        };
        let mut items: Vec<Item> = Vec::new();
        let (mut least, mut whole, mut fit) = (0, 0, 0);
        let mut all = Items::new(self.text, span, self.ends);
        let mut next = None;
        for item in all.by_ref() {
            whole += overhead(&item) + item.value.len();
            least += overhead(&item) + self.least(&item.value).max(item.value.len().min(floor));
            // The last item has no comma.
            if least > inner + 1 {
                next = Some(item);
                break;
            }
            items.push(item);
            fit += usize::from(whole <= inner + 1);
        }
        let others = usize::from(next.is_some()) + all.count();
        let total = items.len() + others;
        if !object && fit >= ROWS && fit < items.len() {
            next = items.get(fit).cloned();
            items.truncate(fit);
        }
        if let (true, Some(item)) = (items.is_empty(), &next)
            && overhead(item) + self.least(&item.value) <= inner + 1
        {
            items.extend(next.take());
        }
        let next = next.map_or(span.end, |item| item.value.start);
        (items, total, next)
    }

    /// The room of each value: what cannot be cut gets all it needs.
    fn shares(&self, items: &[Item], wants: &[usize], room: usize) -> Vec<usize> {
        let least: Vec<usize> = items.iter().map(|item| self.least(&item.value)).collect();
        let rest: Vec<usize> = wants
            .iter()
            .zip(&least)
            .map(|(want, least)| want - least)
            .collect();
        let left = room.saturating_sub(least.iter().sum());
        let more = share(&rest, left);
        least
            .iter()
            .zip(more)
            .map(|(least, more)| least + more)
            .collect()
    }

    fn tell(&mut self, span: &Range<usize>, object: bool, shown: usize, total: usize) {
        let bytes = span.len();
        let place = self.lists.partition_point(|list| list.bytes >= bytes);
        if place < TOLD {
            let list = ShortList {
                path: self.path(),
                object,
                shown,
                total,
                bytes,
            };
            self.lists.insert(place, list);
            self.lists.truncate(TOLD);
        }
    }

    /// The place of what is being written, such as `orders[3].lines`; cut
    /// where it is long. A key may say anything, but in a note only as a name.
    fn path(&self) -> String {
        const LONGEST: usize = 80;
        let mut path = String::new();
        for step in &self.path {
            match step {
                Step::Index(index) => path.push_str(&format!("[{index}]")),
                Step::Key(key) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    let key = self.slice(key.start + 1..key.end.saturating_sub(1));
                    path.extend(key.chars().take(LONGEST).map(plain));
                }
            }
            if path.len() > LONGEST {
                path.truncate(super::boundary::before(&path, LONGEST));
                path.push_str(ELLIPSIS);
                break;
            }
        }
        path
    }
}

/// A comma, and in an object the key and its colon.
fn overhead(item: &Item) -> usize {
    1 + match item.key.len() {
        0 => 0,
        key => key + 1,
    }
}

/// A character as a note shows it: no key may end the quotes or be a sentence.
fn plain(character: char) -> char {
    match character {
        '_' | '-' => character,
        letter if letter.is_alphanumeric() => letter,
        _ => '?',
    }
}

const ELLIPSIS: &str = "…";

fn gap(bytes: usize) -> String {
    format!("…[{} bytes left out]…", grouped(bytes))
}
