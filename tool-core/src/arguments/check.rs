//! A schema compiled to quick checks, for the keywords that most tools use.
//!
//! A check must never accept what the schema refuses. What it does not
//! understand is left to the general validator.

use serde_json::{Map, Number, Value};

use super::plan::Origin;

/// A compiled schema.
#[derive(Debug, PartialEq)]
pub(crate) enum Check {
    Any,
    Null,
    Boolean,
    Integer {
        minimum: i128,
        maximum: i128,
    },
    Number(Range),
    Text {
        minimum: u64,
        maximum: u64,
    },
    OneOf(Vec<String>),
    Array {
        items: Box<Check>,
        minimum: u64,
        maximum: u64,
    },
    Object(Box<Members>),
    Either(Vec<Check>),
}

/// Bounds of a number, each with whether the bound itself is out.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Range {
    minimum: Option<f64>,
    maximum: Option<f64>,
    above: Option<f64>,
    below: Option<f64>,
}

/// The members of an object.
#[derive(Debug, PartialEq)]
pub(crate) struct Members {
    pub(crate) properties: Vec<Property>,
    /// What other members must be; `None` where there may be none.
    pub(crate) others: Option<Check>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) check: Check,
    pub(crate) required: bool,
    /// `null` counts as absent.
    pub(crate) null_is_absent: bool,
}

/// How the keywords of one schema are read.
#[derive(Clone, Copy)]
struct Rules {
    origin: Origin,
    /// Whether a `format` is checked.
    formats_count: bool,
}

/// Keywords that decide what is accepted and that no check understands. A word
/// that is in no draft decides nothing.
const ASSERTIONS: [&str; 38] = [
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "$id",
    "id",
    "$anchor",
    "$dynamicAnchor",
    "$vocabulary",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
    "prefixItems",
    "additionalItems",
    "contains",
    "minContains",
    "maxContains",
    "unevaluatedItems",
    "unevaluatedProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "uniqueItems",
    "multipleOf",
    "pattern",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "extends",
    "disallow",
    "divisibleBy",
];

impl Check {
    /// The check of a whole schema, or `None` where it says more than a check understands.
    pub(crate) fn compile(schema: &Value, origin: Origin) -> Option<Self> {
        let formats_count = match schema.get("$schema").map(Value::as_str) {
            None => origin == Origin::Declared,
            Some(Some(draft)) if draft.contains("draft/2020-12/") => false,
            Some(Some(draft)) if draft.contains("draft-07/") => true,
            // Drafts before that read some keywords in another way.
            Some(_) => return None,
        };
        let rules = Rules {
            origin,
            formats_count,
        };
        Self::compile_part(schema, rules)
    }

    fn compile_part(schema: &Value, rules: Rules) -> Option<Self> {
        let schema = match schema {
            Value::Bool(true) => return Some(Self::Any),
            Value::Object(schema) => schema,
            _ => return None,
        };
        if schema.keys().any(|key| ASSERTIONS.contains(&key.as_str())) {
            return None;
        }
        // A format is a promise of a native type and of older drafts, and a
        // mere note elsewhere.
        if rules.formats_count && schema.contains_key("format") {
            return None;
        }
        if let Some(values) = schema.get("enum") {
            return Self::one_of(schema, values.as_array()?);
        }
        if let Some(constant) = schema.get("const") {
            return Self::one_of(schema, std::slice::from_ref(constant));
        }
        match schema.get("type") {
            Some(Value::String(name)) => Self::of_type(schema, name, rules),
            // Each type has its own bounds, which say nothing to the others.
            Some(Value::Array(names)) => names
                .iter()
                .map(|name| Self::of_type(schema, name.as_str()?, rules))
                .collect::<Option<_>>()
                .map(Self::Either),
            Some(_) => None,
            None => {
                let typed = [
                    "minimum",
                    "maximum",
                    "exclusiveMinimum",
                    "exclusiveMaximum",
                    "minLength",
                    "maxLength",
                    "minItems",
                    "maxItems",
                    "items",
                    "properties",
                    "required",
                    "additionalProperties",
                ];
                let free = typed.iter().all(|keyword| !schema.contains_key(*keyword));
                free.then_some(Self::Any)
            }
        }
    }

    fn one_of(schema: &Map<String, Value>, values: &[Value]) -> Option<Self> {
        if !matches!(schema.get("type"), None | Some(Value::String(_)))
            || schema.get("type").is_some_and(|name| name != "string")
            || schema.contains_key("minLength")
            || schema.contains_key("maxLength")
            || (schema.contains_key("enum") && schema.contains_key("const"))
        {
            return None;
        }
        let values: Option<Vec<String>> = values
            .iter()
            .map(|value| value.as_str().map(str::to_owned))
            .collect();
        values.map(Self::OneOf)
    }

