//! How the parts of an office document point to one another and to the outside.

use std::collections::HashMap;

use super::fault::Fault;
use super::package::Package;
use super::xml::{Node, Walk};

/// Where one part points to, by the ids that it uses.
#[derive(Debug, Default)]
pub(crate) struct Relations {
    targets: HashMap<String, Relation>,
}

/// One pointer.
#[derive(Debug)]
pub(crate) struct Relation {
    /// The last part of the type's address, such as `slide` or `hyperlink`.
    pub(crate) kind: String,
    /// The name of a part without a leading slash, or an address outside of the document.
    pub(crate) target: String,
}

impl Relations {
    /// The relations of the part called `part`; none where there are none.
    pub(crate) fn of(package: &mut Package<'_>, part: &str) -> Result<Self, Fault> {
        let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
        let place = if folder.is_empty() {
            format!("_rels/{name}.rels")
        } else {
            format!("{folder}/_rels/{name}.rels")
        };
        let mut targets = HashMap::new();
        let text = package.text(&place)?.unwrap_or_default();
        let mut walk = Walk::new(&text);
        while let Some(node) = walk.next()? {
            let Node::Open(element) = node else { continue };
            if element.name() != "Relationship" {
                continue;
            }
            let (Some(id), Some(target)) = (element.attribute("Id"), element.attribute("Target"))
            else {
                continue;
            };
            let kind = element.attribute("Type").unwrap_or_default();
            let outside = element
                .attribute("TargetMode")
                .is_some_and(|mode| mode == "External");
            let relation = Relation {
                kind: kind.rsplit('/').next().unwrap_or_default().to_owned(),
                target: if outside {
                    target
                } else {
                    resolve(folder, &target)
                },
            };
            targets.insert(id, relation);
        }
        Ok(Self { targets })
    }

    /// What the id points to.
    pub(crate) fn target(&self, id: &str) -> Option<&str> {
        self.targets
            .get(id)
            .map(|relation| relation.target.as_str())
    }

    /// The first target of this kind.
    pub(crate) fn of_kind(&self, kind: &str) -> Option<&str> {
        self.targets
            .values()
            .filter(|relation| relation.kind == kind)
            .map(|relation| relation.target.as_str())
            .min()
    }
}

/// The name of a part, as seen from another part's folder. It only ever looks up names in the archive.
fn resolve(folder: &str, target: &str) -> String {
    let mut parts: Vec<&str> = if target.starts_with('/') {
        Vec::new()
    } else {
        folder.split('/').filter(|part| !part.is_empty()).collect()
    };
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn targets_are_seen_from_the_folder_of_the_part() {
        assert_eq!(resolve("ppt", "slides/slide1.xml"), "ppt/slides/slide1.xml");
        assert_eq!(
            resolve("ppt/slides", "../notesSlides/n.xml"),
            "ppt/notesSlides/n.xml"
        );
        assert_eq!(resolve("word", "/word/styles.xml"), "word/styles.xml");
        assert_eq!(resolve("a", "../../../x"), "x");
    }
}
