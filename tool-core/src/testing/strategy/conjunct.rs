//! All that a schema asks of one value, gathered in one place: what `$ref` and
//! `allOf` lead to is merged, and unions are kept aside.

use serde_json::{Map, Value, json};

/// A chain of references and `allOf` that is longer leads nowhere.
const LONGEST_CHAIN: usize = 32;

/// Words about a schema, which ask nothing of a value.
const SILENT: [&str; 16] = [
    "$schema",
    "$id",
    "id",
    "$defs",
    "definitions",
    "$comment",
    "$anchor",
    "$vocabulary",
    "title",
    "description",
    "default",
    "examples",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
];

/// Keywords that the shapes do not hold, or not fully: what is drawn is
/// checked against them afterwards.
const AFTERWARDS: [&str; 13] = [
    "not",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "minContains",
    "maxContains",
    "propertyNames",
    "patternProperties",
    "uniqueItems",
    "multipleOf",
];

/// Why a schema has no shape.
#[derive(Debug)]
pub(super) enum Refusal {
    /// No value can fit.
    Nothing,
    /// Values may fit, but cannot be drawn: why.
    Cannot(String),
}

/// All that a schema asks of one value.
#[derive(Clone, Debug, Default)]
pub(super) struct Conjunct {
    pub(super) keywords: Map<String, Value>,
    /// Lists of branches: the value has to fit one branch of each.
    pub(super) unions: Vec<Vec<Value>>,
    /// Whether what is drawn still has to be checked.
    pub(super) is_partial: bool,
}

impl Conjunct {
    /// Adds all that a schema asks.
    pub(super) fn gather(&mut self, root: &Value, schema: &Value) -> Result<(), Refusal> {
        self.gather_within(root, schema, LONGEST_CHAIN)
    }

    fn gather_within(&mut self, root: &Value, schema: &Value, left: usize) -> Result<(), Refusal> {
        let keywords = match schema {
            Value::Bool(true) => return Ok(()),
            Value::Bool(false) => return Err(Refusal::Nothing),
            Value::Object(keywords) => keywords,
            _ => return Err(Refusal::Cannot("it is no schema".to_owned())),
        };
        let Some(left) = left.checked_sub(1) else {
            return Err(Refusal::Cannot("its references go in a circle".to_owned()));
        };
        for (keyword, value) in keywords {
            match keyword.as_str() {
                "$ref" => {
                    let name = value.as_str().unwrap_or_default();
                    let target = name
                        .strip_prefix('#')
                        .and_then(|pointer| root.pointer(pointer));
                    let Some(target) = target else {
                        return Err(Refusal::Cannot(format!(
                            "`$ref` to `{name}` is no reference to a place in this schema"
                        )));
                    };
                    self.gather_within(root, target, left)?;
                }
                "$dynamicRef" | "$recursiveRef" => {
                    return Err(Refusal::Cannot(format!(
                        "`{keyword}` is not understood; write `$ref`"
                    )));
                }
                "allOf" => {
                    for branch in value.as_array().into_iter().flatten() {
                        self.gather_within(root, branch, left)?;
                    }
                }
                "anyOf" | "oneOf" => {
                    self.is_partial |= keyword == "oneOf";
                    self.unions
                        .push(value.as_array().cloned().unwrap_or_default());
                }
                "if" => {
                    let side = |name| keywords.get(name).cloned().unwrap_or(json!({}));
                    self.is_partial = true;
                    self.unions.push(vec![
                        json!({ "allOf": [value, side("then")] }),
                        side("else"),
                    ]);
                }
                "then" | "else" => {}
                silent if SILENT.contains(&silent) => {}
                // The oldest drafts say with a flag that a bound is excluded.
                "exclusiveMinimum" | "exclusiveMaximum" if value.is_boolean() => {
                    if value == &Value::Bool(true) {
                        let bound = if keyword == "exclusiveMinimum" {
                            "minimum"
                        } else {
                            "maximum"
                        };
                        if let Some(bound) = keywords.get(bound) {
                            self.add(keyword, bound)?;
                        }
                    }
                }
                // The older drafts write a list of items where newer ones have a word of its own.
                "items" if value.is_array() => {
                    self.add("prefixItems", value)?;
                    if let Some(rest) = keywords.get("additionalItems") {
                        self.add("items", rest)?;
                    }
                }
                "additionalItems" => {}
                _ => self.add(keyword, value)?,
            }
        }
        Ok(())
    }

