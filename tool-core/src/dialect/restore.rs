//! Arguments on their way in: keys that were renamed, and the `null`s that a
//! strict mode forces, are taken back.

use serde_json::{Map, Value};

use super::keys;
use super::names::NameRule;
use crate::schema::{accepts_null, resolve};

/// What was changed on the way out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Changes {
    /// Whether a `null` may stand for "absent".
    pub(super) nulls: bool,
    pub(super) keys: Option<NameRule>,
}

/// References and unions could lead in a circle without going deeper into the value.
const DEEPEST: usize = 64;

pub(super) fn restore(schema: &Value, value: &mut Value, changes: Changes) {
    if changes.nulls {
        remove_nulls_of_alternatives(schema, value);
    }
    Restorer {
        root: schema,
        changes,
    }
    .walk(schema, value, 0);
}

/// The alternatives of a root were sent as one object, so that those that
/// were not meant are all `null`, and have to go before one can be told.
fn remove_nulls_of_alternatives(schema: &Value, value: &mut Value) {
    let root = resolve(schema, schema);
    let Value::Object(members) = value else {
        return;
    };
    for branch in ["anyOf", "oneOf"]
        .iter()
        .filter_map(|keyword| root.get(keyword)?.as_array())
        .flatten()
    {
        let properties = resolve(schema, branch).get("properties");
        members.retain(|key, value| {
            let property = properties.and_then(|properties| properties.get(key));
            !(value.is_null() && property.is_some_and(|property| !accepts_null(schema, property)))
        });
    }
}

struct Restorer<'a> {
    root: &'a Value,
    changes: Changes,
}

impl Restorer<'_> {
    fn walk(&self, schema: &Value, value: &mut Value, depth: usize) {
        let Some(schema) = resolve(self.root, schema).as_object() else {
            return;
        };
        if depth > DEEPEST || !(value.is_object() || value.is_array()) {
            return;
        }
        // Before the keys below are renamed: a branch is known by the keys as sent.
        for keyword in ["anyOf", "oneOf"] {
            let branch = schema
                .get(keyword)
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .find(|branch| self.fits(branch, value, depth));
            if let Some(branch) = branch {
                self.walk(branch, value, depth + 1);
            }
        }
        for part in schema
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.walk(part, value, depth + 1);
        }
        match value {
            Value::Object(members) => self.members(schema, members, depth),
            Value::Array(items) => {
                let each = schema.get("items").filter(|each| each.is_object());
                let first = schema
                    .get("prefixItems")
                    .or_else(|| schema.get("items"))
                    .and_then(Value::as_array)
                    .map(Vec::as_slice)
                    .unwrap_or_default();
                for (index, item) in items.iter_mut().enumerate() {
                    if let Some(schema) = first.get(index).or(each) {
                        self.walk(schema, item, depth + 1);
                    }
                }
            }
            _ => {}
        }
    }

    fn members(&self, schema: &Map<String, Value>, members: &mut Map<String, Value>, depth: usize) {
        let empty = Map::new();
        let properties = match schema.get("properties") {
            Some(Value::Object(properties)) => properties,
            _ => &empty,
        };
        if let Some(names) = keys::mapping(self.changes.keys, properties) {
            *members = std::mem::take(members)
                .into_iter()
                .map(|(key, value)| match names.original(&key) {
                    Some(original) => (original.to_owned(), value),
                    None => (key, value),
                })
                .collect();
        }
        if self.changes.nulls {
            let required = schema.get("required").and_then(Value::as_array);
            members.retain(|key, value| {
                let is_optional = !required
                    .is_some_and(|required| required.iter().any(|required| required == key));
                let refuses_null = properties
                    .get(key)
                    .is_some_and(|property| !accepts_null(self.root, property));
                !(value.is_null() && is_optional && refuses_null)
            });
        }
        for (key, value) in members.iter_mut() {
            let property = properties
                .get(key)
                .or_else(|| schema.get("additionalProperties"));
            if let Some(property) = property {
                self.walk(property, value, depth + 1);
            }
        }
    }

    /// Whether a branch is the one that the value was written for: of its
    /// type, with its constants and with all that it requires.
    fn fits(&self, branch: &Value, value: &Value, depth: usize) -> bool {
        let Some(branch) = resolve(self.root, branch).as_object() else {
            return false;
        };
        if depth > DEEPEST {
            return false;
        }
        let is_typed = |wanted: &str| match branch.get("type") {
            Some(Value::String(name)) => name == wanted,
            Some(Value::Array(names)) => names.iter().any(|name| name == wanted),
            _ => true,
        };
        let Value::Object(members) = value else {
            return is_typed("array");
        };
        if !is_typed("object") {
            return false;
        }
        let empty = Map::new();
        let properties = match branch.get("properties") {
            Some(Value::Object(properties)) => properties,
            _ => &empty,
        };
        let names = keys::mapping(self.changes.keys, properties);
        let member = |key: &str| members.get(keys::sent(names.as_ref(), key));
        // A `null` may be an absent member, which contradicts nothing.
        let takes = |key: &str, values: &[Value]| {
            member(key).is_none_or(|value| {
                values.contains(value) || (self.changes.nulls && value.is_null())
            })
        };
        let has_constants = properties.iter().all(|(key, property)| {
            match (property.get("const"), property.get("enum")) {
                (Some(constant), _) => takes(key, std::slice::from_ref(constant)),
                (_, Some(Value::Array(values))) => takes(key, values),
                _ => true,
            }
        });
        let has_required = branch
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .all(|key| member(key).is_some());
        let is_closed = branch.get("additionalProperties") == Some(&Value::Bool(false));
        let knows_all = !(is_closed || self.changes.nulls)
            || members.keys().all(|key| {
                properties
                    .keys()
                    .any(|known| keys::sent(names.as_ref(), known) == key)
            });
        has_constants && has_required && (properties.is_empty() || knows_all)
    }
}
