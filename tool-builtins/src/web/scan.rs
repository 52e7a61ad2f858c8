//! Cuts HTML into tags and text, in linear time, without building anything.

/// A piece of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Text, with its entities as they stand.
    Text(&'a str),
    /// `<name attributes>`; the attributes are as they stand, without a closing slash.
    Start { name: &'a str, attributes: &'a str },
    /// `</name>`.
    End { name: &'a str },
}

/// The pieces of `html`; comments, declarations and what browsers do not show of it are left out.
pub(super) struct Pieces<'a> {
    rest: &'a str,
    /// The element whose content is text up to its end tag, whatever it looks like.
    raw: Option<&'a str>,
    /// Whether an element that is left out together with its content has turned out not to end.
    unending: bool,
}

/// More attributes, or longer ones, serve nobody but an attacker: parsers compare each with each.
const MOST_ATTRIBUTES: usize = 64;
const LONGEST_ATTRIBUTES: usize = 16 * 1024;

impl<'a> Pieces<'a> {
    pub(super) fn new(html: &'a str) -> Self {
        Self {
            rest: html,
            raw: None,
            unending: false,
        }
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self
            .rest
            .split_at_checked(length)
            .unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    fn tag(&mut self) -> Option<Piece<'a>> {
        let after = self.rest.get(1..).unwrap_or_default();
        match after.as_bytes().first() {
            Some(byte) if byte.is_ascii_alphabetic() => self.start(),
            Some(b'/') if after.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic) => {
                Some(self.end())
            }
            Some(b'!') if after.starts_with("!--") => {
                self.comment();
                None
            }
            Some(b'!' | b'?' | b'/') => {
                let length = self.rest.find('>').map_or(self.rest.len(), |end| end + 1);
                self.take(length);
                None
            }
            _ => {
                self.take(1);
                Some(Piece::Text("&lt;"))
            }
        }
    }

    fn comment(&mut self) {
        self.take(4);
        // `<!-->` and `<!--->` are whole comments.
        if self.rest.starts_with('>') || self.rest.starts_with("->") {
            let length = self.rest.find('>').map_or(0, |end| end + 1);
            self.take(length);
            return;
        }
        let plain = self.rest.find("-->").map(|end| end + 3);
        let odd = self
            .rest
            .get(..plain.unwrap_or(self.rest.len()))
            .and_then(|inside| inside.find("--!>"));
        let length = odd.map(|end| end + 4).or(plain).unwrap_or(self.rest.len());
        self.take(length);
    }

    fn end(&mut self) -> Piece<'a> {
        let length = self.rest.find('>').map_or(self.rest.len(), |end| end + 1);
        let tag = self.take(length);
        let name = name(tag.get(2..).unwrap_or_default());
        Piece::End { name }
    }

    fn start(&mut self) -> Option<Piece<'a>> {
        let name = name(self.rest.get(1..).unwrap_or_default());
        let from = 1 + name.len();
        let Some(attributes) = self.rest.get(from..).and_then(attributes) else {
            // Browsers drop a tag that the page ends in.
            self.rest = "";
            return None;
        };
        self.take(from + attributes.length + 1);
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if [
            "script", "style", "noscript", "iframe", "noembed", "noframes", "textarea", "xmp",
        ]
        .into_iter()
        .any(is)
        {
            self.skip_raw(name);
            return None;
        }
        if is("template") || is("svg") {
            if !attributes.text.ends_with('/') {
                self.skip_nested(name);
            }
            return None;
        }
        if is("title") {
            self.raw = Some(name);
        }
        let kept = attributes.count <= MOST_ATTRIBUTES && attributes.length <= LONGEST_ATTRIBUTES;
        Some(Piece::Start {
            name,
            attributes: if kept {
                attributes.text.trim_end_matches('/')
            } else {
                ""
            },
        })
    }

    fn skip_raw(&mut self, name: &str) {
        let length = find_end(self.rest, name).unwrap_or(self.rest.len());
        self.take(length);
        let length = self.rest.find('>').map_or(self.rest.len(), |end| end + 1);
        self.take(length);
    }

    /// Skips to the matching end tag. One that is missing would cost the rest of the page, so then nothing is
    /// skipped, here or later: looking ahead more than once would take quadratic time.
    fn skip_nested(&mut self, name: &str) {
        if self.unending {
            return;
        }
        let start = self.rest;
        let mut depth = 1_usize;
        while let Some(position) = self.rest.find('<') {
            self.take(position);
            let after = self.rest.get(1..).unwrap_or_default();
            let (closes, tag) = after
                .strip_prefix('/')
                .map_or((false, after), |tag| (true, tag));
            if starts_with_name(tag, name) {
                let length = self.rest.find('>').map_or(self.rest.len(), |end| end + 1);
                let tag = self.take(length);
                if closes {
                    depth -= 1;
                } else if !tag.ends_with("/>") {
                    depth += 1;
                }
                if depth == 0 {
                    return;
                }
            } else {
                self.take(1);
            }
        }
        self.unending = true;
        self.rest = start;
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if let Some(name) = self.raw.take() {
            let length = find_end(self.rest, name).unwrap_or(self.rest.len());
            if length > 0 {
                return Some(Piece::Text(self.take(length)));
            }
        }
        while !self.rest.is_empty() {
            match self.rest.find('<') {
                Some(0) => {
                    if let Some(piece) = self.tag() {
                        return Some(piece);
                    }
                }
                position => {
                    let length = position.unwrap_or(self.rest.len());
                    return Some(Piece::Text(self.take(length)));
                }
            }
        }
        None
    }
}

