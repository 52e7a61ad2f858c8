//! One fault put into arguments that are right.

use serde_json::{Map, Value, json};

use super::shapes::{Id, List, Object, Others, Real, Shape, Shapes, Text, Whole, Writing};
use super::types::Types;
use crate::schema::join;

/// One fault in arguments that are otherwise right.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// Where it is, as in [`Problem::path`](crate::Problem::path): `limit`,
    /// `tags[2]`; empty for the whole.
    pub path: String,
    /// What is wrong there: `below the minimum`, `required, but missing`.
    pub what: String,
    /// What a message has to name at least: inside a union the fault may be
    /// seen in another branch.
    around: Option<String>,
}

impl Fault {
    /// Whether a problem with this path speaks of the fault: the path is that
    /// of the fault or, where the fault is inside an `anyOf` or `oneOf`, one
    /// in that union.
    ///
    /// # Examples
    ///
    /// ```
    /// use proptest::strategy::{Strategy, ValueTree};
    /// use proptest::test_runner::TestRunner;
    /// use serde_json::json;
    /// use tool_core::testing::{faulty_arguments, proptest};
    ///
    /// let schema = json!({ "type": "object", "properties": { "days": { "type": "integer" } }, "required": ["days"] });
    /// let mut runner = TestRunner::deterministic();
    /// let (_, fault) = faulty_arguments(&schema).new_tree(&mut runner).unwrap().current();
    /// assert!(fault.is_named_by(&fault.path));
    /// assert!(!fault.is_named_by("elsewhere"));
    /// ```
    pub fn is_named_by(&self, path: &str) -> bool {
        if path == self.path {
            return true;
        }
        let Some(around) = &self.around else {
            return false;
        };
        path.strip_prefix(around.as_str()).is_some_and(|rest| {
            around.is_empty() || rest.is_empty() || rest.starts_with(['.', '['])
        })
    }
}

/// One step into a value.
#[derive(Clone, Debug)]
enum Step {
    Member(String),
    Item(usize),
}

#[derive(Debug)]
enum Edit {
    Replace(Value),
    Insert(String, Value),
    Remove(String),
}

/// A fault and how it is put in.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) fault: Fault,
    steps: Vec<Step>,
    edit: Edit,
}

impl Candidate {
    /// The arguments with the fault in them.
    pub(super) fn put_into(&self, arguments: &Value) -> Value {
        let mut changed = arguments.clone();
        let mut place = &mut changed;
        for step in &self.steps {
            let next = match step {
                Step::Member(name) => place.get_mut(name),
                Step::Item(index) => place.get_mut(index),
            };
            match next {
                Some(next) => place = next,
                // The steps are those of this value.
                None => return arguments.clone(),
            }
        }
        match (&self.edit, place) {
            (Edit::Replace(value), place) => *place = value.clone(),
            (Edit::Insert(name, value), Value::Object(members)) => {
                members.insert(name.clone(), value.clone());
            }
            (Edit::Remove(name), Value::Object(members)) => {
                members.shift_remove(name);
            }
            _ => {}
        }
        changed
    }
}

/// Every fault that arguments of these shapes may be given. Not all of them
/// are refused: the shapes know less than the schema.
pub(super) fn candidates(shapes: &Shapes, arguments: &Value) -> Vec<Candidate> {
    let mut finder = Finder {
        shapes,
        found: Vec::new(),
        steps: Vec::new(),
    };
    let root = Place {
        path: String::new(),
        around: None,
        is_optional: false,
    };
    finder.visit(shapes.root, arguments, &root);
    finder.found
}

/// Where a value stands.
#[derive(Clone)]
struct Place {
    path: String,
    around: Option<String>,
    /// Whether it may be absent, and `null` may count as that.
    is_optional: bool,
}

struct Finder<'a> {
    shapes: &'a Shapes,
    found: Vec<Candidate>,
    steps: Vec<Step>,
}

