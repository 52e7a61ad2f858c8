//! A schema as a graph of places, which references may lead around in.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use serde_json::{Map, Value};

use super::Reading;
use super::hidden::{Place, Step};
use crate::arguments::nearest;
use crate::redact::names_a_secret;
use crate::schema::target;

/// What one schema says of where secrets are.
#[derive(Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four answers that do not depend on each other"
)]
struct Node {
    /// The value itself is one.
    is_secret: bool,
    /// It is one, or one may be inside.
    reaches: bool,
    properties: BTreeMap<String, usize>,
    /// Of members that are no property.
    others: Vec<usize>,
    /// Whether there may be none.
    is_closed: bool,
    /// Of the first items, one each.
    first: Vec<usize>,
    items: Vec<usize>,
    /// Schemas of the same value: branches, parts, what a reference leads to.
    also: Vec<usize>,
    /// Whether a value without anything inside is right here.
    takes_leaf: bool,
}

pub(super) struct Graph {
    nodes: Vec<Node>,
}

/// The root of every graph.
const ROOT: usize = 0;

impl Graph {
    pub(super) fn new(schema: &Value) -> Option<Self> {
        let mut builder = Builder {
            root: schema,
            nodes: Vec::new(),
            known: HashMap::new(),
            pending: VecDeque::new(),
        };
        builder.place(schema);
        while let Some((index, schema)) = builder.pending.pop_front() {
            let node = builder.node(schema);
            if let Some(slot) = builder.nodes.get_mut(index) {
                *slot = node;
            }
        }
        let mut graph = Self {
            nodes: builder.nodes,
        };
        graph.mark();
        graph.reaches(ROOT).then_some(graph)
    }

    /// Marks what is or leads to a secret.
    fn mark(&mut self) {
        let mut from: Vec<Vec<usize>> = self.nodes.iter().map(|_| Vec::new()).collect();
        let mut pending = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            if node.is_secret {
                pending.push(index);
            }
            for next in node.next() {
                if let Some(from) = from.get_mut(next) {
                    from.push(index);
                }
            }
        }
        while let Some(index) = pending.pop() {
            if let Some(node) = self.nodes.get_mut(index)
                && !node.reaches
            {
                node.reaches = true;
                pending.extend(from.get(index).into_iter().flatten());
            }
        }
    }

    fn reaches(&self, index: usize) -> bool {
        self.nodes.get(index).is_some_and(|node| node.reaches)
    }

    pub(super) fn concerns(&self, property: &str) -> bool {
        let all = self.all([ROOT]);
        all.iter()
            .any(|node| node.is_secret || node.member(property).any(|at| self.reaches(at)))
    }

    /// The places of a value that hold secrets, none inside another.
    pub(super) fn places(&self, value: &Value, reading: Reading) -> Vec<Place> {
        let mut places = Vec::new();
        self.walk(vec![ROOT], value, reading, &mut Vec::new(), &mut places);
        places
    }

    /// The nodes with all that are of the same value.
    fn all(&self, nodes: impl IntoIterator<Item = usize>) -> Vec<&Node> {
        let mut seen = BTreeSet::new();
        let mut pending: Vec<usize> = nodes.into_iter().collect();
        let mut all = Vec::new();
        while let Some(index) = pending.pop() {
            if seen.insert(index)
                && let Some(node) = self.nodes.get(index)
            {
                all.push(node);
                pending.extend(&node.also);
            }
        }
        all
    }

    // A value is at most 128 levels deep: deeper text is no arguments.
    fn walk(
        &self,
        nodes: Vec<usize>,
        value: &Value,
        reading: Reading,
        path: &mut Vec<Step>,
        places: &mut Vec<Place>,
    ) {
        let all = self.all(nodes);
        if !all.iter().any(|node| node.reaches) || value.is_null() {
            return;
        }
        let is_secret = match value {
            _ if all.iter().any(|node| node.is_secret) => true,
            Value::Object(_) => all
                .iter()
                .all(|node| node.properties.is_empty() && node.others.is_empty()),
            Value::Array(_) => all
                .iter()
                .all(|node| node.first.is_empty() && node.items.is_empty()),
            _ => reading == Reading::Refused || !all.iter().any(|node| node.takes_leaf),
        };
        if is_secret {
            places.push(Place::new(path.clone()));
            return;
        }
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let next = all.iter().flat_map(|node| match node.first.get(index) {
                        Some(first) => std::slice::from_ref(first),
                        None => node.items.as_slice(),
                    });
                    path.push(Step::Item(index));
                    self.walk(next.copied().collect(), item, reading, path, places);
                    path.pop();
                }
            }
            Value::Object(members) => self.members(&all, members, reading, path, places),
            _ => {}
        }
    }

    fn members(
        &self,
        all: &[&Node],
        members: &Map<String, Value>,
        reading: Reading,
        path: &mut Vec<Step>,
        places: &mut Vec<Place>,
    ) {
        /// Of more unknown names than this, each is taken for a secret's.
        const COMPARED: usize = 256;

        let is_closed = all.iter().any(|node| node.is_closed);
        let secrets: Vec<&str> = all
            .iter()
            .flat_map(|node| &node.properties)
            .filter(|(_, at)| self.reaches(**at))
            .map(|(name, _)| name.as_str())
            .collect();
        let mut compared = 0;
        for (name, value) in members {
            let next: Vec<usize> = all.iter().flat_map(|node| node.member(name)).collect();
            let declared = all.iter().any(|node| node.properties.contains_key(name));
            path.push(Step::Member(name.clone()));
            if next.iter().any(|index| self.reaches(*index)) {
                self.walk(next, value, reading, path, places);
            } else if !declared && !value.is_null() {
                compared += 1;
                let doubtful = reading == Reading::Refused
                    || is_closed
                    || compared > COMPARED
                    || names_a_secret(name)
                    || !nearest(name, secrets.iter().copied()).is_empty();
                if doubtful {
                    places.push(Place::new(path.clone()));
                }
            }
            path.pop();
        }
    }
}

