//! Refused arguments, as a message from which a model can mend its call.

use serde_json::{Map, Number, Value};

use super::check::{Check, Range};
use super::secrets::Hidden;
use super::{Plan, Problem, correct, nearest};
use crate::definition::Definition;
use crate::error::{ErrorKind, ToolError};
use crate::schema::{Keeps, describe, join, lean, resolve};

/// More problems than this tell a model nothing new.
const MAX_PROBLEMS: usize = 20;
/// More problems than this are not looked for.
pub(super) const MOST_PROBLEMS: usize = 1_000;
/// A schema longer than this, in bytes, would bury the message.
const MAX_SCHEMA: usize = 2_000;

/// The error for a value that a plan has refused.
pub(super) fn refused(plan: &Plan, definition: &Definition, value: &Value) -> ToolError {
    let hidden = plan.secrets().map(|secrets| secrets.hidden(value));
    let problems = problems(plan, &definition.parameters, value, hidden.as_ref());
    let corrected = correct::corrected(plan, &definition.parameters, value);
    let error = invalid(definition, problems);
    match corrected {
        Some(corrected) => error.and_hint(&format!("Did you mean {corrected}?")),
        None => error,
    }
}

/// Every problem of a value that a plan has refused.
fn problems(plan: &Plan, schema: &Value, value: &Value, hidden: Option<&Hidden>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let finder = Finder {
        root: schema,
        hidden,
    };
    finder.find(schema, value, "", &mut problems);
    #[cfg(feature = "validator")]
    if let Some(validator) = plan.validator() {
        // The validator knows keywords that the finder has no words for.
        let room = MOST_PROBLEMS - problems.len().min(MOST_PROBLEMS);
        for problem in validator.problems(value, hidden).into_iter().take(room) {
            let told = problems
                .iter()
                .any(|known: &Problem| related(&known.path, &problem.path));
            if !told {
                problems.push(problem);
            }
        }
    }
    #[cfg(not(feature = "validator"))]
    let _ = plan;
    if problems.is_empty() {
        // Cannot happen while finder and check agree; a refusal still needs words.
        problems.push(Problem::new("", "the arguments do not fit the schema"));
    }
    problems
}

/// Whether one path is the other or leads to it.
fn related(known: &str, new: &str) -> bool {
    let (short, long) = if known.len() <= new.len() {
        (known, new)
    } else {
        (new, known)
    };
    long.strip_prefix(short)
        .is_some_and(|rest| rest.is_empty() || (!short.is_empty() && rest.starts_with(['.', '['])))
}

/// The error for a call with these problems. It shows the schema of the
/// parameters at fault and of no others.
pub(super) fn invalid(definition: &Definition, problems: Vec<Problem>) -> ToolError {
    let shown: Vec<String> = problems
        .iter()
        .take(MAX_PROBLEMS)
        .map(ToString::to_string)
        .collect();
    let mut message = format!(
        "Invalid arguments for tool '{}': {}",
        definition.name,
        shown.join("; ")
    );
    match problems.len().saturating_sub(MAX_PROBLEMS) {
        0 => message.push('.'),
        more => message.push_str(&format!("; and {more} more.")),
    }
    let mut at_fault = Map::new();
    let properties = definition.parameters.get("properties");
    for problem in &problems {
        let name = problem.parameter();
        if let Some(schema) = properties.and_then(|properties| properties.get(name)) {
            at_fault.insert(name.to_owned(), lean(schema, Keeps::Nothing).into_owned());
        }
    }
    let error = ToolError::with_kind(ErrorKind::InvalidArguments, message).with_problems(problems);
    if at_fault.is_empty() {
        return error;
    }
    let schema = Value::Object(at_fault).to_string();
    if schema.len() > MAX_SCHEMA {
        return error;
    }
    error.with_hint(format!("Schema: {schema}"))
}

