//! The parameters of a tool.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{Findings, quoted, rules, text};
use crate::schema::{join, resolve};

/// More parameters than this and models begin to mix them up.
const MOST_PARAMETERS: usize = 12;
/// Deeper schemas are no real ones, and recursion has to end.
const DEEPEST: usize = 64;

pub(super) fn lint(parameters: &Value, findings: &mut Findings<'_>) {
    let Some(root) = parameters.as_object() else {
        return;
    };
    for keyword in ["anyOf", "oneOf", "allOf", "not", "enum"] {
        if root.contains_key(keyword) {
            findings.push(
                &rules::ROOT_KEYWORD,
                format!(
                    "the root of the parameters has `{keyword}`, which OpenAI and Anthropic refuse; take a struct"
                ),
            );
        }
    }
    let count = properties(root).count();
    if count > MOST_PARAMETERS {
        findings.push(
            &rules::MANY_PARAMETERS,
            format!("{count} parameters; with more than {MOST_PARAMETERS} models mix them up"),
        );
    }
    // No parameters at all is the usual root of a tool that needs none.
    if count == 0 && root.get("additionalProperties").is_some_and(takes_anything) {
        findings.push(
            &rules::FREE_FORM_OBJECT,
            "the parameters say nothing of their names; a model has to guess them",
        );
    }
    let mut walk = Walk {
        root: parameters,
        followed: HashSet::new(),
        findings,
    };
    walk.properties(
        root,
        Position {
            place: "",
            depth: 0,
            in_union: false,
        },
    );
}

struct Walk<'a, 'f, 't> {
    root: &'a Value,
    /// References that were followed, and whether inside a union: each is
    /// looked at once, so that a small schema cannot cost much.
    followed: HashSet<(&'a str, bool)>,
    findings: &'f mut Findings<'t>,
}

/// Where a schema stands in the whole.
#[derive(Clone, Copy)]
struct Position<'a> {
    place: &'a str,
    depth: usize,
    in_union: bool,
}

impl<'a> Walk<'a, '_, '_> {
    fn properties(&mut self, object: &'a Map<String, Value>, position: Position<'_>) {
        for (key, property) in properties(object) {
            let place = join(position.place, key);
            text::visible_at("the name of", &place, key, self.findings);
            if !is_described(self.root, property) {
                let (rule, noun) = if position.depth == 0 {
                    (&rules::PARAMETER_UNDESCRIBED, "parameter")
                } else {
                    (&rules::PROPERTY_UNDESCRIBED, "property")
                };
                let message = format!("the {noun} {} has no description", quoted(&place));
                self.findings.push(rule, message);
            }
            self.schema(
                property,
                Position {
                    place: &place,
                    depth: position.depth + 1,
                    in_union: position.in_union,
                },
            );
        }
    }