/// The name at the start of a tag's inside.
fn name(tag: &str) -> &str {
    let end = tag
        .find(|character: char| character.is_ascii_whitespace() || matches!(character, '/' | '>'));
    tag.get(..end.unwrap_or(tag.len())).unwrap_or_default()
}

fn starts_with_name(tag: &str, expected: &str) -> bool {
    let rest = tag.as_bytes().get(expected.len()..);
    tag.get(..expected.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(expected))
        && rest
            .and_then(<[u8]>::first)
            .is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'))
}

/// The position of `</name`.
fn find_end(text: &str, name: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(position) = text.get(from..)?.find("</") {
        let at = from + position;
        if starts_with_name(text.get(at + 2..)?, name) {
            return Some(at);
        }
        from = at + 2;
    }
    None
}

struct Attributes<'a> {
    text: &'a str,
    /// Bytes up to the `>`.
    length: usize,
    count: usize,
}

/// Everything up to the `>` that ends the tag, which is not one inside quotes.
fn attributes(tag: &str) -> Option<Attributes<'_>> {
    let (mut quote, mut count, mut previous) = (None, 0, b' ');
    let mut expects_value = false;
    for (position, byte) in tag.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'>') => {
                let text = tag.get(..position)?;
                return Some(Attributes {
                    text,
                    length: position,
                    count,
                });
            }
            (None, b'"' | b'\'') if expects_value => {
                quote = Some(byte);
                expects_value = false;
            }
            (None, b'=') => expects_value = true,
            (None, byte) if byte.is_ascii_whitespace() => {}
            (None, _) => {
                count += usize::from(
                    !expects_value
                        && (previous.is_ascii_whitespace()
                            || previous == b'/'
                            || previous == b'"'
                            || previous == b'\''),
                );
                expects_value = false;
            }
        }
        previous = byte;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(html: &str) -> String {
        Pieces::new(html)
            .map(|piece| match piece {
                Piece::Text(text) => format!("[{text}]"),
                Piece::Start { name, attributes } => format!("<{name}{attributes}>"),
                Piece::End { name } => format!("</{name}>"),
            })
            .collect()
    }

    #[test]
    fn tags_text_and_quoted_brackets_are_told_apart() {
        assert_eq!(
            pieces("<a href='x>y' b=\"<\">1 < 2</a >"),
            "<a href='x>y' b=\"<\">[1 ][&lt;][ 2]</a>"
        );
    }

    #[test]
    fn what_browsers_do_not_show_is_left_out() {
        let html = "a<!-- <b> -->b<script>'</b>'</script>c<style>x</STYLE >d<!DOCTYPE x>e<?php ?>f<noscript><p>g</noscript>h";
        assert_eq!(pieces(html), "[a][b][c][d][e][f][h]");
        assert_eq!(pieces("a<!-->b<!--->c<!-- x --!>d"), "[a][b][c][d]");
        assert_eq!(
            pieces("a<template>b<template>c</template>d</template>e"),
            "[a][e]"
        );
    }

    #[test]
    fn an_element_that_never_ends_does_not_swallow_the_page() {
        assert_eq!(pieces("a<svg><path d=1>b"), "[a]<path d=1>[b]");
    }

    #[test]
    fn a_title_holds_text_whatever_it_looks_like() {
        assert_eq!(
            pieces("<title>a <b> c</title>d"),
            "<title>[a <b> c]</title>[d]"
        );
    }

    #[test]
    fn a_tag_with_very_many_attributes_loses_them() {
        let many = " a=1".repeat(100);
        assert_eq!(pieces(&format!("<p{many}>x")), "<p>[x]");
    }

    #[test]
    fn a_tag_cut_short_by_the_end_of_the_page_is_dropped() {
        for html in ["a<", "a<b", "a<b c='", "a</b", "a<!--", "a<script>", "a<!"] {
            assert!(pieces(html).starts_with("[a]"), "{html}");
        }
    }
}
