//! From a schema to the shapes of its values.

use std::collections::HashMap;

use jsonschema::{Registry, Validator};
use serde_json::{Map, Value, json};

use super::conjunct::{Conjunct, Refusal, names};
use super::scalar::{integer, number, size, text};
use super::shapes::{Id, List, Member, Object, Others, Shape, Shapes, heights};
use crate::schema::join;

/// A schema with more shapes than this multiplies its unions out.
const MOST_SHAPES: usize = 4_000;
/// A schema that nests deeper has no end.
const DEEPEST: usize = 96;
/// So many bytes of schemas, those that merging makes included.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// Lengths and counts beyond this make no better tests, only slower ones.
pub(super) const LARGEST: u64 = 20_000;
/// Where the schema is put, for those of its parts that are checked alone.
const ADDRESS: &str = "json-schema:///tool";
/// Where the parts are put inside it.
const PARTS: &str = "x-checked";

/// The shapes of the values that a schema takes and that are objects.
pub(super) fn compile(schema: &Value) -> Result<Shapes, String> {
    let mut compiler = Compiler {
        root: schema,
        list: Vec::new(),
        known: HashMap::new(),
        checks: Vec::new(),
        bytes: 0,
    };
    let object = json!({ "type": "object" });
    let root = compiler.shape_of(&[schema, &object], "", 0);
    let heights = heights(&compiler.list);
    let checks = validators(schema, &compiler.checks)?;
    let shapes = Shapes {
        list: compiler.list,
        heights,
        checks,
        root,
    };
    match shapes.height(root) {
        Some(_) => Ok(shapes),
        None => Err(match shapes.left_out().next() {
            Some(reason) => reason.to_owned(),
            None => "cannot generate: no object fits the schema".to_owned(),
        }),
    }
}

/// What accepts exactly what a schema accepts, formats included if so asked.
pub(super) fn validator(schema: &Value, formats: bool) -> Result<Validator, String> {
    jsonschema::options()
        .should_validate_formats(formats)
        .build(schema)
        .map_err(|error| format!("not a usable JSON Schema: {error}"))
}

/// Validators of parts of a schema, whose references lead into the whole.
fn validators(root: &Value, parts: &[Value]) -> Result<Vec<Validator>, String> {
    let unusable = |error: &dyn std::fmt::Display| format!("not a usable JSON Schema: {error}");
    if parts.is_empty() {
        return Ok(Vec::new());
    }
    let mut whole = root.as_object().cloned().unwrap_or_default();
    whole.shift_remove("$id");
    whole.shift_remove("id");
    let draft = whole.get("$schema").cloned();
    whole.insert(PARTS.to_owned(), parts.into());
    let registry = Registry::new()
        .add(ADDRESS, Value::Object(whole))
        .and_then(jsonschema::RegistryBuilder::prepare)
        .map_err(|error| unusable(&error))?;
    (0..parts.len())
        .map(|index| {
            let mut schema = json!({ "$ref": format!("{ADDRESS}#/{PARTS}/{index}") });
            if let Some(draft) = &draft {
                schema["$schema"] = draft.clone();
            }
            jsonschema::options()
                .with_registry(&registry)
                .should_validate_formats(true)
                .build(&schema)
                .map_err(|error| unusable(&error))
        })
        .collect()
}

struct Compiler<'a> {
    root: &'a Value,
    list: Vec<Shape>,
    /// Shapes by the text of their schema, which is what ends a recursion.
    known: HashMap<String, Id>,
    checks: Vec<Value>,
    bytes: usize,
}

