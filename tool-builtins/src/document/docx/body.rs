//! The running text of a Word document.

use super::numbering::Numbering;
use super::styles::{ListPlace, Styles, level_of_outline};
use crate::document::fault::Fault;
use crate::document::markdown::{Markdown, link, table};
use crate::document::relations::Relations;
use crate::document::xml::{Element, Node, Walk};

/// Which notes a part holds, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notes {
    None,
    Footnotes,
    Endnotes,
    Comments,
}

/// Writes parts of a document as Markdown, one after another.
pub(super) struct Body<'a> {
    styles: &'a Styles,
    numbering: Numbering,
    markdown: Markdown,
    open: Vec<Tag>,
    paragraphs: Vec<Paragraph>,
    tables: Vec<Table>,
    note: Option<String>,
    is_hidden: bool,
    hidden_runs: usize,
}

/// What ends with a closing tag.
#[derive(Debug, PartialEq, Eq)]
enum Tag {
    Paragraph,
    Run,
    Link { start: usize, target: String },
    Table,
    Row,
    RowProperties,
    Cell,
    Note { label: String },
    Other,
}

#[derive(Debug, Default)]
struct Paragraph {
    text: String,
    style: Option<String>,
    list: ListPlace,
    outline: Option<usize>,
}

#[derive(Debug, Default)]
struct Table {
    rows: Vec<Vec<String>>,
    row: Vec<String>,
    cell: Option<String>,
    span: usize,
    is_row_deleted: bool,
}

/// The most columns that one cell may claim.
const SPAN: usize = 64;

impl<'a> Body<'a> {
    pub(super) fn new(styles: &'a Styles, numbering: Numbering) -> Self {
        Self {
            styles,
            numbering,
            markdown: Markdown::default(),
            open: Vec::new(),
            paragraphs: Vec::new(),
            tables: Vec::new(),
            note: None,
            is_hidden: false,
            hidden_runs: 0,
        }
    }

    /// How many runs of text were left out because they are formatted as hidden.
    pub(super) fn hidden_runs(&self) -> usize {
        self.hidden_runs
    }

    pub(super) fn into_markdown(self) -> Markdown {
        self.markdown
    }

    /// Writes one part, whose links are those of `links`.
    pub(super) fn write(
        &mut self,
        text: &str,
        links: &Relations,
        notes: Notes,
    ) -> Result<(), Fault> {
        let mut walk = Walk::new(text);
        while let Some(node) = walk.next()? {
            match node {
                Node::Open(element) => self.open(&element, &mut walk, links, notes)?,
                Node::Close => {
                    if let Some(tag) = self.open.pop() {
                        self.close(tag);
                    }
                }
                Node::Text(_) => {}
            }
            if self.markdown.is_cut() {
                break;
            }
        }
        Ok(())
    }

    fn open(
        &mut self,
        element: &Element<'_>,
        walk: &mut Walk<'_>,
        links: &Relations,
        notes: Notes,
    ) -> Result<(), Fault> {
        let value = || element.attribute("val");
        let in_run = self.open.last() == Some(&Tag::Run);
        let tag = match element.name() {
            "p" => {
                self.paragraphs.push(Paragraph::default());
                Tag::Paragraph
            }
            "r" => {
                self.is_hidden = false;
                Tag::Run
            }
            "t" if in_run => {
                let text = walk.inner_text()?;
                self.run(&text);
                return Ok(());
            }
            "tab" if in_run => self.mark("\t"),
            "br" | "cr" if in_run => self.mark("\n"),
            "noBreakHyphen" => self.mark("-"),
            "vanish" => {
                self.is_hidden = element.is_on();
                Tag::Other
            }
            "del" if self.open.last() == Some(&Tag::RowProperties) => {
                if let Some(table) = self.tables.last_mut() {
                    table.is_row_deleted = true;
                }
                Tag::Other
            }
            "del" | "moveFrom" | "Fallback" | "sdtPr" | "sectPr" | "rt" | "pPrChange"
            | "rPrChange" | "tblPrChange" | "trPrChange" | "tcPrChange" | "sectPrChange" => {
                walk.skip()?;
                return Ok(());
            }
            "hyperlink" => Tag::Link {
                start: self
                    .paragraphs
                    .last()
                    .map_or(0, |paragraph| paragraph.text.len()),
                target: element
                    .attribute("id")
                    .and_then(|id| links.target(&id))
                    .unwrap_or_default()
                    .to_owned(),
            },
            "footnote" | "endnote" | "comment" if notes != Notes::None => {
                if element
                    .attribute("type")
                    .is_some_and(|kind| kind != "normal")
                {
                    walk.skip()?;
                    return Ok(());
                }
                self.note = Some(String::new());
                Tag::Note {
                    label: label(element, notes),
                }
            }
            "tbl" => {
                self.tables.push(Table::default());
                Tag::Table
            }
            "tr" => Tag::Row,
            "trPr" => Tag::RowProperties,
            "tc" => {
                if let Some(table) = self.tables.last_mut() {
                    table.cell = Some(String::new());
                    table.span = 1;
                }
                Tag::Cell
            }
            "gridSpan" => {
                if let Some(table) = self.tables.last_mut() {
                    table.span = value()
                        .and_then(|span| span.parse().ok())
                        .unwrap_or(1)
                        .clamp(1, SPAN);
                }
                Tag::Other
            }
            _ => self.mark_or_property(element),
        };
        self.open.push(tag);
        Ok(())
    }