/// Finds problems by the keywords that it has words for.
pub(super) struct Finder<'a> {
    root: &'a Value,
    /// What is not quoted.
    hidden: Option<&'a Hidden>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(root: &'a Value) -> Self {
        Self { root, hidden: None }
    }

    /// Whether there is nothing to say against a value.
    pub(super) fn fits(&self, schema: &Value, value: &Value) -> bool {
        let mut problems = Vec::new();
        self.find(schema, value, "", &mut problems);
        problems.is_empty()
    }

    fn find(&self, schema: &Value, value: &Value, path: &str, problems: &mut Vec<Problem>) {
        if problems.len() >= MOST_PROBLEMS {
            return;
        }
        let schema = resolve(self.root, schema);
        let Some(keywords) = schema.as_object() else {
            if schema == &Value::Bool(false) {
                problems.push(Problem::new(path, "not allowed here"));
            }
            return;
        };
        if !type_fits(keywords, value) || !value_fits(keywords, value) {
            problems.push(self.mismatch(schema, value, path));
            return;
        }
        match value {
            Value::Object(members) => self.members(keywords, members, path, problems),
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let each = keywords
                        .get("prefixItems")
                        .and_then(|list| list.get(index))
                        .or_else(|| keywords.get("items").filter(|items| items.is_object()));
                    if let Some(each) = each {
                        self.find(each, item, &format!("{path}[{index}]"), problems);
                    }
                }
            }
            _ => {}
        }
        for branch in list(keywords, "allOf") {
            self.find(branch, value, path, problems);
        }
        self.alternatives(schema, keywords, value, path, problems);
    }

    /// `anyOf` and `oneOf`: silent where a branch fits; else the problems of
    /// the one branch that was meant, or what all of them take.
    fn alternatives(
        &self,
        schema: &Value,
        keywords: &Map<String, Value>,
        value: &Value,
        path: &str,
        problems: &mut Vec<Problem>,
    ) {
        for keyword in ["anyOf", "oneOf"] {
            let branches = list(keywords, keyword);
            if branches.is_empty() {
                continue;
            }
            let found: Vec<Vec<Problem>> = branches
                .iter()
                .map(|branch| {
                    let mut found = Vec::new();
                    self.find(branch, value, path, &mut found);
                    found
                })
                .collect();
            if found.iter().any(Vec::is_empty) {
                continue;
            }
            if let Some(tag) = self.common_tag(branches)
                && let Value::Object(members) = value
            {
                problems.extend(tag.problems(self.hidden, members, path, found));
                continue;
            }
            // A branch whose complaints all lie deeper took the value's type.
            let mut deeper = found
                .into_iter()
                .filter(|found| found.iter().all(|problem| problem.path != path));
            match (deeper.next(), deeper.next()) {
                (Some(found), None) => problems.extend(found),
                _ => problems.push(self.mismatch(schema, value, path)),
            }
        }
    }

    /// The property whose constant tells the branches apart, if there is one.
    fn common_tag<'b>(&'b self, branches: &'b [Value]) -> Option<Tag<'b>> {
        let properties = |branch| resolve(self.root, branch).get("properties")?.as_object();
        let constant = |property: &'b Value| property.get("const");
        let first = branches.first().and_then(properties)?;
        let name = first
            .iter()
            .find(|(_, property)| constant(property).is_some())
            .map(|(name, _)| name.as_str())?;
        let values: Option<Vec<&Value>> = branches
            .iter()
            .map(|branch| properties(branch)?.get(name).and_then(constant))
            .collect();
        values.map(|values| Tag { name, values })
    }

    fn members(
        &self,
        keywords: &Map<String, Value>,
        members: &Map<String, Value>,
        path: &str,
        problems: &mut Vec<Problem>,
    ) {
        let properties = keywords.get("properties").and_then(Value::as_object);
        let at = |name: &str| join(path, name);
        for (name, value) in members {
            if problems.len() >= MOST_PROBLEMS {
                return;
            }
            if let Some(schema) = properties.and_then(|properties| properties.get(name)) {
                self.find(schema, value, &at(name), problems);
            } else if keywords.contains_key("patternProperties") {
                // Whether a pattern takes the name is for the validator to say.
            } else if keywords.get("additionalProperties") == Some(&Value::Bool(false)) {
                let known: Vec<&str> = properties
                    .into_iter()
                    .flat_map(Map::keys)
                    .map(String::as_str)
                    .collect();
                problems.push(Problem::new(
                    at(&describe::name(name)),
                    unknown(name, &known),
                ));
            } else if let Some(schema) = keywords.get("additionalProperties") {
                self.find(schema, value, &at(name), problems);
            }
        }
        for name in list(keywords, "required").iter().filter_map(Value::as_str) {
            if !members.contains_key(name) {
                problems.push(Problem::new(at(name), "required, but missing"));
            }
        }
    }

    fn mismatch(&self, schema: &Value, value: &Value, path: &str) -> Problem {
        let message = format!(
            "expected {}, got {}",
            describe::expected(self.root, schema),
            got(self.hidden, value, path)
        );
        Problem::new(path, message)
    }
}