impl Compiler<'_> {
    fn push(&mut self, shape: Shape) -> Id {
        self.list.push(shape);
        self.list.len() - 1
    }

    fn shape(&mut self, schema: &Value, path: &str, depth: usize) -> Id {
        self.shape_of(&[schema], path, depth)
    }

    /// The shape of values that fit all of the schemas.
    fn shape_of(&mut self, schemas: &[&Value], path: &str, depth: usize) -> Id {
        let whole = match schemas {
            [one] => (*one).clone(),
            all => json!({ "allOf": all }),
        };
        let key = whole.to_string();
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        self.bytes = self.bytes.saturating_add(key.len());
        let id = self.push(Shape::Never);
        self.known.insert(key, id);
        let mut conjunct = Conjunct::default();
        let gathered = schemas
            .iter()
            .try_for_each(|schema| conjunct.gather(self.root, schema));
        let mut partial = false;
        let mut shape = match gathered {
            Ok(()) => self.of(conjunct, path, depth, &mut partial),
            Err(refusal) => refused(refusal, path),
        };
        if partial {
            let inner = self.push(shape);
            self.checks.push(whole);
            shape = Shape::Checked(inner, self.checks.len() - 1);
        }
        if let Some(place) = self.list.get_mut(id) {
            *place = shape;
        }
        id
    }

    fn of(
        &mut self,
        mut conjunct: Conjunct,
        path: &str,
        depth: usize,
        partial: &mut bool,
    ) -> Shape {
        if depth > DEEPEST || self.list.len() > MOST_SHAPES || self.bytes > MOST_BYTES {
            return cannot("the schema nests too deep, or has too many unions", path);
        }
        *partial |= conjunct.is_partial;
        if let Some(branches) = conjunct.unions.pop() {
            let mut shapes = Vec::new();
            for branch in &branches {
                let mut both = conjunct.clone();
                let shape = match both.gather(self.root, branch) {
                    Ok(()) => self.of(both, path, depth + 1, partial),
                    Err(refusal) => refused(refusal, path),
                };
                shapes.push(self.push(shape));
            }
            return Shape::Choice(shapes);
        }
        let keywords = &conjunct.keywords;
        if let Some(values) = listed(keywords) {
            *partial |= keywords.len() > 1;
            return Shape::Values(values);
        }
        let types = types(keywords);
        match types.as_slice() {
            [] => Shape::Any,
            [one] => self.of_type(one, keywords, path, depth, partial),
            several => {
                let shapes = several
                    .iter()
                    .map(|name| {
                        let shape = self.of_type(name, keywords, path, depth, partial);
                        self.push(shape)
                    })
                    .collect();
                Shape::Choice(shapes)
            }
        }
    }

    fn of_type(
        &mut self,
        name: &str,
        keywords: &Map<String, Value>,
        path: &str,
        depth: usize,
        partial: &mut bool,
    ) -> Shape {
        let sizes = match name {
            "string" => "minLength",
            "array" => "minItems",
            "object" => "minProperties",
            _ => "",
        };
        if size(keywords, sizes).is_some_and(|size| size as u64 >= LARGEST) {
            return cannot(&format!("its `{sizes}` is too large"), path);
        }
        match name {
            "null" => Shape::Values(vec![Value::Null]),
            "boolean" => Shape::Values(vec![false.into(), true.into()]),
            "integer" => integer(keywords, partial),
            "number" => number(keywords, partial),
            "string" => text(keywords, path, partial),
            "array" => self.array(keywords, path, depth),
            "object" => self.object(keywords, path, depth),
            other => cannot(&format!("there is no type `{other}`"), path),
        }
    }

    fn array(&mut self, keywords: &Map<String, Value>, path: &str, depth: usize) -> Shape {
        let each = format!("{path}[]");
        let first = keywords.get("prefixItems").and_then(Value::as_array);
        let first: Vec<Id> = first
            .into_iter()
            .flatten()
            .map(|item| self.shape(item, &each, depth + 1))
            .collect();
        let items = keywords.get("items");
        let rest = match items {
            Some(Value::Bool(false)) => None,
            Some(items) => Some(self.shape(items, &each, depth + 1)),
            // Not sent after a tuple: no type takes more than it has places for.
            None if !first.is_empty() => None,
            None => Some(self.push(Shape::Any)),
        };
        let contains = keywords.get("contains").map(|contains| {
            let shape = match items.filter(|items| items.is_object()) {
                Some(items) => self.shape_of(&[items, contains], &each, depth + 1),
                None => self.shape(contains, &each, depth + 1),
            };
            (shape, size(keywords, "minContains").unwrap_or(1))
        });
        Shape::List(List {
            first,
            rest,
            least: size(keywords, "minItems").unwrap_or(0),
            most: size(keywords, "maxItems"),
            distinct: keywords.get("uniqueItems") == Some(&Value::Bool(true)),
            contains: contains.filter(|(_, count)| *count > 0),
        })
    }

    fn object(&mut self, keywords: &Map<String, Value>, path: &str, depth: usize) -> Shape {
        let required = keywords.get("required").and_then(Value::as_array);
        let required: Vec<&str> = required
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let mut patterns = Vec::new();
        if let Some(Value::Object(schemas)) = keywords.get("patternProperties") {
            for (pattern, schema) in schemas {
                let name = json!({ "type": "string", "pattern": pattern });
                let name = self.shape(&name, &join(path, "*"), depth + 1);
                patterns.push((name, self.shape(schema, &join(path, "*"), depth + 1)));
            }
        }
        let others = match keywords.get("additionalProperties") {
            None | Some(Value::Bool(true)) => Others::Ignored,
            Some(Value::Bool(false)) => Others::Refused,
            Some(schema) => Others::Of(self.shape(schema, &join(path, "*"), depth + 1)),
        };
        let mut members = Vec::new();
        let properties = keywords.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            members.push(Member {
                shape: self.shape(schema, &join(path, name), depth + 1),
                is_required: required.contains(&name.as_str()),
                name: name.clone(),
            });
        }
        for name in required {
            if members.iter().any(|member| member.name == name) {
                continue;
            }
            let shape = match (others, patterns.first()) {
                (Others::Of(shape), _) => shape,
                (_, Some((_, shape))) => *shape,
                (Others::Ignored, None) => self.push(Shape::Any),
                (Others::Refused, None) => self.push(Shape::Never),
            };
            members.push(Member {
                name: name.to_owned(),
                shape,
                is_required: true,
            });
        }
        let names = keywords.get("propertyNames").map(|names| {
            let text = json!({ "type": "string" });
            self.shape_of(&[names, &text], &join(path, "*"), depth + 1)
        });
        Shape::Object(Object {
            members,
            others,
            names,
            patterns,
            least: size(keywords, "minProperties").unwrap_or(0),
            most: size(keywords, "maxProperties"),
        })
    }
}