    /// What stands for text of its own, and what says how a paragraph is to look.
    fn mark_or_property(&mut self, element: &Element<'_>) -> Tag {
        let value = || element.attribute("val");
        match element.name() {
            "pStyle" => self.paragraph(|paragraph| paragraph.style = value()),
            "numId" => self.paragraph(|paragraph| paragraph.list.list = value()),
            "ilvl" => self.paragraph(|paragraph| {
                paragraph.list.level = value().and_then(|level| level.parse().ok());
            }),
            "outlineLvl" => self.paragraph(|paragraph| {
                paragraph.outline = value().as_deref().and_then(level_of_outline);
            }),
            "docPr" => {
                let text = element.attribute("descr").unwrap_or_default();
                if text.is_empty() {
                    Tag::Other
                } else {
                    self.mark(&format!("[image: {text}]"))
                }
            }
            "footnoteReference" => self.reference(element, "[^", "]"),
            "endnoteReference" => self.reference(element, "[^e", "]"),
            "commentReference" => self.reference(element, "[comment ", "]"),
            _ => Tag::Other,
        }
    }

    fn close(&mut self, tag: Tag) {
        match tag {
            Tag::Paragraph => {
                if let Some(paragraph) = self.paragraphs.pop() {
                    self.end_paragraph(paragraph);
                }
            }
            Tag::Link { start, target } => {
                if let Some(paragraph) = self.paragraphs.last_mut()
                    && let Some(text) = paragraph.text.get(start..)
                {
                    let linked = link(text, &target);
                    paragraph.text.truncate(start);
                    paragraph.text.push_str(&linked);
                }
            }
            Tag::Cell => {
                if let Some(table) = self.tables.last_mut() {
                    table.row.extend(table.cell.take());
                    table.row.extend((1..table.span).map(|_| String::new()));
                }
            }
            Tag::Row => {
                if let Some(table) = self.tables.last_mut() {
                    let row = std::mem::take(&mut table.row);
                    if !std::mem::take(&mut table.is_row_deleted) {
                        table.rows.push(row);
                    }
                }
            }
            Tag::Table => {
                if let Some(table) = self.tables.pop() {
                    self.end_table(table.rows);
                }
            }
            Tag::Note { label } => {
                let text = self.note.take().unwrap_or_default();
                if !text.trim().is_empty() {
                    self.markdown.item(&format!("{label}: {}", text.trim()));
                }
            }
            Tag::Run | Tag::RowProperties | Tag::Other => {}
        }
    }

    fn end_paragraph(&mut self, paragraph: Paragraph) {
        if let Some(cell) = self.tables.last_mut().and_then(|table| table.cell.as_mut()) {
            append_line(cell, &paragraph.text);
            return;
        }
        if let Some(note) = &mut self.note {
            append_line(note, paragraph.text.trim());
            return;
        }
        let style = paragraph.style.as_deref().unwrap_or_default();
        if let Some(level) = paragraph.outline.or_else(|| self.styles.heading(style)) {
            self.markdown.heading(level, &paragraph.text);
            return;
        }
        let styled = self.styles.list(style);
        let list = paragraph
            .list
            .list
            .or(styled.list)
            .filter(|list| list != "0");
        match list {
            Some(list) if !paragraph.text.trim().is_empty() => {
                let level = paragraph
                    .list
                    .level
                    .or(styled.level)
                    .unwrap_or_default()
                    .min(8);
                let mark = self.numbering.next(&list, level);
                let indent = "  ".repeat(level);
                let text = paragraph
                    .text
                    .trim()
                    .replace('\n', &format!("\n{indent}  "));
                self.markdown.item(&format!("{indent}{mark} {text}"));
            }
            _ => self.markdown.block(&paragraph.text),
        }
    }

    /// A table inside a cell becomes lines of that cell; one with a single cell is a frame around its text.
    fn end_table(&mut self, rows: Vec<Vec<String>>) {
        if let Some(cell) = self.tables.last_mut().and_then(|table| table.cell.as_mut()) {
            for row in rows {
                append_line(cell, &row.join(" | "));
            }
        } else if let [row] = rows.as_slice()
            && let [text] = row.as_slice()
        {
            self.markdown.block(text);
        } else if rows.iter().flatten().any(|cell| !cell.trim().is_empty()) {
            self.markdown.block(&table(&rows));
        }
    }

    fn run(&mut self, text: &str) {
        if self.is_hidden {
            self.hidden_runs += 1;
        } else if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push_str(text);
        }
    }

    fn mark(&mut self, text: &str) -> Tag {
        self.run(text);
        Tag::Other
    }

    fn reference(&mut self, element: &Element<'_>, before: &str, after: &str) -> Tag {
        let id = element.attribute("id").unwrap_or_default();
        self.mark(&format!("{before}{id}{after}"))
    }

    fn paragraph(&mut self, change: impl FnOnce(&mut Paragraph)) -> Tag {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            change(paragraph);
        }
        Tag::Other
    }
}

fn append_line(text: &mut String, line: &str) {
    if line.trim().is_empty() {
        return;
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

fn label(element: &Element<'_>, notes: Notes) -> String {
    let id = element.attribute("id").unwrap_or_default();
    match notes {
        Notes::Comments => match element.attribute("author") {
            Some(author) if !author.trim().is_empty() => format!("[comment {id}] {author}"),
            _ => format!("[comment {id}]"),
        },
        Notes::Endnotes => format!("[^e{id}]"),
        Notes::Footnotes | Notes::None => format!("[^{id}]"),
    }
}
