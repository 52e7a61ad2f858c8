//! Makes any HTML shallow and well formed, in linear time, before a real parser sees it.
//!
//! Parsers of HTML take quadratic time on deep nests, and what walks their trees overflows the stack, which ends
//! the process. What comes out here nests at most 256 elements, and each is closed in its place, so the parser's
//! rules for repairing markup, which can nest on their own, have nothing to do.

use std::collections::HashMap;

use super::scan::{Piece, Pieces};
use crate::text::clean::start_of;

/// No honest page nests deeper.
const DEEPEST: usize = 256;
/// Beyond this many elements only the text is kept.
const MOST_ELEMENTS: usize = 100_000;

/// Longer text is cut by an element without effect: writers of HTML search the rest of a text for each character
/// that they escape.
const LONGEST_TEXT: usize = 4096;
/// Browsers show a fraction of this.
const LONGEST_TITLE: usize = 1000;

/// Elements without content.
const VOID: [&str; 19] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image", "img",
    "input", "keygen", "link", "meta", "param", "source", "track", "wbr",
];

/// Elements that end an open paragraph and that the end tag of an inline element does not reach past.
const BLOCK: [&str; 47] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "button",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h",
    "header",
    "hgroup",
    "html",
    "li",
    "main",
    "menu",
    "nav",
    "object",
    "ol",
    "optgroup",
    "option",
    "p",
    "pre",
    "search",
    "section",
    "select",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
    "listing",
];

/// A page that is safe to parse.
pub(super) struct Pruned {
    /// Well-formed HTML with the text of the page and most of its elements.
    pub(super) html: String,
    /// How many elements the page has.
    pub(super) elements: usize,
}

/// Well-formed HTML with the text of `html` and most of its elements.
pub(super) fn prune(html: &str) -> Pruned {
    let mut page = Page {
        out: String::with_capacity(html.len() + 64),
        open: Vec::new(),
        dropped: HashMap::new(),
        elements: 0,
        run: 0,
    };
    page.out.push_str("<!DOCTYPE html>");
    for piece in Pieces::new(html) {
        match piece {
            Piece::Text(text) => page.text(text),
            Piece::Start { name, attributes } => page.start(&name.to_ascii_lowercase(), attributes),
            Piece::End { name } => page.end(&name.to_ascii_lowercase()),
        }
    }
    page.close_to(0);
    Pruned {
        html: page.out,
        elements: page.elements,
    }
}

struct Page {
    out: String,
    open: Vec<String>,
    /// How many start tags of a name were dropped, and so how many of its end tags will be.
    dropped: HashMap<String, usize>,
    elements: usize,
    /// How many bytes of text there are since the last tag.
    run: usize,
}

impl Page {
    fn text(&mut self, text: &str) {
        if self.open.last().is_some_and(|name| name == "title") {
            self.out
                .push_str(&start_of(text, LONGEST_TITLE).replace('<', "&lt;"));
            return;
        }
        let mut rest = text;
        while self.run + rest.len() > LONGEST_TEXT {
            let (part, after) = rest.split_at(cut(rest, LONGEST_TEXT.saturating_sub(self.run)));
            self.out.push_str(part);
            self.out.push_str("<wbr >");
            self.run = 0;
            rest = after;
        }
        self.out.push_str(rest);
        self.run += rest.len();
    }

    fn start(&mut self, name: &str, attributes: &str) {
        if matches!(name, "plaintext" | "frameset")
            || !name.bytes().all(|byte| byte.is_ascii_graphic())
        {
            return;
        }
        self.close_before(name);
        self.elements += 1;
        let void = VOID.contains(&name);
        if self.elements > MOST_ELEMENTS || (!void && self.open.len() >= DEEPEST) {
            if !void {
                *self.dropped.entry(name.to_owned()).or_default() += 1;
            }
            return;
        }
        self.run = 0;
        self.out.push('<');
        self.out.push_str(name);
        self.out.push_str(attributes);
        // An unquoted last value would take the bracket's place with a slash; a space keeps them apart.
        self.out.push_str(" >");
        if !void {
            self.open.push(name.to_owned());
        }
    }

    fn end(&mut self, name: &str) {
        if let Some(count) = self.dropped.get_mut(name).filter(|count| **count > 0) {
            *count -= 1;
            return;
        }
        let block = BLOCK.contains(&key(name));
        for (position, open) in self.open.iter().enumerate().rev() {
            if key(open) == key(name) {
                return self.close_to(position);
            }
            let stops = if block {
                is_table_part(open) && !is_table_part(name)
            } else {
                BLOCK.contains(&key(open))
            };
            if stops {
                return;
            }
        }
    }

