//! What a model and a host are told of a tool.

mod running;

use std::borrow::Cow;
use std::time::Duration;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

pub use running::{Approval, Kind, Rate, Sequential};

use crate::arguments::RepairMode;
use crate::schema::{Keeps, lean};

/// What a tool does to the world, as its author declares it. `None` is "not said".
///
/// The meanings are those of the
/// [Model Context Protocol](https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Annotations {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may delete or overwrite.
    pub destructive: Option<bool>,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: Option<bool>,
    /// It reaches things outside, such as the web.
    pub open_world: Option<bool>,
}

impl Annotations {
    /// Nothing said.
    pub const NONE: Self = Self {
        read_only: None,
        destructive: None,
        idempotent: None,
        open_world: None,
    };

    /// Says whether the tool changes nothing.
    #[must_use]
    pub const fn read_only(mut self, value: bool) -> Self {
        self.read_only = Some(value);
        self
    }

    /// Says whether the tool may delete or overwrite.
    #[must_use]
    pub const fn destructive(mut self, value: bool) -> Self {
        self.destructive = Some(value);
        self
    }

    /// Says whether a second, equal call changes nothing more.
    #[must_use]
    pub const fn idempotent(mut self, value: bool) -> Self {
        self.idempotent = Some(value);
        self
    }

    /// Says whether the tool reaches things outside.
    #[must_use]
    pub const fn open_world(mut self, value: bool) -> Self {
        self.open_world = Some(value);
        self
    }
}

/// What a model and a host are told of a tool.
///
/// It serialises to exactly what OpenAI's chat completions take:
/// `{"type":"function","function":{"name","description","parameters"}}`.
/// Other forms come from a [`Dialect`](crate::Dialect).
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use tool_core::Definition;
///
/// let definition = Definition::new(
///     "weather-get_forecast",
///     "Get the forecast for a city.",
///     json!({ "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"] }),
/// );
/// let value = serde_json::to_value(&definition).unwrap();
/// assert_eq!(value["function"]["name"], "weather-get_forecast");
/// assert_eq!(value["function"]["parameters"]["required"][0], "city");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Definition {
    /// The name that the model calls.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What the tool does, for the model. May be empty for an imported tool.
    pub description: String,
    /// The JSON Schema of the arguments, an object.
    pub parameters: Value,
    /// The JSON Schema of the result, where the tool gives one.
    pub output_schema: Option<Value>,
    /// What happens when the tool is called.
    pub kind: Kind,
    /// What the tool does to the world.
    pub annotations: Annotations,
    /// Whether somebody is asked before a call.
    pub approval: Approval,
    /// Whether providers that can are asked to keep strictly to the schema.
    pub strict: Option<bool>,
    /// Whether arguments that are nearly right are mended; the executor's
    /// default where `None`.
    pub repair: Option<RepairMode>,
    /// How long a call may take; the executor's default where `None`.
    pub timeout: Option<Duration>,
    /// Which calls of a batch may not run beside each other.
    pub sequential: Sequential,
    /// How many calls may run at a time, in one executor; no limit of its own
    /// where `None`. More calls wait. Work that could not be stopped counts
    /// until it ends: where it takes all places, calls are refused.
    pub concurrency: Option<usize>,
    /// How often the tool may be called; no limit where `None`.
    pub rate: Option<Rate>,
    /// How many bytes of text and JSON a result may have before it is cut;
    /// the executor's default where `None`.
    pub max_output_bytes: Option<usize>,
    /// How often in a row the tool may ask the model to try again with
    /// [`ToolError::retry`](crate::ToolError::retry); the executor's default where `None`.
    pub retries: Option<u32>,
    /// Free words to select tools by.
    pub tags: Vec<String>,
    /// Free data for the host. The model does not see it.
    pub meta: Map<String, Value>,
    /// Whose words the schema is in.
    pub(crate) schema_is_ours: bool,
}

impl Definition {
    /// A definition from its three parts; everything else at its default.
    ///
    /// `parameters` is any JSON Schema whose root takes an object. It is kept as it is.
    pub fn new(name: impl Into<String>, description: impl Into<String>, parameters: Value) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: description.into(),
            parameters,
            output_schema: None,
            kind: Kind::Standard,
            annotations: Annotations::NONE,
            approval: Approval::Never,
            strict: None,
            repair: None,
            timeout: None,
            sequential: Sequential::No,
            concurrency: None,
            rate: None,
            max_output_bytes: None,
            retries: None,
            tags: Vec::new(),
            meta: Map::new(),
            schema_is_ours: false,
        }
    }

    /// The schema of the arguments as a model is to read it.
    pub(crate) fn lean_parameters(&self) -> Cow<'_, Value> {
        let keeps = if self.schema_is_ours {
            Keeps::Nothing
        } else {
            Keeps::WriteOnly
        };
        lean(&self.parameters, keeps)
    }

    /// The part of the name before the first `-`, or `None`.
    pub fn category(&self) -> Option<&str> {
        category(&self.name)
    }
}

/// The part of a tool's name before the first `-`, or `None`.
pub(crate) fn category(name: &str) -> Option<&str> {
    name.split_once('-').map(|(category, _)| category)
}

impl Serialize for Definition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Function<'a>(&'a Definition);

        impl Serialize for Function<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut function = serializer.serialize_map(Some(3))?;
                function.serialize_entry("name", &self.0.name)?;
                function.serialize_entry("description", &self.0.description)?;
                function.serialize_entry("parameters", &*self.0.lean_parameters())?;
                function.end()
            }
        }

        let mut definition = serializer.serialize_map(Some(2))?;
        definition.serialize_entry("type", "function")?;
        definition.serialize_entry("function", &Function(self))?;
        definition.end()
    }
}