impl Node {
    /// The schemas of a member.
    fn member<'n>(&'n self, name: &str) -> impl Iterator<Item = usize> + use<'n> {
        let own = self.properties.get(name).copied();
        let others = if own.is_some() {
            &[]
        } else {
            self.others.as_slice()
        };
        own.into_iter().chain(others.iter().copied())
    }

    fn next(&self) -> impl Iterator<Item = usize> {
        let lists = [&self.others, &self.first, &self.items, &self.also];
        self.properties
            .values()
            .chain(lists.into_iter().flatten())
            .copied()
    }
}

/// Makes one node a schema, each schema once.
struct Builder<'a> {
    root: &'a Value,
    nodes: Vec<Node>,
    /// By the address of the schema.
    known: HashMap<*const Value, usize>,
    pending: VecDeque<(usize, &'a Value)>,
}

impl<'a> Builder<'a> {
    /// The node of a schema, which is filled later.
    fn place(&mut self, schema: &'a Value) -> usize {
        let next = self.nodes.len();
        let index = *self.known.entry(std::ptr::from_ref(schema)).or_insert(next);
        if index == next {
            self.nodes.push(Node::default());
            self.pending.push_back((index, schema));
        }
        index
    }

    fn places(&mut self, schemas: impl IntoIterator<Item = &'a Value>) -> Vec<usize> {
        schemas
            .into_iter()
            .map(|schema| self.place(schema))
            .collect()
    }

    fn node(&mut self, schema: &'a Value) -> Node {
        let Some(keywords) = schema.as_object() else {
            return Node {
                takes_leaf: true,
                ..Node::default()
            };
        };
        let list = |keyword: &str| match keywords.get(keyword) {
            Some(Value::Array(list)) => list.as_slice(),
            Some(one @ Value::Object(_)) => std::slice::from_ref(one),
            _ => &[],
        };
        let map = |keyword: &str| {
            keywords
                .get(keyword)
                .and_then(Value::as_object)
                .into_iter()
                .flatten()
        };
        let mut node = Node {
            is_secret: keywords.get("writeOnly") == Some(&Value::Bool(true)),
            is_closed: ["additionalProperties", "unevaluatedProperties"]
                .iter()
                .any(|keyword| keywords.get(*keyword) == Some(&Value::Bool(false))),
            ..Node::default()
        };
        for (name, property) in map("properties") {
            node.properties.insert(name.clone(), self.place(property));
        }
        // Which names a pattern takes is not looked at: any may be one.
        node.others = self.places(map("patternProperties").map(|(_, schema)| schema));
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            node.others.extend(self.places(list(keyword)));
        }
        // Drafts before 2020-12 say the first items in a list of `items`.
        node.first = self.places(list("prefixItems"));
        match keywords.get("items") {
            Some(Value::Array(first)) => node.first.extend(self.places(first)),
            Some(items @ Value::Object(_)) => node.items.push(self.place(items)),
            _ => {}
        }
        for keyword in ["additionalItems", "unevaluatedItems", "contains"] {
            node.items.extend(self.places(list(keyword)));
        }
        for keyword in ["anyOf", "oneOf", "allOf", "if", "then", "else"] {
            node.also.extend(self.places(list(keyword)));
        }
        node.also
            .extend(self.places(map("dependentSchemas").map(|(_, schema)| schema)));
        let reference = keywords.get("$ref").and_then(Value::as_str);
        let referred = reference.and_then(|reference| target(self.root, reference));
        node.also.extend(self.places(referred));
        node.takes_leaf = match keywords.get("type") {
            Some(Value::String(name)) => is_leaf(name),
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).any(is_leaf),
            _ => {
                node.next().next().is_none() && !node.is_closed
                    || keywords.contains_key("enum")
                    || keywords.contains_key("const")
            }
        };
        node
    }
}

fn is_leaf(name: &str) -> bool {
    !matches!(name, "object" | "array" | "null")
}
