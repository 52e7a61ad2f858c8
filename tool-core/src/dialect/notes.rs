//! What a schema loses on its way into a dialect.

use crate::schema::describe;

/// What became of a keyword that a dialect has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The description says it in words.
    Said,
    /// It is gone. The executor still checks it.
    Dropped,
    /// The model sees another key.
    Renamed,
    /// `oneOf` is said as `anyOf`.
    Loosened,
    /// It takes any value, and the provider documents no schema for that.
    Untyped,
}

#[derive(Debug)]
struct Entry {
    change: Change,
    keyword: String,
    places: Vec<String>,
}

/// The changes of one schema, gathered so that a keyword that fifty
/// parameters have makes one note and not fifty.
#[derive(Debug, Default)]
pub(super) struct Notes {
    entries: Vec<Entry>,
    others: Vec<String>,
}

impl Notes {
    pub(super) fn add(&mut self, change: Change, keyword: &str, place: &str) {
        let place = if place.is_empty() {
            "the root".to_owned()
        } else {
            format!("`{}`", describe::name(place))
        };
        let known = self
            .entries
            .iter_mut()
            .find(|entry| entry.change == change && entry.keyword == keyword);
        match known {
            Some(entry) => entry.places.push(place),
            None => self.entries.push(Entry {
                change,
                keyword: keyword.to_owned(),
                places: vec![place],
            }),
        }
    }

    pub(super) fn say(&mut self, note: impl Into<String>) {
        self.others.push(note.into());
    }

    /// Whether the model is bound by all that the schema says, or told of it
    /// where that is all that the keyword is for.
    pub(super) fn lose_nothing(&self) -> bool {
        self.others.is_empty()
            && self.entries.iter().all(|entry| match entry.change {
                Change::Said => matches!(entry.keyword.as_str(), "default" | "examples"),
                Change::Loosened => true,
                Change::Dropped | Change::Renamed | Change::Untyped => false,
            })
    }

    pub(super) fn into_lines(self) -> Vec<String> {
        /// More places than this tell a reader nothing.
        const NAMED: usize = 5;

        let mut lines: Vec<String> = self
            .entries
            .into_iter()
            .map(|entry| {
                let named = entry.places.len().min(NAMED);
                let mut places = entry
                    .places
                    .get(..named)
                    .map(|places| places.join(", "))
                    .unwrap_or_default();
                if entry.places.len() > named {
                    places.push_str(&format!(" and {} others", entry.places.len() - named));
                }
                let keyword = describe::name(&entry.keyword);
                match entry.change {
                    Change::Said => format!("`{keyword}` of {places} is said in the description"),
                    Change::Dropped => {
                        format!("`{keyword}` of {places} is left out; the executor still checks it")
                    }
                    Change::Renamed => {
                        format!("{places} is sent as `{keyword}`; a translator reads it back")
                    }
                    Change::Untyped => {
                        format!("{places} takes any value and is sent without a type")
                    }
                    Change::Loosened => format!("`{keyword}` of {places} is sent as `anyOf`"),
                }
            })
            .collect();
        lines.extend(self.others);
        lines
    }
}

/// The place of a property in a schema: `address.street`, `tags[]`.
pub(super) fn property_place(place: &str, key: &str) -> String {
    if place.is_empty() {
        key.to_owned()
    } else {
        format!("{place}.{key}")
    }
}