pub(super) fn cannot(why: &str, path: &str) -> Shape {
    let place = match path {
        "" => "the root".to_owned(),
        path => format!("`{path}`"),
    };
    Shape::Cannot(format!("cannot generate for {place}: {why}"))
}

fn refused(refusal: Refusal, path: &str) -> Shape {
    match refusal {
        Refusal::Nothing => Shape::Never,
        Refusal::Cannot(why) => cannot(&why, path),
    }
}

/// The values that `const` or `enum` lists.
fn listed(keywords: &Map<String, Value>) -> Option<Vec<Value>> {
    if let Some(constant) = keywords.get("const") {
        return Some(vec![constant.clone()]);
    }
    keywords.get("enum")?.as_array().cloned()
}

/// The types that a schema names; where it names none, those that its
/// keywords are about.
fn types(keywords: &Map<String, Value>) -> Vec<String> {
    const ABOUT: [(&str, &[&str]); 4] = [
        (
            "object",
            &[
                "properties",
                "required",
                "additionalProperties",
                "patternProperties",
                "propertyNames",
                "minProperties",
                "maxProperties",
            ],
        ),
        (
            "array",
            &[
                "items",
                "prefixItems",
                "minItems",
                "maxItems",
                "uniqueItems",
                "contains",
            ],
        ),
        ("string", &["minLength", "maxLength", "pattern", "format"]),
        (
            "number",
            &[
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
            ],
        ),
    ];
    if let Some(value) = keywords.get("type") {
        return names(value).into_iter().map(str::to_owned).collect();
    }
    ABOUT
        .iter()
        .filter(|(_, about)| about.iter().any(|keyword| keywords.contains_key(*keyword)))
        .map(|(name, _)| (*name).to_owned())
        .collect()
}