    fn schema(&mut self, schema: &'a Value, position: Position<'_>) {
        let place = position.place;
        if takes_anything(schema) {
            let message = format!(
                "{} takes anything; models do better with a type",
                quoted(place)
            );
            return self.findings.push(&rules::UNTYPED, message);
        }
        let Some(object) = schema.as_object() else {
            return;
        };
        if let Some(description) = object.get("description").and_then(Value::as_str) {
            text::visible_at("the description of", place, description, self.findings);
        }
        if position.depth > DEEPEST {
            return;
        }
        if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
            let target = resolve(self.root, schema);
            let is_broken = std::ptr::eq(target, schema);
            if !is_broken && self.followed.insert((reference, position.in_union)) {
                self.schema(target, position);
            }
            return;
        }
        if is_free_form(object) {
            let message = format!(
                "the object {} says nothing of its keys; a model has to guess them",
                quoted(place)
            );
            self.findings.push(&rules::FREE_FORM_OBJECT, message);
        }
        self.parts(object, position);
        let in_union = self.union(object, position);
        for keyword in ["anyOf", "oneOf", "allOf"] {
            for branch in list(object, keyword) {
                let deeper = Position {
                    depth: position.depth + 1,
                    in_union,
                    ..position
                };
                // A branch is no parameter: one that takes anything widens the type.
                if branch.is_object() && !takes_anything(branch) {
                    self.schema(branch, deeper);
                }
            }
        }
    }

    /// The schemas of what the value is made of.
    fn parts(&mut self, object: &'a Map<String, Value>, position: Position<'_>) {
        self.properties(object, position);
        if let Some(values @ Value::Object(values_of)) = object.get("additionalProperties")
            && !values_of.is_empty()
        {
            let place = join(position.place, "*");
            self.schema(values, position.inside(&place));
        }
        if !is_of_type(object, "array") {
            return;
        }
        let place = format!("{}[]", position.place);
        let inside = position.inside(&place);
        match object.get("items") {
            Some(Value::Array(each)) => {
                for item in each {
                    self.schema(item, inside);
                }
            }
            Some(items) => self.schema(items, inside),
            None if object.contains_key("prefixItems") => {}
            None => self.schema(&Value::Bool(true), inside),
        }
        for item in list(object, "prefixItems") {
            self.schema(item, inside);
        }
    }

    /// Whether what is below is inside a union. Tells of one inside another.
    fn union(&mut self, object: &Map<String, Value>, position: Position<'_>) -> bool {
        if !is_union(object) {
            return position.in_union;
        }
        if position.in_union {
            let message = format!(
                "{} has alternatives inside alternatives; models mix them up",
                quoted(position.place)
            );
            self.findings.push(&rules::NESTED_UNION, message);
        }
        true
    }
}

impl Position<'_> {
    fn inside(self, place: &str) -> Position<'_> {
        Position {
            place,
            depth: self.depth + 1,
            in_union: self.in_union,
        }
    }
}

fn properties(object: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    object
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
}

fn list<'a>(object: &'a Map<String, Value>, keyword: &str) -> impl Iterator<Item = &'a Value> {
    object
        .get(keyword)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

/// Whether the property or the type that it refers to is described.
fn is_described(root: &Value, property: &Value) -> bool {
    let says = |schema: &Value| {
        schema
            .get("description")
            .and_then(Value::as_str)
            .is_some_and(|text| !text.trim().is_empty())
    };
    says(property) || says(resolve(root, property))
}

/// Whether nothing tells what kind of value is meant.
fn takes_anything(schema: &Value) -> bool {
    const TELLING: [&str; 11] = [
        "type",
        "enum",
        "const",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "if",
        "$ref",
        "properties",
        "items",
    ];
    match schema {
        Value::Bool(takes) => *takes,
        Value::Object(object) => !TELLING.iter().any(|keyword| object.contains_key(*keyword)),
        _ => false,
    }
}

/// Whether values are of this type and no other but `null`. A schema that
/// lists several types means "any of these" and is no oversight.
fn is_of_type(object: &Map<String, Value>, wanted: &str) -> bool {
    match object.get("type") {
        Some(Value::String(name)) => name == wanted,
        Some(Value::Array(names)) => {
            let mut others = names.iter().filter(|name| *name != "null");
            others.next().is_some_and(|name| name == wanted) && others.next().is_none()
        }
        _ => false,
    }
}

fn is_free_form(object: &Map<String, Value>) -> bool {
    is_of_type(object, "object")
        && properties(object).next().is_none()
        && [
            "patternProperties",
            "anyOf",
            "oneOf",
            "allOf",
            "enum",
            "const",
        ]
        .iter()
        .all(|keyword| !object.contains_key(*keyword))
        && object
            .get("additionalProperties")
            .is_none_or(takes_anything)
}

/// Whether there are two or more alternatives. `null` beside one type is an
/// optional value, and constants are an enum.
fn is_union(object: &Map<String, Value>) -> bool {
    let is_plain = |branch: &Value| {
        branch.get("const").is_some()
            || branch.get("enum").is_some()
            || branch.get("type").is_some_and(|name| name == "null")
    };
    ["anyOf", "oneOf"].iter().any(|keyword| {
        list(object, keyword)
            .filter(|branch| !is_plain(branch))
            .count()
            > 1
    })
}