    fn of_type(schema: &Map<String, Value>, name: &str, rules: Rules) -> Option<Self> {
        match name {
            "null" => Some(Self::Null),
            "boolean" => Some(Self::Boolean),
            "integer" => Self::integer(schema),
            "number" => Range::of(schema).map(Self::Number),
            "string" => Some(Self::Text {
                minimum: size(schema, "minLength", 0)?,
                maximum: size(schema, "maxLength", u64::MAX)?,
            }),
            "array" => Some(Self::Array {
                items: match schema.get("items") {
                    Some(items) => Box::new(Self::compile_part(items, rules)?),
                    None => Box::new(Self::Any),
                },
                minimum: size(schema, "minItems", 0)?,
                maximum: size(schema, "maxItems", u64::MAX)?,
            }),
            "object" => {
                Members::compile(schema, rules).map(|members| Self::Object(Box::new(members)))
            }
            _ => None,
        }
    }

    pub(super) fn integer(schema: &Map<String, Value>) -> Option<Self> {
        let limit = |keyword: &str, exclusive: &str, direction: i128| {
            let plain = match schema.get(keyword) {
                Some(value) => Some(whole(value.as_number()?)?),
                None => None,
            };
            let open = match schema.get(exclusive) {
                Some(value) => Some(whole(value.as_number()?)? + direction),
                None => None,
            };
            Some((plain, open))
        };
        let (minimum, above) = limit("minimum", "exclusiveMinimum", 1)?;
        let (maximum, below) = limit("maximum", "exclusiveMaximum", -1)?;
        Some(Self::Integer {
            minimum: minimum.max(above).unwrap_or(i128::MIN),
            maximum: [maximum, below]
                .into_iter()
                .flatten()
                .min()
                .unwrap_or(i128::MAX),
        })
    }

    /// Whether the schema accepts a value.
    pub(crate) fn accepts(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Any, _) | (Self::Null, Value::Null) | (Self::Boolean, Value::Bool(_)) => true,
            (Self::Either(checks), value) => checks.iter().any(|check| check.accepts(value)),
            (Self::Integer { minimum, maximum }, Value::Number(number)) => {
                // An integer below the least of 64 bits is read as the float that
                // is equal to that least, so that the float is not taken for it.
                let rounded = *minimum == i128::from(i64::MIN)
                    && number.is_f64()
                    && whole(number) == Some(*minimum);
                !rounded
                    && whole(number).is_some_and(|number| (*minimum..=*maximum).contains(&number))
            }
            (Self::Number(range), Value::Number(number)) => range.holds(number),
            (Self::Text { minimum, maximum }, Value::String(text)) => {
                let (minimum, maximum) = (*minimum, *maximum);
                if minimum == 0 && maximum == u64::MAX {
                    return true;
                }
                (minimum..=maximum).contains(&(text.chars().count() as u64))
            }
            (Self::OneOf(values), Value::String(text)) => values.contains(text),
            (
                Self::Array {
                    items,
                    minimum,
                    maximum,
                },
                Value::Array(list),
            ) => {
                (*minimum..=*maximum).contains(&(list.len() as u64))
                    && (**items == Self::Any || list.iter().all(|item| items.accepts(item)))
            }
            (Self::Object(members), Value::Object(object)) => members.accept(object),
            _ => false,
        }
    }

    /// Whether a piece of JSON text is accepted, where that can be told
    /// without parsing it; `None` where it cannot.
    pub(crate) fn accepts_raw(&self, raw: &str) -> Option<bool> {
        let first = raw.bytes().next()?;
        match self {
            Self::Boolean => Some(first == b't' || first == b'f'),
            Self::Null => Some(first == b'n'),
            Self::Text {
                minimum: 0,
                maximum: u64::MAX,
            } => Some(first == b'"'),
            Self::Integer { minimum, maximum } => {
                let number: i128 = match raw.parse::<i64>() {
                    Ok(number) => number.into(),
                    Err(_) => raw.parse::<u64>().ok()?.into(),
                };
                Some((*minimum..=*maximum).contains(&number))
            }
            Self::Text { minimum, maximum } => {
                let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
                let length = inner.chars().count() as u64;
                // An escape is several characters of the text and one of the string.
                (!inner.contains('\\')).then(|| (*minimum..=*maximum).contains(&length))
            }
            Self::Number(_) if first != b'-' && !first.is_ascii_digit() => Some(false),
            Self::Number(range) if *range == Range::default() => Some(true),
            Self::Number(range) => {
                let value: f64 = raw.parse().ok()?;
                let number = Number::from_f64(value).filter(|_| value.abs() < EXACT)?;
                Some(range.holds(&number))
            }
            Self::OneOf(values) => {
                let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
                (!inner.contains('\\')).then(|| values.iter().any(|value| value == inner))
            }
            _ => None,
        }
    }
}

