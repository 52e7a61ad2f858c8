//! Writes a tree of elements as text or markdown.
//!
//! The tree is at most a few hundred elements deep (see `prune`), so recursion is safe here.

use dom_query::NodeRef;
use url::Url;

use super::inline::{Inline, escape_line_start};
use super::table::cells;

/// How the content of a page is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Style {
    /// Paragraphs of plain text; lists keep their marks, links only their text.
    #[default]
    Text,
    /// Markdown with headings, links, lists, tables and code.
    Markdown,
}

/// Elements whose content is not content: navigation and controls.
const LEFT_OUT: [&str; 18] = [
    "script", "style", "head", "noscript", "template", "svg", "iframe", "object", "canvas",
    "audio", "video", "nav", "button", "select", "datalist", "input", "textarea", "dialog",
];

/// Elements with a line, or more, of their own, and an empty line around them.
const PARAGRAPHS: [&str; 16] = [
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "dl",
    "table",
    "blockquote",
    "pre",
    "figure",
    "hr",
    "menu",
];

/// Elements with a line of their own.
const LINES: [&str; 30] = [
    "address",
    "article",
    "aside",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dir",
    "div",
    "dt",
    "fieldset",
    "figcaption",
    "footer",
    "form",
    "header",
    "hgroup",
    "html",
    "legend",
    "li",
    "main",
    "option",
    "search",
    "section",
    "summary",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
];

/// Writes the content of `node`; relative links become absolute with `base`.
pub(super) fn render(node: &NodeRef, style: Style, base: Option<&Url>) -> String {
    let mut renderer = Renderer {
        style,
        base,
        out: String::new(),
        line: Inline::default(),
        gap: 0,
        indent: String::new(),
        mark: None,
        heading: String::new(),
    };
    renderer.children(node);
    renderer.flush();
    renderer.out.truncate(renderer.out.trim_end().len());
    renderer.out
}

struct Renderer<'a> {
    style: Style,
    base: Option<&'a Url>,
    out: String,
    /// The paragraph that is being put together.
    line: Inline,
    /// How many line breaks the next paragraph wants before it.
    gap: usize,
    /// What every line starts with: spaces of lists, marks of quotes.
    indent: String,
    /// What the first line of a list item has in place of a part of the indent.
    mark: Option<Mark>,
    /// What makes the next line a heading.
    heading: String,
}

/// The mark of a list item, and where in the indent it stands.
struct Mark {
    position: usize,
    text: String,
}

