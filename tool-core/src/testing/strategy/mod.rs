//! Arguments to draw from a schema: right ones, and ones with one fault.

mod bounded;
mod compile;
mod conjunct;
mod draw;
mod fault;
mod scalar;
mod shapes;
#[cfg(test)]
mod tests;
mod types;
mod writing;

use std::fmt;
use std::sync::Arc;

use jsonschema::Validator;
use proptest::prelude::*;
use proptest::strategy::{NewTree, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::Value;

use bounded::Bounded;
use draw::Drawn;
pub use fault::Fault;
use shapes::Shapes;

/// How many values are tried where the schema asks for more than is drawn by itself.
const TRIES: usize = 1_000;

/// Arguments that a schema accepts: objects, whatever else its root takes.
///
/// Formats are kept to. What is drawn shrinks to fewer members, shorter texts
/// and numbers nearer to zero. Recursion ends after a few levels. Where no
/// value can be drawn, the strategy gives an error that names the keyword and
/// the place; an optional part that cannot be drawn is left out and listed by
/// [`left_out`](ValidArguments::left_out).
///
/// # Examples
///
/// ```
/// use proptest::strategy::{Strategy, ValueTree};
/// use proptest::test_runner::TestRunner;
/// use serde_json::json;
/// use tool_core::testing::{proptest, valid_arguments};
///
/// let schema = json!({
///     "type": "object",
///     "properties": { "days": { "type": "integer", "minimum": 1, "maximum": 14 } },
///     "required": ["days"],
/// });
/// let mut runner = TestRunner::deterministic();
/// let arguments = valid_arguments(&schema).new_tree(&mut runner).unwrap().current();
/// assert!((1..=14).contains(&arguments["days"].as_i64().unwrap()));
/// ```
///
/// # Example: what cannot be drawn
///
/// ```
/// use proptest::strategy::Strategy;
/// use proptest::test_runner::TestRunner;
/// use serde_json::json;
/// use tool_core::testing::{proptest, valid_arguments};
///
/// let schema = json!({
///     "type": "object",
///     "properties": { "code": { "type": "string", "pattern": "^(?!x)a$" } },
///     "required": ["code"],
/// });
/// let Err(reason) = valid_arguments(&schema).new_tree(&mut TestRunner::deterministic()) else {
///     panic!("there is no way to draw a text with a look-ahead");
/// };
/// assert!(reason.message().starts_with("cannot generate for `code`: `pattern` `^(?!x)a$`"));
/// ```
pub fn valid_arguments(schema: &Value) -> ValidArguments {
    ValidArguments {
        inner: Inner::new(schema, true),
    }
}

/// Arguments that a schema refuses for one fault, and the fault.
///
/// Each is made of arguments that the schema accepts. A format that does not
/// fit is no fault, as JSON Schema leaves it open whether that is checked.
/// `null` in the place of an optional member is none either: in a tool made by
/// `#[tool]` it counts as absent.
///
/// # Examples
///
/// ```
/// use proptest::strategy::{Strategy, ValueTree};
/// use proptest::test_runner::TestRunner;
/// use serde_json::json;
/// use tool_core::testing::{faulty_arguments, proptest};
///
/// let schema = json!({
///     "type": "object",
///     "properties": { "days": { "type": "integer", "minimum": 1, "maximum": 14 } },
///     "required": ["days"],
/// });
/// let mut runner = TestRunner::deterministic();
/// let (arguments, fault) = faulty_arguments(&schema).new_tree(&mut runner).unwrap().current();
/// let is_right = arguments["days"].as_i64().is_some_and(|days| (1..=14).contains(&days));
/// assert!(!is_right, "{arguments}: {}", fault.what);
/// ```
pub fn faulty_arguments(schema: &Value) -> FaultyArguments {
    FaultyArguments {
        inner: Inner::new(schema, false),
    }
}

/// The same, where a text in the wrong format is a fault too.
pub(super) fn faulty_with_formats(schema: &Value) -> FaultyArguments {
    FaultyArguments {
        inner: Inner::new(schema, true),
    }
}

/// The strategy that [`valid_arguments`] gives.
#[derive(Clone, Debug)]
#[must_use = "strategies do nothing unless used"]
pub struct ValidArguments {
    inner: Inner,
}

impl ValidArguments {
    /// Why parts of the schema are never drawn: one line a part, empty where
    /// everything is.
    pub fn left_out(&self) -> Vec<String> {
        match &self.inner.drawn {
            Ok(ready) => ready.shapes.left_out().map(str::to_owned).collect(),
            Err(reason) => vec![reason.to_string()],
        }
    }
}

/// The strategy that [`faulty_arguments`] gives.
#[derive(Clone, Debug)]
#[must_use = "strategies do nothing unless used"]
pub struct FaultyArguments {
    inner: Inner,
}

#[derive(Clone, Debug)]
struct Inner {
    drawn: Result<Arc<Ready>, Arc<str>>,
}

struct Ready {
    shapes: Arc<Shapes>,
    /// With formats checked, as in tools that are made from types.
    checked: Validator,
    /// With formats as remarks, as JSON Schema has it.
    plain: Validator,
    /// Whether a text in the wrong format is a fault.
    formats: bool,
}

impl Ready {
    /// Whether both ways to read a format accept a value.
    fn accepts(&self, value: &Value) -> bool {
        self.checked.is_valid(value) && self.plain.is_valid(value)
    }

    /// Whether a value is refused however a format is read, or by a check of
    /// formats where that is what counts. Arguments are always an object.
    fn refuses(&self, value: &Value) -> bool {
        !value.is_object()
            || (!self.checked.is_valid(value) && (self.formats || !self.plain.is_valid(value)))
    }
}

impl fmt::Debug for Ready {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shapes.fmt(formatter)
    }
}

