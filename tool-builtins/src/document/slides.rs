//! Presentations as Markdown: each slide under its title, in the order in which they are shown, with the notes.

use super::Reading;
use super::bounds::{Bounds, TEXT};
use super::fault::Fault;
use super::markdown::{Markdown, link, one_line, table};
use super::package::Package;
use super::relations::Relations;
use super::xml::{Node, Walk};

/// How many slides are read.
const SLIDES: usize = 2000;

pub(crate) fn read(bytes: &[u8], bounds: Bounds) -> Result<Reading, Fault> {
    let mut package = Package::open(bytes, bounds)?;
    let main = Relations::of(&mut package, "")?
        .of_kind("officeDocument")
        .filter(|name| package.has(name))
        .unwrap_or("ppt/presentation.xml")
        .to_owned();
    let relations = Relations::of(&mut package, &main)?;
    let Some(text) = package.text(&main)? else {
        return Err(Fault::malformed("it has no main part"));
    };
    let ids = slide_ids(&text)?;
    let mut markdown = Markdown::default();
    let mut hidden = 0;
    for (number, name) in (1..).zip(ids.iter().filter_map(|id| relations.target(id))) {
        let Some(text) = package.text(name)? else {
            continue;
        };
        let links = Relations::of(&mut package, name)?;
        let slide = Slide::read(&text, &links)?;
        hidden += usize::from(slide.is_hidden);
        let mark = if slide.is_hidden { " (hidden)" } else { "" };
        let title = one_line(&slide.title);
        let title = if title.is_empty() {
            title
        } else {
            format!(": {title}")
        };
        markdown.heading(2, &format!("Slide {number}{mark}{title}"));
        for block in &slide.blocks {
            match block {
                Block::Text(text) => markdown.block(text),
                Block::Item(text) => markdown.item(text),
            }
        }
        if let Some(notes) = links.of_kind("notesSlide").map(str::to_owned)
            && let Some(text) = package.text(&notes)?
        {
            let said = Slide::read(&text, &Relations::default())?.body();
            if !said.trim().is_empty() {
                markdown.block(&format!("Notes: {said}"));
            }
        }
        if markdown.is_cut() {
            break;
        }
    }
    let mut notes = vec![format!("{} slides", ids.len())];
    if hidden > 0 {
        notes.push(format!("{hidden} of them hidden in the show"));
    }
    if markdown.is_cut() {
        notes.push(format!(
            "they hold more than {TEXT} bytes of text; the rest is left out"
        ));
    }
    Ok(Reading::Text {
        text: markdown.into_text(),
        notes,
    })
}

/// The ids of the slides in the order of the show.
fn slide_ids(text: &str) -> Result<Vec<String>, Fault> {
    let mut ids = Vec::new();
    let mut walk = Walk::new(text);
    while let Some(node) = walk.next()? {
        if let Node::Open(element) = node
            && element.name() == "sldId"
            && ids.len() < SLIDES
        {
            ids.extend(element.prefixed("id"));
        }
    }
    Ok(ids)
}

enum Block {
    Text(String),
    Item(String),
}

#[derive(Default)]
struct Slide {
    title: String,
    blocks: Vec<Block>,
    is_hidden: bool,
}

/// Where in a slide the walk is.
#[derive(Default)]
struct Place {
    shape: Shape,
    paragraph: String,
    level: usize,
    is_in_paragraph: bool,
    rows: Vec<Vec<String>>,
    cell: Option<String>,
    link: Option<String>,
}

/// What a shape is for.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Shape {
    Title,
    /// Filled by the program: date, number of the slide, running title.
    Furniture,
    List,
    #[default]
    Other,
}

