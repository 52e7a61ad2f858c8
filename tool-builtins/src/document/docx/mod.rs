//! Word documents as Markdown.

mod body;
mod numbering;
mod styles;

use super::bounds::{Bounds, TEXT};
use super::fault::Fault;
use super::package::Package;
use super::relations::Relations;
use super::{Reading, markdown::Markdown};
use body::{Body, Notes};
use numbering::Numbering;
use styles::Styles;

/// Headings, paragraphs, lists, tables, links, footnotes and comments. What was deleted under change tracking, and
/// what is formatted as hidden, is left out.
pub(crate) fn read(bytes: &[u8], bounds: Bounds) -> Result<Reading, Fault> {
    let mut package = Package::open(bytes, bounds)?;
    let main = Relations::of(&mut package, "")?
        .of_kind("officeDocument")
        .filter(|name| package.has(name))
        .unwrap_or("word/document.xml")
        .to_owned();
    let relations = Relations::of(&mut package, &main)?;
    let part = |kind: &str| relations.of_kind(kind).map(str::to_owned);
    let styles = match part("styles") {
        Some(name) => Styles::read(&package.text(&name)?.unwrap_or_default())?,
        None => Styles::default(),
    };
    let numbering = match part("numbering") {
        Some(name) => Numbering::read(&package.text(&name)?.unwrap_or_default())?,
        None => Numbering::default(),
    };
    let Some(text) = package.text(&main)? else {
        return Err(Fault::malformed("it has no main part"));
    };
    let mut body = Body::new(&styles, numbering);
    body.write(&text, &relations, Notes::None)?;
    for (kind, notes) in [
        ("footnotes", Notes::Footnotes),
        ("endnotes", Notes::Endnotes),
        ("comments", Notes::Comments),
    ] {
        let Some(name) = part(kind) else { continue };
        let Some(text) = package.text(&name)? else {
            continue;
        };
        let links = Relations::of(&mut package, &name)?;
        body.write(&text, &links, notes)?;
    }
    let hidden = body.hidden_runs();
    Ok(reading(body.into_markdown(), hidden))
}

fn reading(markdown: Markdown, hidden: usize) -> Reading {
    let mut notes = Vec::new();
    if markdown.is_cut() {
        notes.push(format!(
            "the document is longer than {TEXT} bytes of text; the rest is left out"
        ));
    }
    if hidden > 0 {
        notes.push("text that is formatted as hidden is left out".to_owned());
    }
    Reading::Text {
        text: markdown.into_text(),
        notes,
    }
}
