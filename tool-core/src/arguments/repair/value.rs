//! Values of the wrong kind: read as the schema wants them, or left as they are.

use std::collections::HashMap;

use serde_json::{Map, Number, Value};

use super::{Repair, RepairKind, text};
use crate::arguments::diagnose::Finder;
use crate::schema::{accepts_null, join, resolve};

/// Mends the value of one call.
pub(super) struct Mender<'a> {
    root: &'a Value,
    tool: &'a str,
    repairs: Vec<Repair>,
}

impl<'a> Mender<'a> {
    pub(super) fn new(root: &'a Value, tool: &'a str) -> Self {
        Self {
            root,
            tool,
            repairs: Vec::new(),
        }
    }

    pub(super) fn into_repairs(self) -> Vec<Repair> {
        self.repairs
    }

    /// Mends all arguments.
    pub(super) fn root(&mut self, value: &Value) -> Option<Value> {
        let object = match value {
            Value::Object(_) => value.clone(),
            Value::Null => self.changed(RepairKind::Empty, "", value, Value::Object(Map::new())),
            Value::String(inner) => {
                let (object, kinds) = text::encoded(inner, Vec::new()).ok()?;
                for kind in kinds {
                    self.changed(kind, "", value, object.clone());
                }
                object
            }
            _ => return None,
        };
        let names = [self.tool, "arguments", "parameters"];
        let object = self.unwrapped(self.root, object, &names, "");
        Some(self.mend(self.root, object, ""))
    }

    /// The value as the schema takes it, or as it is where that cannot be told.
    fn mend(&mut self, schema: &Value, value: Value, path: &str) -> Value {
        let schema = resolve(self.root, schema);
        if self.fits(schema, &value) {
            return value;
        }
        if let Some(branches) = branches(schema) {
            return self.one_branch(branches, value, path);
        }
        let value = self.as_type(schema, value, path);
        match value {
            Value::Object(members) => self.members(schema, members, path),
            Value::Array(items) => self.items(schema, items, path),
            other => other,
        }
    }

    /// Whether a value is right in its place.
    fn fits(&self, schema: &Value, value: &Value) -> bool {
        Finder::new(self.root).fits(schema, value)
    }

    fn changed(&mut self, kind: RepairKind, path: &str, before: &Value, after: Value) -> Value {
        self.repairs
            .push(Repair::of_value(kind, path, before, &after));
        after
    }

    /// Of the branches of a union, the reading that only one result comes of.
    fn one_branch(&mut self, branches: &[Value], value: Value, path: &str) -> Value {
        let mut readings: Vec<(Value, Vec<Repair>)> = Vec::new();
        for branch in branches {
            let mut mender = Mender::new(self.root, self.tool);
            let mended = mender.mend(branch, value.clone(), path);
            let new = readings.iter().all(|(known, _)| *known != mended);
            if new && self.fits(branch, &mended) {
                readings.push((mended, mender.repairs));
            }
        }
        match readings.pop() {
            Some((mended, repairs)) if readings.is_empty() => {
                self.repairs.extend(repairs);
                mended
            }
            _ => value,
        }
    }

    /// A value of another type than the schema's.
    fn as_type(&mut self, schema: &Value, value: Value, path: &str) -> Value {
        if let Value::String(sent) = &value
            && let Some(mended) = self.read_text(schema, &value, sent, path)
        {
            return mended;
        }
        if takes(schema, "array") && !value.is_array() && !value.is_null() {
            return self.listed(schema, value, path);
        }
        value
    }

    /// What a string stands for, where the schema takes no such string.
    fn read_text(
        &mut self,
        schema: &Value,
        value: &Value,
        sent: &str,
        path: &str,
    ) -> Option<Value> {
        if let Some(allowed) = strings_of_enum(schema) {
            let meant = spelled(sent, &allowed)?;
            return Some(self.changed(RepairKind::EnumSpelling, path, value, meant.into()));
        }
        if takes(schema, "string") {
            return None;
        }
        let trimmed = sent.trim();
        let mut readings: Vec<(RepairKind, Value)> = Vec::new();
        if (takes(schema, "integer") || takes(schema, "number"))
            && let Some(number) = number(trimmed, !takes(schema, "number"))
        {
            readings.push((RepairKind::NumberAsText, number));
        }
        if takes(schema, "boolean")
            && let Some(boolean) = boolean(trimmed)
        {
            readings.push((RepairKind::BooleanAsText, boolean));
        }
        if takes(schema, "null") && is_null(trimmed) {
            readings.push((RepairKind::NullAsText, Value::Null));
        }
        if (takes(schema, "array") || takes(schema, "object"))
            && let Ok((structure, _)) = text::structure(trimmed)
            && takes(
                schema,
                if structure.is_array() {
                    "array"
                } else {
                    "object"
                },
            )
        {
            readings.push((RepairKind::StructureAsText, structure));
        }
        match readings.pop() {
            Some((kind, mended)) if readings.is_empty() => {
                Some(self.changed(kind, path, value, mended))
            }
            _ => None,
        }
    }