impl Inner {
    fn new(schema: &Value, formats: bool) -> Self {
        let ready = compile::validator(schema, true).and_then(|checked| {
            Ok(Arc::new(Ready {
                shapes: Arc::new(compile::compile(schema)?),
                checked,
                plain: compile::validator(schema, false)?,
                formats,
            }))
        });
        Self {
            drawn: ready.map_err(Arc::from),
        }
    }

    fn ready(&self) -> Result<&Arc<Ready>, proptest::test_runner::Reason> {
        self.drawn
            .as_ref()
            .map_err(|reason| reason.to_string().into())
    }
}

impl Strategy for ValidArguments {
    type Tree = Box<dyn ValueTree<Value = Value>>;
    type Value = Value;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let ready = Arc::clone(self.inner.ready()?);
        let drawn = Drawn::root(&ready.shapes);
        let keep = move |value: Value| ready.accepts(&value).then_some(value);
        Bounded::new(drawn, TRIES, "arguments that the schema accepts", keep)
            .boxed()
            .new_tree(runner)
    }
}

impl Strategy for FaultyArguments {
    type Tree = Box<dyn ValueTree<Value = (Value, Fault)>>;
    type Value = (Value, Fault);

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let ready = Arc::clone(self.inner.ready()?);
        let drawn = (Drawn::root(&ready.shapes), any::<prop::sample::Index>());
        let keep = move |(value, index): (Value, prop::sample::Index)| {
            // With one fault it would have two.
            if !ready.accepts(&value) {
                return None;
            }
            let candidates = fault::candidates(&ready.shapes, &value);
            if candidates.is_empty() {
                return None;
            }
            let first = index.index(candidates.len());
            let (before, after) = candidates.split_at(first);
            after.iter().chain(before).find_map(|candidate| {
                let faulty = candidate.put_into(&value);
                ready
                    .refuses(&faulty)
                    .then(|| (faulty, candidate.fault.clone()))
            })
        };
        Bounded::new(drawn, TRIES, "arguments with a fault", keep)
            .boxed()
            .new_tree(runner)
    }
}