impl Slide {
    fn read(text: &str, links: &Relations) -> Result<Self, Fault> {
        let mut slide = Self::default();
        let mut place = Place::default();
        let mut open: Vec<Tag> = Vec::new();
        let mut walk = Walk::new(text);
        while let Some(node) = walk.next()? {
            let element = match node {
                Node::Open(element) => element,
                Node::Close => {
                    if let Some(tag) = open.pop() {
                        slide.close(&tag, &mut place);
                    }
                    continue;
                }
                Node::Text(_) => continue,
            };
            let tag = match element.name() {
                "sld" => {
                    slide.is_hidden = element
                        .attribute("show")
                        .is_some_and(|show| show == "0" || show == "false");
                    Tag::Other
                }
                "sp" => {
                    place.shape = Shape::Other;
                    Tag::Shape
                }
                "ph" => {
                    place.shape = shape(element.attribute("type").as_deref());
                    Tag::Other
                }
                "cNvPr" => {
                    let said = element.attribute("descr").unwrap_or_default();
                    if !said.trim().is_empty() {
                        slide.blocks.push(Block::Text(format!("[image: {said}]")));
                    }
                    Tag::Other
                }
                "p" => {
                    place.paragraph.clear();
                    place.level = 0;
                    place.is_in_paragraph = true;
                    Tag::Paragraph
                }
                "pPr" => {
                    let level = element
                        .attribute("lvl")
                        .and_then(|level| level.parse().ok());
                    place.level = level.unwrap_or_default();
                    Tag::Other
                }
                "r" => Tag::Run {
                    start: place.paragraph.len(),
                },
                "t" => {
                    let text = walk.inner_text()?;
                    place.paragraph.push_str(&text);
                    continue;
                }
                "br" => {
                    place.paragraph.push('\n');
                    Tag::Other
                }
                "hlinkClick" => {
                    place.link = element
                        .prefixed("id")
                        .and_then(|id| links.target(&id).map(str::to_owned));
                    Tag::Other
                }
                "tbl" => Tag::Table,
                "tr" => {
                    place.rows.push(Vec::new());
                    Tag::Other
                }
                "tc" => {
                    place.cell = Some(String::new());
                    Tag::Cell
                }
                "Fallback" => {
                    walk.skip()?;
                    continue;
                }
                _ => Tag::Other,
            };
            open.push(tag);
        }
        Ok(slide)
    }

    fn close(&mut self, tag: &Tag, place: &mut Place) {
        match tag {
            Tag::Run { start } => {
                if let Some(target) = place.link.take()
                    && let Some(text) = place.paragraph.get(*start..)
                {
                    let linked = link(text, &target);
                    place.paragraph.truncate(*start);
                    place.paragraph.push_str(&linked);
                }
            }
            Tag::Paragraph if place.is_in_paragraph => {
                place.is_in_paragraph = false;
                self.end_paragraph(place);
            }
            Tag::Cell => {
                if let (Some(cell), Some(row)) = (place.cell.take(), place.rows.last_mut()) {
                    row.push(cell);
                }
            }
            Tag::Table => self
                .blocks
                .push(Block::Text(table(&std::mem::take(&mut place.rows)))),
            Tag::Shape => place.shape = Shape::Other,
            Tag::Paragraph | Tag::Other => {}
        }
    }

    fn end_paragraph(&mut self, place: &mut Place) {
        let text = place.paragraph.trim();
        if text.is_empty() || place.shape == Shape::Furniture {
            return;
        }
        if let Some(cell) = &mut place.cell {
            if !cell.is_empty() {
                cell.push('\n');
            }
            cell.push_str(text);
            return;
        }
        match place.shape {
            Shape::Title => {
                if !self.title.is_empty() {
                    self.title.push(' ');
                }
                self.title.push_str(text);
            }
            Shape::List => {
                let indent = "  ".repeat(place.level.min(8));
                let text = text.replace('\n', &format!("\n{indent}  "));
                self.blocks.push(Block::Item(format!("{indent}- {text}")));
            }
            _ => self.blocks.push(Block::Text(text.to_owned())),
        }
    }

    /// All text, without lists and headings.
    fn body(&self) -> String {
        let text = |block: &Block| match block {
            Block::Text(text) => text.clone(),
            Block::Item(text) => text.trim_start().trim_start_matches("- ").to_owned(),
        };
        self.blocks.iter().map(text).collect::<Vec<_>>().join("\n")
    }
}

enum Tag {
    Shape,
    Paragraph,
    Run { start: usize },
    Table,
    Cell,
    Other,
}

fn shape(placeholder: Option<&str>) -> Shape {
    match placeholder {
        Some("title" | "ctrTitle") => Shape::Title,
        Some("dt" | "ftr" | "hdr" | "sldNum" | "sldImg") => Shape::Furniture,
        None | Some("body" | "obj") => Shape::List,
        Some(_) => Shape::Other,
    }
}