    /// One value as a list of one.
    fn listed(&mut self, schema: &Value, value: Value, path: &str) -> Value {
        if value
            .as_str()
            .is_some_and(|sent| !is_one_thing(sent.trim()))
        {
            return value;
        }
        let items = schema.get("items").unwrap_or(&Value::Bool(true));
        let mut mender = Mender::new(self.root, self.tool);
        let item = mender.mend(items, value.clone(), &format!("{path}[0]"));
        let list = Value::Array(vec![item]);
        if !self.fits(schema, &list) {
            return value;
        }
        let list = self.changed(RepairKind::ValueForList, path, &value, list);
        self.repairs.extend(mender.repairs);
        list
    }

    fn items(&mut self, schema: &Value, items: Vec<Value>, path: &str) -> Value {
        let Some(each) = schema.get("items") else {
            return Value::Array(items);
        };
        if takes(resolve(self.root, each), "array") && !items.iter().all(Value::is_array) {
            // Each a list of one, or all of them one list: two readings.
            return Value::Array(items);
        }
        items
            .into_iter()
            .enumerate()
            .map(|(index, item)| self.mend(each, item, &format!("{path}[{index}]")))
            .collect()
    }

    fn members(&mut self, schema: &Value, members: Map<String, Value>, path: &str) -> Value {
        let own_name = path
            .rsplit(['.', ']'])
            .next()
            .unwrap_or_default()
            .to_owned();
        let object = Value::Object(members);
        let object = if path.is_empty() {
            object
        } else {
            self.unwrapped(schema, object, &[&own_name], path)
        };
        let Value::Object(members) = object else {
            return object;
        };
        let members = self.renamed(schema, members, path);
        let properties = schema.get("properties").and_then(Value::as_object);
        let mut mended = Map::new();
        for (name, value) in members {
            let property = properties
                .and_then(|properties| properties.get(&name))
                .or_else(|| schema.get("additionalProperties"));
            let Some(property) = property else {
                mended.insert(name, value);
                continue;
            };
            let at = join(path, &name);
            let may_be_absent = properties.is_some_and(|properties| properties.contains_key(&name))
                && !required(schema).any(|required| required == name);
            if may_be_absent && self.means_absent(property, &value) {
                let kind = if value.is_null() {
                    RepairKind::NullForOptional
                } else {
                    RepairKind::NullAsText
                };
                self.repairs.push(Repair {
                    kind,
                    path: at,
                    before: value.to_string(),
                    after: "absent".to_owned(),
                });
                continue;
            }
            let value = self.mend(property, value, &at);
            mended.insert(name, value);
        }
        Value::Object(mended)
    }

    /// `null`, or a word for it, where neither is a value that the property takes.
    fn means_absent(&self, property: &Value, value: &Value) -> bool {
        let nothing = match value {
            Value::Null => true,
            Value::String(text) => {
                let spells = strings_of_enum(resolve(self.root, property))
                    .is_some_and(|allowed| spelled(text, &allowed).is_some());
                matches!(text.trim(), "None" | "null") && !spells
            }
            _ => false,
        };
        nothing && !self.fits(property, value) && !accepts_null(self.root, property)
    }

    /// Names in another case or with other separators, where one property is
    /// meant that is not there.
    fn renamed(
        &mut self,
        schema: &Value,
        members: Map<String, Value>,
        path: &str,
    ) -> Map<String, Value> {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            return members;
        };
        let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
        // Counted once: there may be as many names as the text has room for.
        let mut sent: HashMap<String, usize> = HashMap::new();
        for name in members.keys() {
            *sent.entry(fold(name)).or_default() += 1;
        }
        members
            .into_iter()
            .map(|(name, value)| {
                if properties.contains_key(&name) {
                    return (name, value);
                }
                let folded = fold(&name);
                let alone = sent.get(&folded) == Some(&1);
                let mut meant = properties
                    .keys()
                    .filter(|property| fold(property) == folded);
                match (meant.next(), meant.next()) {
                    (Some(property), None)
                        if alone && (closed || required(schema).any(|name| name == property)) =>
                    {
                        self.repairs.push(Repair {
                            kind: RepairKind::PropertyName,
                            path: join(path, property),
                            before: name,
                            after: property.clone(),
                        });
                        (property.clone(), value)
                    }
                    _ => (name, value),
                }
            })
            .collect()
    }

    /// The inside of an object whose one member is named as the whole is.
    fn unwrapped(&mut self, schema: &Value, value: Value, names: &[&str], path: &str) -> Value {
        let Value::Object(members) = &value else {
            return value;
        };
        let Some((name, inner)) = members.iter().next().filter(|_| members.len() == 1) else {
            return value;
        };
        let declared = schema
            .get("properties")
            .is_some_and(|properties| properties.get(name).is_some());
        if declared || !names.iter().any(|known| known == name) || self.fits(schema, &value) {
            return value;
        }
        let inner = match inner {
            Value::Object(_) => inner.clone(),
            Value::String(text) => match text::structure(text) {
                Ok((structure, _)) if structure.is_object() => structure,
                _ => return value,
            },
            _ => return value,
        };
        self.changed(RepairKind::Wrapped, path, &value, inner)
    }
}

