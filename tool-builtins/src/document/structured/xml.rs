//! XML with an element a line.

use crate::document::bounds::TEXT;
use crate::document::fault::Fault;
use crate::document::xml::{Element, Node, Walk};
use crate::text::clean::clean;

/// Lines longer than this are not written by people.
const LONG: usize = 2000;

/// Whether the markup stands on lines that nobody can read.
pub(super) fn is_crammed(text: &str) -> bool {
    text.lines().any(|line| line.len() > LONG)
}

/// Each element on a line of its own, further in than the one around it; text that stands alone in an element stays on
/// its line.
pub(super) fn indent(text: &str) -> Result<String, Fault> {
    let mut out = Indented::default();
    let mut walk = Walk::new(text);
    while let Some(node) = walk.next()? {
        match node {
            Node::Open(element) => out.open(&element),
            Node::Text(text) => out.text.push_str(&text),
            Node::Close => out.close(),
        }
        if out.xml.len() > 2 * TEXT {
            return Err(Fault::malformed("it is too long to be indented"));
        }
    }
    Ok(clean(out.xml.trim_start()))
}

#[derive(Default)]
struct Indented {
    xml: String,
    open: Vec<String>,
    /// Text that is not written yet: it comes in pieces, cut at every reference.
    text: String,
    /// Whether the innermost element holds no other so far.
    is_bare: bool,
}

impl Indented {
    fn open(&mut self, element: &Element<'_>) {
        self.write_text();
        line(&mut self.xml, self.open.len());
        self.xml.push('<');
        self.xml.push_str(element.full_name());
        for (name, value) in element.attributes() {
            let value = escape(&value).replace('"', "&quot;");
            self.xml.push_str(&format!(" {name}=\"{value}\""));
        }
        self.xml.push('>');
        self.open.push(element.full_name().to_owned());
        self.is_bare = true;
    }

    fn close(&mut self) {
        let is_empty = self.is_bare && self.text.trim().is_empty();
        self.write_text();
        let name = self.open.pop().unwrap_or_default();
        if is_empty {
            self.xml.pop();
            self.xml.push_str("/>");
        } else {
            if !self.is_bare {
                line(&mut self.xml, self.open.len());
            }
            self.xml.push_str(&format!("</{name}>"));
        }
        self.is_bare = false;
    }

    fn write_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        if !self.is_bare {
            line(&mut self.xml, self.open.len());
        }
        self.xml.push_str(&escape(text));
    }
}

fn line(out: &mut String, level: usize) {
    out.push('\n');
    out.push_str(&"  ".repeat(level));
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_element_has_its_line() {
        let text = r#"<?xml version="1.0"?><a x="1&amp;2"><b>text &lt; more</b><c/><d><e>1</e></d>tail</a>"#;
        assert_eq!(
            indent(text).unwrap(),
            "<a x=\"1&amp;2\">\n  <b>text &lt; more</b>\n  <c/>\n  <d>\n    <e>1</e>\n  </d>\n  tail\n</a>"
        );
    }

    #[test]
    fn entities_of_its_own_and_deep_nests_are_refused() {
        assert!(indent("<!DOCTYPE a [<!ENTITY b \"x\">]><a>&b;</a>").is_err());
        assert!(indent(&"<a>".repeat(100_000)).is_err());
        assert_eq!(indent("<!DOCTYPE a><a>&b;</a>").unwrap(), "<a/>");
    }
}
