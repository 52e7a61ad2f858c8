//! The lists of a Word document: bullets and numbers.

use std::collections::HashMap;

use crate::document::fault::Fault;
use crate::document::xml::{Node, Walk};

/// How deep lists go in the format.
const LEVELS: usize = 9;

/// All lists by id, and how far each has been counted.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    /// From the id of a list to the id of its form.
    lists: HashMap<String, String>,
    /// From the id of a form and a level to its mark.
    levels: HashMap<(String, usize), Level>,
    counts: HashMap<String, [usize; LEVELS]>,
}

#[derive(Clone, Copy, Debug)]
struct Level {
    start: usize,
    bullet: bool,
}

impl Numbering {
    pub(super) fn read(text: &str) -> Result<Self, Fault> {
        let mut numbering = Self::default();
        let (mut form, mut level, mut list) = (None::<String>, 0, None::<String>);
        let mut walk = Walk::new(text);
        while let Some(node) = walk.next()? {
            let Node::Open(element) = node else { continue };
            let value = || element.attribute("val");
            match element.name() {
                "abstractNum" => form = element.attribute("abstractNumId"),
                "num" => {
                    form = None;
                    list = element.attribute("numId");
                }
                "abstractNumId" => {
                    if let (Some(list), Some(form)) = (list.clone(), value()) {
                        numbering.lists.insert(list, form);
                    }
                }
                "lvl" => {
                    level = element
                        .attribute("ilvl")
                        .and_then(|level| level.parse().ok())
                        .unwrap_or_default();
                }
                "start" => {
                    if let (Some(start), Some(at)) = (
                        value().and_then(|start| start.parse().ok()),
                        numbering.level(form.as_ref(), level),
                    ) {
                        at.start = start;
                    }
                }
                "numFmt" => {
                    let bullet = matches!(value().as_deref(), Some("bullet" | "none"));
                    if let Some(at) = numbering.level(form.as_ref(), level) {
                        at.bullet = bullet;
                    }
                }
                _ => {}
            }
        }
        Ok(numbering)
    }

    fn level(&mut self, form: Option<&String>, level: usize) -> Option<&mut Level> {
        let form = form.filter(|_| level < LEVELS)?.clone();
        let fresh = Level {
            start: 1,
            bullet: false,
        };
        Some(self.levels.entry((form, level)).or_insert(fresh))
    }

    /// The mark of the next entry of a list at this level, such as `-` or `3.`.
    pub(super) fn next(&mut self, list: &str, level: usize) -> String {
        let level = level.min(LEVELS - 1);
        let form = self.lists.get(list).cloned().unwrap_or_default();
        let known = self.levels.get(&(form, level)).copied();
        let Some(Level {
            start,
            bullet: false,
        }) = known
        else {
            return "-".to_owned();
        };
        let counts = self.counts.entry(list.to_owned()).or_default();
        let mut number = start;
        for (at, count) in counts.iter_mut().enumerate().skip(level) {
            if at == level {
                number = start.saturating_add(*count);
                *count = count.saturating_add(1);
            } else {
                *count = 0;
            }
        }
        format!("{number}.")
    }
}