fn branches(schema: &Value) -> Option<&[Value]> {
    ["anyOf", "oneOf"]
        .iter()
        .find_map(|keyword| schema.get(*keyword)?.as_array())
        .map(Vec::as_slice)
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

/// Whether a schema says that it takes this type.
fn takes(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(only)) => only == name,
        Some(Value::Array(names)) => names.iter().any(|other| other == name),
        _ => false,
    }
}

/// The values of an enum of strings.
fn strings_of_enum(schema: &Value) -> Option<Vec<&str>> {
    let values = match (schema.get("enum"), schema.get("const")) {
        (Some(Value::Array(values)), _) => values.as_slice(),
        (None, Some(constant)) => std::slice::from_ref(constant),
        _ => return None,
    };
    // `null` may stand among them, and is no word.
    let words: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
    let others = values.iter().filter(|value| !value.is_null()).count();
    (!words.is_empty() && words.len() == others).then_some(words)
}

/// The one value of an enum that a word spells in another way, or begins.
fn spelled<'v>(sent: &str, allowed: &[&'v str]) -> Option<&'v str> {
    /// Fewer letters than this begin too many words.
    const BEGINNING: usize = 3;

    let folded = fold(sent);
    let only = |matches: &dyn Fn(&str) -> bool| {
        let mut meant = allowed.iter().filter(|value| matches(&fold(value)));
        match (meant.next(), meant.next()) {
            (Some(value), None) => Some(Some(*value)),
            (None, _) => None,
            _ => Some(None),
        }
    };
    let begins = folded.chars().count() >= BEGINNING && folded.chars().all(char::is_alphabetic);
    // Two that are equal but for their spelling leave no room for a beginning.
    only(&|value| value == folded)
        .or_else(|| begins.then(|| only(&|value| value.starts_with(&folded)))?)
        .flatten()
}

/// A word without case and without the separators inside it. A sign before a
/// number, a point in it and anything at an end is no separator.
fn fold(word: &str) -> String {
    let word: Vec<char> = word.trim().chars().collect();
    let neighbour = |index: Option<usize>| index.and_then(|index| word.get(index)).copied();
    word.iter()
        .enumerate()
        .filter(|(index, character)| {
            let separates = character.is_whitespace() || "-_.".contains(**character);
            let before = neighbour(index.checked_sub(1));
            let after = neighbour(index.checked_add(1));
            let inside = before.is_some_and(char::is_alphanumeric)
                && after.is_some_and(char::is_alphanumeric)
                && (before.is_some_and(char::is_alphabetic)
                    || after.is_some_and(char::is_alphabetic));
            !(separates && inside)
        })
        .flat_map(|(_, character)| character.to_lowercase())
        .collect()
}

/// The number that a text is, exactly; for an integer also `5.0`.
fn number(text: &str, as_integer: bool) -> Option<Value> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        // Beyond 64 bits it would not be the number that was sent.
        let number: Number = text.parse().ok()?;
        return (!number.is_f64()).then_some(Value::Number(number));
    }
    if as_integer {
        let (whole, fraction) = text.split_once('.')?;
        let zero = !fraction.is_empty() && fraction.bytes().all(|byte| byte == b'0');
        return if zero { number(whole, true) } else { None };
    }
    text.parse().ok().map(Value::Number)
}

/// Whether a text is surely one item of a list: a text with separators may be
/// a list in itself, one that begins like a structure was meant to be one, and
/// there are words for nothing.
fn is_one_thing(text: &str) -> bool {
    const NOTHING: [&str; 6] = ["", "none", "null", "nil", "undefined", "n/a"];

    !text.contains([',', ';', '|', '\n', '\t', '、', '，'])
        && !text.contains(" and ")
        && !text.contains(" or ")
        && !text.starts_with(['[', '{', '(', '<'])
        && !NOTHING.contains(&text.to_lowercase().as_str())
}

fn boolean(text: &str) -> Option<Value> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        _ => None,
    }
}

fn is_null(text: &str) -> bool {
    matches!(text, "null" | "None" | "none" | "NULL")
}
