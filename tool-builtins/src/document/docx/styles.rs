//! The styles of paragraphs: which of them are headings, and which are entries of lists.

use std::collections::HashMap;

use crate::document::fault::Fault;
use crate::document::xml::{Node, Walk};

/// How many styles may stand on one another; a loop ends here.
const CHAIN: usize = 16;

/// All styles by id.
#[derive(Debug, Default)]
pub(super) struct Styles {
    styles: HashMap<String, Style>,
}

#[derive(Debug, Default)]
struct Style {
    based_on: Option<String>,
    heading: Option<usize>,
    list: ListPlace,
}

/// Which list a paragraph belongs to, and how deep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ListPlace {
    /// The id of the list; `0` says that there is none.
    pub(super) list: Option<String>,
    /// The depth from 0.
    pub(super) level: Option<usize>,
}

impl Styles {
    pub(super) fn read(text: &str) -> Result<Self, Fault> {
        let mut styles = HashMap::new();
        let mut current: Option<(String, Style)> = None;
        let mut walk = Walk::new(text);
        while let Some(node) = walk.next()? {
            let Node::Open(element) = node else { continue };
            if element.name() == "style" {
                styles.extend(current.take());
                current = element
                    .attribute("styleId")
                    .map(|id| (id, Style::default()));
                continue;
            }
            let Some((_, style)) = &mut current else {
                continue;
            };
            let value = element.attribute("val");
            match element.name() {
                "name" => {
                    style.heading = value.as_deref().and_then(heading_of_name).or(style.heading);
                }
                "basedOn" => style.based_on = value,
                "outlineLvl" => style.heading = value.as_deref().and_then(level_of_outline),
                "numId" => style.list.list = value,
                "ilvl" => style.list.level = value.and_then(|level| level.parse().ok()),
                _ => {}
            }
        }
        styles.extend(current);
        Ok(Self { styles })
    }

    /// The level of the heading that this style makes, from 1.
    pub(super) fn heading(&self, id: &str) -> Option<usize> {
        self.chain(id).find_map(|style| style.heading)
    }

    /// The list that this style belongs to.
    pub(super) fn list(&self, id: &str) -> ListPlace {
        ListPlace {
            list: self.chain(id).find_map(|style| style.list.list.clone()),
            level: self.chain(id).find_map(|style| style.list.level),
        }
    }

    fn chain(&self, id: &str) -> impl Iterator<Item = &Style> {
        let above = |style: &&Style| self.styles.get(style.based_on.as_ref()?);
        std::iter::successors(self.styles.get(id), above).take(CHAIN)
    }
}

/// Names of built-in styles are the same in every language of the program.
fn heading_of_name(name: &str) -> Option<usize> {
    let name = name.to_ascii_lowercase();
    match name.strip_prefix("heading ") {
        Some(level) => level.parse().ok().filter(|level| (1..=9).contains(level)),
        None => (name == "title").then_some(1),
    }
}

/// Levels count from 0, and 9 is plain text.
pub(super) fn level_of_outline(value: &str) -> Option<usize> {
    value
        .parse()
        .ok()
        .filter(|level| *level < 9)
        .map(|level: usize| level + 1)
}