impl Renderer<'_> {
    fn children(&mut self, node: &NodeRef) {
        for child in node.children_it(false) {
            self.node(&child);
        }
    }

    fn node(&mut self, node: &NodeRef) {
        if node.is_text() {
            self.line.push(&node.text(), self.style);
            return;
        }
        let Some(name) = node.node_name() else { return };
        match name.as_ref() {
            name if LEFT_OUT.contains(&name) => {}
            "br" => self.line.line_break(),
            "hr" => {
                self.wants(2);
                if self.style == Style::Markdown {
                    self.line.raw("---");
                    self.wants(2);
                }
            }
            "ul" | "ol" | "menu" | "dir" => self.list(node, name.as_ref() == "ol"),
            "pre" => self.code_block(node),
            "blockquote" if self.style == Style::Markdown => {
                self.wants(2);
                self.indented("> ", |this| this.children(node));
                self.wants(2);
            }
            "table" => self.table(node),
            "tr" => {
                self.wants(1);
                self.children(node);
                self.wants(1);
            }
            heading @ ("h1" | "h2" | "h3" | "h4" | "h5" | "h6") => self.heading(node, heading),
            name if PARAGRAPHS.contains(&name) => self.block(node, 2),
            name if LINES.contains(&name) => self.block(node, 1),
            name => self.inline(node, name),
        }
    }

    fn block(&mut self, node: &NodeRef, gap: usize) {
        self.wants(gap);
        self.children(node);
        self.wants(gap);
    }

    fn inline(&mut self, node: &NodeRef, name: &str) {
        let mark = match (self.style, name) {
            (Style::Markdown, "b" | "strong") => "**",
            (Style::Markdown, "i" | "em") => "*",
            (Style::Markdown, "del" | "s" | "strike") => "~~",
            (Style::Markdown, "code" | "kbd" | "samp" | "tt") => {
                return self.line.code(&node.text());
            }
            (Style::Markdown, "a") => return self.link(node),
            (_, "q") => {
                self.line.raw("“");
                self.children(node);
                return self.line.raw("”");
            }
            (_, "img") => return,
            _ => return self.children(node),
        };
        let start = self.line.start();
        self.children(node);
        self.line.wrap(start, mark, mark);
    }

    fn link(&mut self, node: &NodeRef) {
        let target = node.attr("href").and_then(|href| self.target(&href));
        let start = self.line.start();
        self.children(node);
        if let Some(target) = target {
            self.line.wrap(start, "[", &format!("]({target})"));
        }
    }

    /// Only addresses that a reader could visit: a script or inline data in a link is not one. A link within the page
    /// leads nowhere once the page is text.
    fn target(&self, href: &str) -> Option<String> {
        let href = href.trim();
        if href.starts_with('#') {
            return None;
        }
        let url = match self.base {
            Some(base) => base.join(href).ok()?,
            None => Url::parse(href).ok()?,
        };
        matches!(url.scheme(), "http" | "https" | "mailto").then(|| {
            url.to_string()
                .replace('(', "%28")
                .replace(')', "%29")
                .replace(' ', "%20")
        })
    }

    fn heading(&mut self, node: &NodeRef, name: &str) {
        self.wants(2);
        if self.style == Style::Markdown {
            let level = name.trim_start_matches('h').parse().unwrap_or(1);
            self.heading = format!("{} ", "#".repeat(level));
            self.children(node);
            self.line.join_lines();
            self.wants(2);
            // An empty heading must not make one of what comes next.
            self.heading.clear();
        } else {
            self.children(node);
            self.wants(2);
        }
    }

    fn list(&mut self, node: &NodeRef, ordered: bool) {
        let nested = node
            .ancestors_it(None)
            .any(|ancestor| ancestor.has_name("li"));
        self.list_gap(nested);
        let mut number = node
            .attr("start")
            .and_then(|start| start.trim().parse::<i64>().ok())
            .unwrap_or(1);
        for child in node.children_it(false) {
            if !child.has_name("li") {
                self.node(&child);
                continue;
            }
            let mark = if ordered {
                format!("{number}. ")
            } else {
                "- ".to_owned()
            };
            number = number.saturating_add(1);
            self.wants(1);
            let indent = " ".repeat(mark.len());
            self.mark = Some(Mark {
                position: self.indent.len(),
                text: mark,
            });
            self.indented(&indent, |this| this.children(&child));
            self.list_gap(true);
            // An empty item must not lend its mark to what comes next.
            self.mark = None;
        }
        self.list_gap(nested);
    }

    /// Items stand close together, also those with paragraphs in them.
    fn list_gap(&mut self, nested: bool) {
        self.flush();
        self.gap = if nested { 1 } else { 2 };
    }

    fn code_block(&mut self, node: &NodeRef) {
        self.wants(2);
        let text = node.text();
        let text = text.trim_matches('\n').trim_end();
        if text.is_empty() {
            return;
        }
        let fence = if self.style == Style::Markdown {
            Some(if text.contains("```") { "~~~~" } else { "```" })
        } else {
            None
        };
        for line in fence.into_iter().chain(text.lines()).chain(fence) {
            self.line.raw(line);
            self.write_line(false);
            self.gap = 1;
        }
        self.wants(2);
    }

    fn table(&mut self, node: &NodeRef) {
        let Some(rows) = cells(node, self.style, self.base) else {
            return self.block(node, 2);
        };
        self.wants(2);
        for (position, row) in rows.iter().enumerate() {
            let line = match self.style {
                Style::Markdown => format!("| {} |", row.join(" | ")),
                Style::Text => row.join(" | "),
            };
            self.line.raw(&line);
            self.wants(1);
            if position == 0 && self.style == Style::Markdown {
                self.line.raw(&format!("|{}", " --- |".repeat(row.len())));
                self.wants(1);
            }
        }
        self.wants(2);
    }

    fn indented(&mut self, indent: &str, content: impl FnOnce(&mut Self)) {
        let length = self.indent.len();
        // Beyond this, the indent would outweigh the text.
        if length < 80 {
            self.indent.push_str(indent);
        }
        content(self);
        self.flush();
        self.indent.truncate(length);
    }

    fn wants(&mut self, gap: usize) {
        self.flush();
        // A paragraph that starts a list item stands right behind its mark.
        if self.mark.is_none() {
            self.gap = self.gap.max(gap);
        }
    }

    fn flush(&mut self) {
        self.write_line(true);
    }

    fn write_line(&mut self, inline: bool) {
        let text = self.line.take();
        let text = if inline { text.trim() } else { text.as_str() };
        if inline && text.is_empty() {
            return;
        }
        if !self.out.is_empty() {
            self.out.push('\n');
            if self.gap > 1 {
                self.out.push_str(self.indent.trim_end());
                self.out.push('\n');
            }
        }
        self.gap = 0;
        for (position, line) in text.split('\n').enumerate() {
            if position > 0 {
                self.out.push('\n');
            }
            let line = if inline { line.trim() } else { line };
            match self.mark.take() {
                Some(mark) => {
                    let after = mark.position + mark.text.len();
                    self.out
                        .push_str(self.indent.get(..mark.position).unwrap_or_default());
                    self.out.push_str(&mark.text);
                    self.out
                        .push_str(self.indent.get(after..).unwrap_or_default());
                }
                None => self.out.push_str(&self.indent),
            }
            self.out.push_str(&std::mem::take(&mut self.heading));
            if inline && self.style == Style::Markdown {
                self.out.push_str(escape_line_start(line));
            }
            self.out.push_str(line);
        }
    }
}