impl Finder<'_> {
    fn add(&mut self, place: &Place, what: &str, edit: Edit) {
        let fault = Fault {
            path: place.path.clone(),
            what: what.to_owned(),
            around: place.around.clone(),
        };
        self.add_fault(fault, edit);
    }

    fn add_fault(&mut self, fault: Fault, edit: Edit) {
        /// Enough to choose from, also in a list of thousands of items.
        const MOST: usize = 5_000;
        if self.found.len() < MOST {
            self.found.push(Candidate {
                fault,
                steps: self.steps.clone(),
                edit,
            });
        }
    }

    fn visit(&mut self, id: Id, value: &Value, place: &Place) {
        self.wrong_types(id, place);
        self.inside(id, value, place);
    }

    fn wrong_types(&mut self, id: Id, place: &Place) {
        let taken = self.types(id, 0);
        let wrong = [
            (Types::TEXT, json!("of the wrong type")),
            (Types::WHOLE, json!(17)),
            (Types::FRACTION, json!(3.5)),
            (Types::TRUTH, json!(true)),
            (Types::LIST, json!([])),
            (Types::OBJECT, json!({})),
            (Types::NULL, Value::Null),
        ];
        for (kind, value) in wrong {
            let is_absent = value.is_null() && place.is_optional;
            if taken & kind == 0 && !is_absent {
                self.add(place, "of the wrong type", Edit::Replace(value));
            }
        }
    }

    fn inside(&mut self, id: Id, value: &Value, place: &Place) {
        match (self.shapes.get(id), value) {
            (Shape::Checked(inner, _), _) => self.inside(*inner, value, place),
            (Shape::Choice(branches), _) => {
                let around = place.around.clone().or_else(|| Some(place.path.clone()));
                let place = Place {
                    around,
                    ..place.clone()
                };
                for branch in branches {
                    self.inside(*branch, value, &place);
                }
            }
            (Shape::Values(_), _) => {
                let other = json!("none of the values");
                self.add(place, "none of the values", Edit::Replace(other));
            }
            (Shape::Integer(range), Value::Number(_)) => self.outside(range, place),
            (Shape::Number(range), Value::Number(_)) => self.beyond(range, place),
            (Shape::Text(text), Value::String(value)) => self.written_wrong(text, value, place),
            (Shape::List(list), Value::Array(items)) => self.list(list, items, place),
            (Shape::Object(object), Value::Object(members)) => {
                self.object(object, members, place);
            }
            _ => {}
        }
    }

    fn outside(&mut self, range: &Whole, place: &Place) {
        let number = |number: i128| i64::try_from(number).ok().map(Value::from);
        if let Some(below) = number(range.least - 1) {
            self.add(place, "below the minimum", Edit::Replace(below));
        }
        if let Some(above) = number(range.most + 1) {
            self.add(place, "above the maximum", Edit::Replace(above));
        }
        if range.step > 1
            && let Some(between) = number(range.least + 1)
        {
            self.add(place, "no multiple", Edit::Replace(between));
        }
    }

    fn beyond(&mut self, range: &Real, place: &Place) {
        if let Some(least) = range.least {
            let below = json!(least - 1.0 - least.abs() / 16.0);
            self.add(place, "below the minimum", Edit::Replace(below));
        }
        if let Some(most) = range.most {
            let above = json!(most + 1.0 + most.abs() / 16.0);
            self.add(place, "above the maximum", Edit::Replace(above));
        }
        if let Some(step) = range.step {
            let between = json!(range.least.unwrap_or(0.0) + step * 0.37);
            self.add(place, "no multiple", Edit::Replace(between));
        }
    }

    fn written_wrong(&mut self, text: &Text, value: &str, place: &Place) {
        if text.least > 0 {
            let short: String = value.chars().take(text.least - 1).collect();
            self.add(place, "too short", Edit::Replace(short.into()));
        }
        if let Some(most) = text.most {
            let missing = (most + 1).saturating_sub(value.chars().count());
            let long = format!("{value}{}", "a".repeat(missing));
            self.add(place, "too long", Edit::Replace(long.into()));
        }
        let what = match &text.writing {
            Writing::Free => return,
            Writing::Pattern { pattern, .. } => format!("not in the pattern `{pattern}`"),
            Writing::Format(format) => format!("not in the format `{format}`"),
        };
        for wrong in ["", " \u{1f600} ", "\n", "zz zz", "-1"] {
            self.add(place, &what, Edit::Replace(wrong.into()));
        }
    }

    fn list(&mut self, list: &List, items: &[Value], place: &Place) {
        if list.least > 0 && items.len() >= list.least {
            let few = items.iter().take(list.least - 1).cloned().collect();
            self.add(place, "too few items", Edit::Replace(Value::Array(few)));
        }
        if let (Some(most), Some(last)) = (list.most, items.last()) {
            let mut many = items.to_vec();
            many.resize(most + 1, last.clone());
            self.add(place, "too many items", Edit::Replace(many.into()));
        }
        if list.distinct
            && let Some(last) = items.last()
        {
            let mut twice = items.to_vec();
            twice.push(last.clone());
            self.add(place, "an item twice", Edit::Replace(twice.into()));
        }
        for (index, item) in items.iter().enumerate() {
            let Some(id) = list.first.get(index).copied().or(list.rest) else {
                continue;
            };
            let inner = Place {
                path: format!("{}[{index}]", place.path),
                around: place.around.clone(),
                is_optional: false,
            };
            self.step(Step::Item(index), id, item, &inner);
        }
    }

    fn object(&mut self, object: &Object, members: &Map<String, Value>, place: &Place) {
        for member in &object.members {
            let inner = Place {
                path: join(&place.path, &member.name),
                around: place.around.clone(),
                is_optional: !member.is_required,
            };
            match members.get(&member.name) {
                Some(value) => {
                    if member.is_required {
                        let edit = Edit::Remove(member.name.clone());
                        self.add(&inner, "required, but missing", edit);
                    }
                    self.step(
                        Step::Member(member.name.clone()),
                        member.shape,
                        value,
                        &inner,
                    );
                }
                None if member.is_required => {}
                // A member that may be absent, and is there with the wrong type.
                None => {
                    let taken = self.types(member.shape, 0);
                    let wrong = [(Types::TRUTH, json!(true)), (Types::TEXT, json!("wrong"))];
                    for (kind, value) in wrong {
                        if taken & kind == 0 {
                            let edit = Edit::Insert(member.name.clone(), value);
                            self.add(&inner, "of the wrong type", edit);
                        }
                    }
                }
            }
        }
        if matches!(object.others, Others::Refused) {
            const UNKNOWN: &str = "not_a_parameter";
            let around = match (&place.around, object.patterns.is_empty()) {
                (Some(around), _) => Some(around.clone()),
                (None, true) => None,
                // Whether a pattern takes a name is said of the whole object.
                (None, false) => Some(place.path.clone()),
            };
            let fault = Fault {
                path: join(&place.path, UNKNOWN),
                what: "an unknown name".to_owned(),
                around,
            };
            self.add_fault(fault, Edit::Insert(UNKNOWN.to_owned(), json!("value")));
        }
        if let Others::Of(id) = object.others {
            for (name, value) in members {
                let is_named = object.members.iter().any(|member| member.name == *name);
                if !is_named && object.patterns.is_empty() {
                    let inner = Place {
                        path: join(&place.path, name),
                        around: place.around.clone(),
                        is_optional: true,
                    };
                    self.step(Step::Member(name.clone()), id, value, &inner);
                }
            }
        }
    }

    fn step(&mut self, step: Step, id: Id, value: &Value, place: &Place) {
        self.steps.push(step);
        self.visit(id, value, place);
        self.steps.pop();
    }

    /// The types that a shape takes.
    fn types(&self, id: Id, depth: usize) -> u8 {
        /// Branches inside branches, all of one value.
        const DEEPEST: usize = 100;
        if depth > DEEPEST {
            return Types::ALL;
        }
        match self.shapes.get(id) {
            Shape::Never => 0,
            Shape::Any | Shape::Cannot(_) => Types::ALL,
            Shape::Integer(_) => Types::WHOLE,
            Shape::Number(_) => Types::WHOLE | Types::FRACTION,
            Shape::Text(_) => Types::TEXT,
            Shape::List(_) => Types::LIST,
            Shape::Object(_) => Types::OBJECT,
            Shape::Checked(inner, _) => self.types(*inner, depth + 1),
            Shape::Choice(branches) => branches
                .iter()
                .fold(0, |types, id| types | self.types(*id, depth + 1)),
            Shape::Values(values) => values.iter().fold(0, |types, value| {
                types
                    | match value {
                        Value::Null => Types::NULL,
                        Value::Bool(_) => Types::TRUTH,
                        Value::Number(_) => Types::WHOLE | Types::FRACTION,
                        Value::String(_) => Types::TEXT,
                        Value::Array(_) => Types::LIST,
                        Value::Object(_) => Types::OBJECT,
                    }
            }),
        }
    }
}
