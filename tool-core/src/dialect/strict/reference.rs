//! References, where a strict mode takes them.

use serde_json::{Map, Value};

use super::super::notes::Change;
use super::Writer;
use crate::schema::{inlined, is_recursive, target};

pub(super) enum Reference {
    Kept(Map<String, Value>),
    Inlined(Map<String, Value>),
}

pub(super) fn definition_of<'a>(root: &'a Value, name: &str) -> Option<&'a Value> {
    ["$defs", "definitions"]
        .iter()
        .find_map(|keyword| root.get(keyword)?.get(name))
}

impl Writer<'_> {
    /// A reference stays where the mode takes it, and nothing stands beside it.
    pub(super) fn reference(
        &mut self,
        object: &Map<String, Value>,
        place: &str,
    ) -> Result<Reference, String> {
        let Some(reference) = object.get("$ref").and_then(Value::as_str) else {
            return Err(format!("`{place}` has a reference that is no text"));
        };
        if target(self.root, reference).is_none() {
            return Err(format!("the reference of `{place}` leads nowhere"));
        }
        if !is_recursive(self.root, reference) {
            return match inlined(self.root, object) {
                Some(inlined) => Ok(Reference::Inlined(inlined)),
                None => Err(format!("the reference of `{place}` leads nowhere")),
            };
        }
        if !self.mode.is_openai() {
            return Err(format!("`{place}` is recursive"));
        }
        for keyword in object.keys().filter(|keyword| *keyword != "$ref") {
            self.notes.add(Change::Dropped, keyword, place);
        }
        let kept = if reference == "#" {
            reference.to_owned()
        } else {
            let name = ["#/$defs/", "#/definitions/"]
                .iter()
                .find_map(|prefix| reference.strip_prefix(prefix))
                .filter(|name| definition_of(self.root, name).is_some())
                .ok_or_else(|| format!("the reference of `{place}` is no definition"))?;
            self.pending.push(name.to_owned());
            format!("#/$defs/{name}")
        };
        Ok(Reference::Kept(Map::from_iter([(
            "$ref".to_owned(),
            kept.into(),
        )])))
    }
}