impl Members {
    fn compile(schema: &Map<String, Value>, rules: Rules) -> Option<Self> {
        let required: Vec<&str> = match schema.get("required") {
            Some(Value::Array(names)) => names.iter().map(Value::as_str).collect::<Option<_>>()?,
            Some(_) => return None,
            None => Vec::new(),
        };
        let mut properties = Vec::new();
        if let Some(schemas) = schema.get("properties") {
            for (name, schema) in schemas.as_object()? {
                let check = Check::compile_part(schema, rules)?;
                let required = required.contains(&name.as_str());
                properties.push(Property {
                    name: name.clone(),
                    null_is_absent: rules.origin == Origin::Declared
                        && !required
                        && !check.accepts(&Value::Null),
                    check,
                    required,
                });
            }
        }
        if required
            .iter()
            .any(|name| properties.iter().all(|property| property.name != *name))
        {
            // Required without a schema of its own: rare, so not worth a case here.
            return None;
        }
        let others = match schema.get("additionalProperties") {
            None => Some(Check::Any),
            Some(Value::Bool(false)) => None,
            Some(schema) => Some(Check::compile_part(schema, rules)?),
        };
        Some(Self { properties, others })
    }

    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.properties
            .iter()
            .position(|property| property.name == name)
    }

    pub(super) fn accept(&self, object: &Map<String, Value>) -> bool {
        let mut known = 0;
        for property in &self.properties {
            match object.get(&property.name) {
                Some(value) => {
                    known += 1;
                    let absent = property.null_is_absent && value.is_null();
                    if !absent && !property.check.accepts(value) {
                        return false;
                    }
                }
                None if property.required => return false,
                None => {}
            }
        }
        if known == object.len() {
            return true;
        }
        self.others.as_ref().is_some_and(|check| {
            object
                .iter()
                .filter(|(name, _)| self.position(name).is_none())
                .all(|(_, value)| check.accepts(value))
        })
    }
}

impl Range {
    /// The bounds in a schema; `None` where one does not compare exactly.
    pub(super) fn of(schema: &Map<String, Value>) -> Option<Self> {
        Some(Self {
            minimum: bound(schema, "minimum")?,
            maximum: bound(schema, "maximum")?,
            above: bound(schema, "exclusiveMinimum")?,
            below: bound(schema, "exclusiveMaximum")?,
        })
    }

    fn holds(&self, number: &Number) -> bool {
        use std::cmp::Ordering::{Equal, Greater, Less};

        let at = |bound: Option<f64>, allowed: [std::cmp::Ordering; 2]| {
            bound.is_none_or(|bound| {
                compare(number, bound).is_some_and(|order| allowed.contains(&order))
            })
        };
        at(self.minimum, [Greater, Equal])
            && at(self.maximum, [Less, Equal])
            && at(self.above, [Greater, Greater])
            && at(self.below, [Less, Less])
    }
}

/// Compares exactly: an integer of 64 bits does not always fit an `f64`.
fn compare(number: &Number, bound: f64) -> Option<std::cmp::Ordering> {
    match integer(number) {
        Some(value) if bound.fract() == 0.0 && bound.abs() < EXACT =>
        {
            #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
            Some(value.cmp(&(bound as i128)))
        }
        _ => number.as_f64()?.partial_cmp(&bound),
    }
}

/// Whole numbers up to here are exact in an `f64`.
const EXACT: f64 = 9_007_199_254_740_992.0;

fn integer(number: &Number) -> Option<i128> {
    number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))
}

/// The integer that a number is: `3`, and also `3.0`, which JSON Schema counts as one.
fn whole(number: &Number) -> Option<i128> {
    integer(number).or_else(|| {
        let value = number.as_f64()?;
        #[expect(clippy::cast_possible_truncation, reason = "in range by the guard")]
        (value.fract() == 0.0 && value.abs() < 1.0e38).then_some(value as i128)
    })
}

/// A numeric bound that compares exactly; `None` where there is one that does not.
#[expect(clippy::option_option, reason = "absent is fine, inexact is not")]
fn bound(schema: &Map<String, Value>, keyword: &str) -> Option<Option<f64>> {
    match schema.get(keyword) {
        None => Some(None),
        Some(value) => {
            let bound = value.as_number()?.as_f64()?;
            (bound.abs() < EXACT).then_some(Some(bound))
        }
    }
}

fn size(schema: &Map<String, Value>, keyword: &str, default: u64) -> Option<u64> {
    match schema.get(keyword) {
        None => Some(default),
        Some(value) => value.as_u64(),
    }
}