    /// Closes what the start of `name` ends by itself: pages leave out the end tags of paragraphs and list items.
    fn close_before(&mut self, name: &str) {
        let (ended, within): (&[&str], &[&str]) = match name {
            "li" => (&["li"], &["ul", "ol", "menu", "table", "td", "th"]),
            "dd" | "dt" => (&["dd", "dt"], &["dl", "table", "td", "th"]),
            "td" | "th" => (&["td", "th"], &["tr", "table"]),
            "tr" => (&["tr"], &["table"]),
            "thead" | "tbody" | "tfoot" => (
                &["thead", "tbody", "tfoot", "caption", "colgroup"],
                &["table"],
            ),
            "option" | "optgroup" => (&["option"], &["select", "datalist", "optgroup"]),
            "a" => (&["a"], &["table", "td", "th", "object"]),
            _ if BLOCK.contains(&key(name)) && !is_table_part(name) => (&["p"], &[]),
            _ => return,
        };
        for (position, open) in self.open.iter().enumerate().rev() {
            if ended.contains(&open.as_str()) {
                self.close_to(position);
                break;
            }
            let stops = if within.is_empty() {
                BLOCK.contains(&key(open))
            } else {
                within.contains(&open.as_str())
            };
            if stops {
                break;
            }
        }
    }

    fn close_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            let Some(name) = self.open.pop() else {
                return;
            };
            self.run = 0;
            self.out.push_str("</");
            self.out.push_str(&name);
            self.out.push('>');
        }
    }
}

/// Where to cut `text` near `wanted`, but not inside a character or a character reference.
fn cut(text: &str, wanted: usize) -> usize {
    let before = start_of(text, wanted);
    match before.rfind('&') {
        // The longest reference has 33 characters.
        Some(start) if before.len() - start <= 40 => start,
        _ => before.len(),
    }
}

/// Headings end one another, whatever their level.
fn key(name: &str) -> &str {
    match name.as_bytes() {
        [b'h', b'1'..=b'6'] => "h",
        _ => name,
    }
}

fn is_table_part(name: &str) -> bool {
    matches!(
        name,
        "table" | "caption" | "tbody" | "thead" | "tfoot" | "tr" | "td" | "th"
    )
}

#[cfg(test)]
mod tests {
    use super::prune;

    fn inside(html: &str) -> String {
        prune(html)
            .html
            .replace("<!DOCTYPE html>", "")
            .replace(" >", ">")
    }

    #[test]
    fn missing_end_tags_are_put_where_browsers_see_them() {
        assert_eq!(inside("<p>a<p>b"), "<p>a</p><p>b</p>");
        assert_eq!(
            inside("<ul><li>a<li>b<ul><li>c</ul></ul>"),
            "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>"
        );
        assert_eq!(
            inside("<table><tr><td>a<td>b<tr><td>c</table>"),
            "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>"
        );
        assert_eq!(inside("<h2>a</h3>b"), "<h2>a</h2>b");
        assert_eq!(inside("<p>a<div>b</div>"), "<p>a</p><div>b</div>");
    }

    #[test]
    fn stray_end_tags_are_dropped() {
        assert_eq!(inside("</div>a</b></p>"), "a");
        assert_eq!(inside("<b><div>a</b>b</div>"), "<b><div>ab</div></b>");
        assert_eq!(
            inside("<div><table><tr><td></div>a</table></div>"),
            "<div><table><tr><td>a</td></tr></table></div>"
        );
    }

    #[test]
    fn nests_are_cut_at_the_limit_and_no_text_is_lost() {
        let html = format!("{}x{}y", "<div>".repeat(1000), "</div>".repeat(1000));
        let pruned = inside(&html);
        assert_eq!(pruned.matches("<div>").count(), 256);
        assert_eq!(pruned.matches("</div>").count(), 256);
        assert!(pruned.contains('x') && pruned.ends_with('y'));
    }

    #[test]
    fn long_text_is_cut_between_characters_and_references() {
        for text in [
            "&amp;".repeat(3000),
            "é".repeat(5000),
            "word ".repeat(3000),
            "&".repeat(9000),
        ] {
            let pruned = inside(&format!("<p>{text}</p>"));
            assert!(pruned.split("<wbr>").all(|part| part.len() <= 4096 + 10));
            assert_eq!(pruned.replace("<wbr>", ""), format!("<p>{text}</p>"));
            assert!(
                pruned
                    .split("<wbr>")
                    .all(|part| !part.starts_with("mp;") && !part.starts_with(';'))
            );
        }
    }

    #[test]
    fn the_result_is_well_formed_for_markup_of_every_kind() {
        let tags = [
            "<p>", "</p>", "<b>", "</b>", "<table>", "</table>", "<td>", "<li>", "</li>", "<ul>",
            "<a>", "</a>", "<form>", "</form>", "<span>", "</span>",
        ];
        // Every sequence of three tags, and a long pseudo-random one.
        let mut state = 1_usize;
        let long: String = (0..5000)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                tags[(state >> 33) % tags.len()]
            })
            .collect();
        let mut cases = vec![long];
        for first in tags {
            for second in tags {
                cases.extend(tags.map(|third| [first, second, third].concat()));
            }
        }
        for case in cases {
            let pruned = inside(&case);
            let mut open = Vec::new();
            for tag in pruned.split('<').skip(1) {
                let tag = tag.trim_end_matches('>');
                match tag.strip_prefix('/') {
                    Some(name) => assert_eq!(open.pop(), Some(name), "{case} became {pruned}"),
                    None => open.push(tag),
                }
            }
            assert!(open.is_empty(), "{case} became {pruned}");
        }
    }
}
