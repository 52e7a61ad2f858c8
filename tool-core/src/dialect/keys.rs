//! Property keys that a provider refuses.

use serde_json::{Map, Value};

use super::names::{NameRule, Names};
use super::notes::{Change, Notes, property_place};

/// The keys of one object, as the provider is given them; `None` where all
/// are legal. It depends on the keys alone, so that the way back needs no
/// more than the schema.
pub(super) fn mapping(rule: Option<NameRule>, properties: &Map<String, Value>) -> Option<Names> {
    let rule = rule?;
    if properties.keys().all(|key| rule.takes(key)) {
        return None;
    }
    Some(Names::new(rule, properties.keys().map(String::as_str)))
}

/// The key that the provider is given.
pub(super) fn sent<'a>(mapping: Option<&'a Names>, key: &'a str) -> &'a str {
    mapping.and_then(|names| names.sent(key)).unwrap_or(key)
}

/// Renames the keys of `properties` and in `required`.
pub(super) fn rename(
    schema: &mut Map<String, Value>,
    rule: Option<NameRule>,
    place: &str,
    notes: &mut Notes,
) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else {
        return;
    };
    let Some(names) = mapping(rule, properties) else {
        return;
    };
    *properties = std::mem::take(properties)
        .into_iter()
        .map(|(key, property)| {
            let sent = sent(Some(&names), &key).to_owned();
            if sent != key {
                notes.add(Change::Renamed, &sent, &property_place(place, &key));
            }
            (sent, property)
        })
        .collect();
    for key in schema
        .get_mut("required")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        if let Some(sent) = key.as_str().and_then(|key| names.sent(key)) {
            *key = sent.into();
        }
    }
}