/// The property by which the branches of a union are told apart.
struct Tag<'a> {
    name: &'a str,
    /// The constant of each branch, in order.
    values: Vec<&'a Value>,
}

impl Tag<'_> {
    /// The problems of the branch that the tag names, or of the tag itself.
    fn problems(
        &self,
        hidden: Option<&Hidden>,
        members: &Map<String, Value>,
        path: &str,
        found: Vec<Vec<Problem>>,
    ) -> Vec<Problem> {
        let sent = members.get(self.name);
        let meant = self.values.iter().position(|value| Some(*value) == sent);
        if let Some(problems) = meant.and_then(|index| found.into_iter().nth(index)) {
            return problems;
        }
        let values: Vec<Value> = self.values.iter().map(|value| (*value).clone()).collect();
        let expected = describe::one_of(&values);
        let path = join(path, self.name);
        let message = match sent {
            Some(sent) => format!("expected {expected}, got {}", got(hidden, sent, &path)),
            None => format!("required, but missing: {expected}"),
        };
        vec![Problem::new(path, message)]
    }
}

/// A value as it came, or only its kind where it may be a secret.
pub(super) fn got(hidden: Option<&Hidden>, value: &Value, path: &str) -> String {
    let is_secret = value.is_string() && describe::names_a_secret(path);
    if is_secret || hidden.is_some_and(|hidden| hidden.covers(path)) {
        describe::kind(value).to_owned()
    } else {
        describe::got(value)
    }
}

fn list<'a>(keywords: &'a Map<String, Value>, keyword: &str) -> &'a [Value] {
    keywords
        .get(keyword)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// Whether a value is of one of the types.
fn type_fits(keywords: &Map<String, Value>, value: &Value) -> bool {
    let is = |name: &Value| match name.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => {
            value.is_i64()
                || value.is_u64()
                || value.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        Some("number") => value.is_number(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => true,
    };
    match keywords.get("type") {
        Some(Value::Array(names)) => names.iter().any(is),
        Some(name) => is(name),
        None => true,
    }
}

/// Whether a value of the right type is within the bounds.
fn value_fits(keywords: &Map<String, Value>, value: &Value) -> bool {
    if let Some(values) = keywords.get("enum").and_then(Value::as_array)
        && !values.contains(value)
    {
        return false;
    }
    if keywords
        .get("const")
        .is_some_and(|constant| constant != value)
    {
        return false;
    }
    let size_fits = |minimum: &str, maximum: &str, size: usize| {
        let bound = |keyword| keywords.get(keyword).and_then(Value::as_u64);
        bound(minimum).is_none_or(|bound| bound <= size as u64)
            && bound(maximum).is_none_or(|bound| bound >= size as u64)
    };
    match value {
        Value::Number(number) => number_fits(keywords, number),
        Value::String(text) => size_fits("minLength", "maxLength", text.chars().count()),
        Value::Array(items) => size_fits("minItems", "maxItems", items.len()),
        Value::Object(members) => size_fits("minProperties", "maxProperties", members.len()),
        _ => true,
    }
}

/// Whole numbers are compared exactly, and anything else as a range.
fn number_fits(keywords: &Map<String, Value>, number: &Number) -> bool {
    let value = Value::Number(number.clone());
    let whole = Check::integer(&Map::new()).is_some_and(|check| check.accepts(&value));
    let exact = Check::integer(keywords).filter(|_| whole);
    exact
        .or_else(|| Range::of(keywords).map(Check::Number))
        .is_none_or(|check| check.accepts(&value))
}

/// The message for a name that is none of the known ones.
fn unknown(name: &str, known: &[&str]) -> String {
    if known.is_empty() {
        return "unknown; this tool takes no arguments".to_owned();
    }
    match nearest(name, known.iter().copied()).first() {
        Some(near) => format!("unknown, did you mean `{near}`?"),
        None => format!("unknown; known are `{}`", known.join("`, `")),
    }
}
