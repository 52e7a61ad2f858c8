//! The static record that `#[tool]` makes of a function.

use std::any::TypeId;
use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

use crate::arguments::RepairMode;
use crate::definition::{Annotations, Approval, Definition, Kind, Rate, Sequential};
use crate::docs::{doc_text, without_sections};
use crate::invocation::{Invocation, Mismatch, Work};
use crate::schema::canonical;
use crate::tool::Blueprint;

/// A tool as `#[tool]` declared it: a static record, the same for the global
/// catalogue, for [`tools!`](crate::tools) and for the handle.
///
/// Its fields belong to the macro and may change in any release.
pub struct Declaration {
    #[doc(hidden)]
    pub name: &'static str,
    #[doc(hidden)]
    pub title: Option<&'static str>,
    /// The doc comment as written: one line of the source a line.
    #[doc(hidden)]
    pub description: &'static str,
    #[doc(hidden)]
    pub input: Input,
    #[doc(hidden)]
    pub output: fn(&mut SchemaGenerator) -> Option<Schema>,
    #[doc(hidden)]
    pub options: &'static Options,
    #[doc(hidden)]
    pub state: &'static [StateType],
    /// Whether the function takes the context.
    #[doc(hidden)]
    pub uses_context: bool,
    #[doc(hidden)]
    pub invoke: fn(&Invocation<'_>) -> Result<Work, Mismatch>,
    #[doc(hidden)]
    pub blueprint: fn() -> &'static OnceLock<Blueprint>,
    #[doc(hidden)]
    pub site: Site,
}

/// What `approval_if` names, given the arguments of one call.
#[doc(hidden)]
pub type ApprovalIf = fn(&Invocation<'_>) -> Result<bool, Mismatch>;

/// The keys of `#[tool]` that most tools leave at their defaults.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub timeout: Option<Duration>,
    pub kind: Kind,
    pub annotations: Annotations,
    pub approval: bool,
    /// Whether a call with these arguments needs approval.
    pub approval_if: Option<ApprovalIf>,
    pub sequential: bool,
    pub sequential_key: Option<&'static str>,
    pub concurrency: Option<usize>,
    pub rate: Option<Rate>,
    pub max_output_bytes: Option<usize>,
    pub retries: Option<u32>,
    pub strict: Option<bool>,
    pub repair: Option<RepairMode>,
    pub tags: &'static [&'static str],
    pub meta: Option<fn(&mut Map<String, Value>)>,
}

impl Options {
    /// What `#[tool]` without keys means.
    pub const DEFAULT: Self = Self {
        timeout: None,
        kind: Kind::Standard,
        annotations: Annotations::NONE,
        approval: false,
        approval_if: None,
        sequential: false,
        sequential_key: None,
        concurrency: None,
        rate: None,
        max_output_bytes: None,
        retries: None,
        strict: None,
        repair: None,
        tags: &[],
        meta: None,
    };
}

/// Where the arguments of a tool come from.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Input {
    /// One property a parameter of the function.
    Parameters(&'static [Parameter]),
    /// One struct for the whole object.
    Whole(fn(&mut SchemaGenerator) -> Schema),
}

/// A parameter of a tool's function that the model fills.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub description: &'static str,
    pub shape: &'static Shape,
    /// Defaults, examples and constraints.
    pub refine: Option<fn(&mut Refinement<'_>)>,
}

/// What a type is to a model: one a type, shared by all parameters of it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub schema: fn(&mut SchemaGenerator) -> Schema,
    /// Whether the type takes a missing value by itself, as `Option` does.
    pub optional: fn() -> bool,
}

/// What the attributes of a parameter add to its schema.
#[doc(hidden)]
#[derive(Debug)]
pub struct Refinement<'a> {
    pub(crate) schema: &'a mut Map<String, Value>,
    pub(crate) has_default: bool,
}

/// A state type that a tool needs.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct StateType {
    pub id: fn() -> TypeId,
    pub name: fn() -> &'static str,
}

/// The place of a declaration in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Site {
    pub file: &'static str,
    pub line: u32,
}

impl fmt::Display for Site {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.file, self.line)
    }
}

impl Declaration {
    /// The name that the model calls.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What stands in for a tool whose `#[tool]` did not compile.
    #[doc(hidden)]
    pub const BROKEN: Self = Self {
        name: "broken",
        title: None,
        description: "",
        input: Input::Parameters(&[]),
        output: |_| None,
        options: &Options::DEFAULT,
        state: &[],
        uses_context: false,
        invoke: |_| Err(Mismatch::State("a tool that compiles")),
        blueprint: || {
            static BLUEPRINT: OnceLock<Blueprint> = OnceLock::new();
            &BLUEPRINT
        },
        site: Site {
            file: file!(),
            line: line!(),
        },
    };

    pub(crate) fn definition(&self) -> Definition {
        let mut meta = Map::new();
        if let Some(fill) = self.options.meta {
            fill(&mut meta);
        }
        Definition {
            name: self.name.to_owned(),
            title: self.title.map(str::to_owned),
            description: without_sections(&doc_text(self.description)),
            parameters: match self.input {
                Input::Parameters(parameters) => canonical::of_parameters(parameters),
                Input::Whole(schema) => canonical::of_struct(schema),
            },
            output_schema: canonical::of_output(self.output),
            kind: self.options.kind,
            annotations: self.options.annotations,
            approval: match (self.options.approval, self.options.approval_if) {
                (true, _) => Approval::Always,
                (false, Some(_)) => Approval::Conditional,
                (false, None) => Approval::Never,
            },
            sequential: match (self.options.sequential_key, self.options.sequential) {
                (Some(key), _) => Sequential::Key(key.to_owned()),
                (None, true) => Sequential::Barrier,
                (None, false) => Sequential::No,
            },
            concurrency: self.options.concurrency,
            rate: self.options.rate,
            max_output_bytes: self.options.max_output_bytes,
            retries: self.options.retries,
            strict: self.options.strict,
            repair: self.options.repair,
            timeout: self.options.timeout,
            tags: self.options.tags.iter().map(ToString::to_string).collect(),
            meta,
            schema_is_ours: true,
        }
    }
}

impl fmt::Debug for Declaration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Declaration")
            .field("name", &self.name)
            .field("site", &self.site)
            .finish_non_exhaustive()
    }
}