    /// Adds one keyword, beside what is there of the same name.
    fn add(&mut self, keyword: &str, value: &Value) -> Result<(), Refusal> {
        self.is_partial |= AFTERWARDS.contains(&keyword);
        if keyword == "properties" || keyword == "additionalProperties" {
            return self.add_members(keyword, value);
        }
        let Some(known) = self.keywords.get(keyword).filter(|known| *known != value) else {
            self.keywords.insert(keyword.to_owned(), value.clone());
            return Ok(());
        };
        let both = match keyword {
            "type" => common_types(known, value).ok_or(Refusal::Nothing)?,
            "enum" => {
                let theirs = value.as_array().map_or(&[][..], Vec::as_slice);
                let common: Vec<Value> = known
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter(|known| theirs.contains(known))
                    .cloned()
                    .collect();
                if common.is_empty() {
                    return Err(Refusal::Nothing);
                }
                common.into()
            }
            "const" => return Err(Refusal::Nothing),
            "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
                if value.as_f64() > known.as_f64() {
                    value.clone()
                } else {
                    known.clone()
                }
            }
            "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
                if value.as_f64() < known.as_f64() {
                    value.clone()
                } else {
                    known.clone()
                }
            }
            "required" => {
                let mut names = known.as_array().cloned().unwrap_or_default();
                for name in value.as_array().into_iter().flatten() {
                    if !names.contains(name) {
                        names.push(name.clone());
                    }
                }
                names.into()
            }
            "items" => json!({ "allOf": [known, value] }),
            // One of the two is drawn, and the other checked.
            _ => {
                self.is_partial = true;
                return Ok(());
            }
        };
        self.keywords.insert(keyword.to_owned(), both);
        Ok(())
    }

    /// `properties` and `additionalProperties`, which ask something of each
    /// other only where they stand in one schema: what is drawn is checked.
    fn add_members(&mut self, keyword: &str, value: &Value) -> Result<(), Refusal> {
        if !value.is_object() && !value.is_boolean() {
            return Err(Refusal::Cannot(format!("`{keyword}` is no schema")));
        }
        match self.keywords.get_mut(keyword) {
            None => {
                self.keywords.insert(keyword.to_owned(), value.clone());
            }
            Some(known) if known == value => {}
            Some(Value::Object(known)) if keyword == "properties" => {
                self.is_partial = true;
                for (name, schema) in value.as_object().into_iter().flatten() {
                    match known.get_mut(name) {
                        Some(known) if known == schema => {}
                        Some(known) => *known = json!({ "allOf": [known.take(), schema] }),
                        None => {
                            known.insert(name.clone(), schema.clone());
                        }
                    }
                }
            }
            Some(known) => {
                self.is_partial = true;
                *known = json!({ "allOf": [known.take(), value] });
            }
        }
        Ok(())
    }
}

/// The types that two `type`s have in common.
fn common_types(left: &Value, right: &Value) -> Option<Value> {
    let right = names(right);
    let mut common: Vec<Value> = Vec::new();
    for name in names(left) {
        let both = match name {
            name if right.contains(&name) => name,
            "number" if right.contains(&"integer") => "integer",
            "integer" if right.contains(&"number") => "integer",
            _ => continue,
        };
        common.push(both.into());
    }
    match common.len() {
        0 => None,
        1 => common.pop(),
        _ => Some(common.into()),
    }
}

/// The names that a `type` holds.
pub(super) fn names(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        name => name.as_str().into_iter().collect(),
    }
}
