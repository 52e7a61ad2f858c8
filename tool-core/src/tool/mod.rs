//! A tool: a definition and the function behind it.

mod approval;
mod handle;
mod refused;
#[cfg(feature = "testing")]
mod stand_in;

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::arguments::{
    self, Limits, Origin, Plan, Repair, RepairMode, SchemaError, SecretPaths, Whole,
};
use crate::call::Arguments;
use crate::context::Context;
use crate::declaration::{ApprovalIf, Declaration, Site, StateType};
use crate::definition::Definition;
use crate::error::{ErrorKind, ToolError};
use crate::invocation::{Invocation, Receiver, Work};
use crate::output::{IntoOutput, Output};
use refused::check_name;

pub use handle::Handle;
pub use refused::DefinitionError;

/// A tool: a definition and the function behind it. A clone is cheap.
///
/// `#[tool]` makes one of a function; [`Tool::new`] makes one at run time.
#[derive(Clone)]
pub struct Tool {
    inner: Arc<Inner>,
}

struct Inner {
    source: Source,
    /// The definition under another name, where the tool has been renamed.
    renamed: Option<Definition>,
    /// The object whose method the tool is.
    receiver: Option<Receiver>,
}

#[derive(Clone)]
enum Source {
    Declared(&'static Declaration),
    RunTime(Arc<RunTime>),
}

struct RunTime {
    blueprint: Blueprint,
    handler: Handler,
    /// The condition of the tool that this one stands in for.
    approval_if: Option<ApprovalIf>,
    site: Site,
}

type Handler = Box<dyn Fn(Value, Context) -> Work + Send + Sync>;

/// What is made of a declaration once, when it is first needed.
#[doc(hidden)]
pub struct Blueprint {
    definition: Definition,
    origin: Origin,
    plan: OnceLock<Result<Plan, SchemaError>>,
}

impl Blueprint {
    fn plan(&self) -> Result<&Plan, &SchemaError> {
        self.plan
            .get_or_init(|| Plan::new(&self.definition.parameters, self.origin))
            .as_ref()
    }
}

impl fmt::Debug for Blueprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Blueprint")
            .field("definition", &self.definition)
            .finish_non_exhaustive()
    }
}

/// What checking a call's arguments came to.
#[derive(Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The arguments as the tool would be given them, or every problem.
    pub arguments: Result<Value, ToolError>,
    /// What was mended, or, where repairs are only reported, would have been.
    pub repairs: Vec<Repair>,
}

impl Tool {
    /// A tool from a definition with any JSON Schema and a closure that takes
    /// the arguments, which the schema has accepted, and the context.
    ///
    /// # Errors
    ///
    /// When the name or the schema cannot be used. The schema must be a valid
    /// JSON Schema for an object, and all its references local.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use tool_core::{Context, Definition, Tool};
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let definition = Definition::new(
    ///     "greet",
    ///     "Greet somebody by name.",
    ///     json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] }),
    /// );
    /// let greet = Tool::new(definition, |arguments, _context| async move {
    ///     format!("Hello, {}!", arguments["name"].as_str().unwrap_or_default())
    /// })
    /// .unwrap();
    ///
    /// let output = greet.call(r#"{"name":"Ada"}"#, &Context::new()).await.unwrap();
    /// assert_eq!(output.text(), "Hello, Ada!");
    /// # });
    /// ```
    #[track_caller]
    pub fn new<F, Fut, R>(definition: Definition, handler: F) -> Result<Self, DefinitionError>
    where
        F: Fn(Value, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoOutput,
    {
        let handler: Handler = Box::new(move |arguments, context| {
            let future = handler(arguments, context);
            Work::Async(Box::pin(async move { future.await.into_output() }))
        });
        let location = Location::caller();
        let site = Site {
            file: location.file(),
            line: location.line(),
        };
        Self::at_run_time(definition, handler, site)
    }

    fn at_run_time(
        definition: Definition,
        handler: Handler,
        site: Site,
    ) -> Result<Self, DefinitionError> {
        check_name(&definition.name)?;
        let refused = |reason| DefinitionError::Parameters {
            tool: definition.name.clone(),
            reason,
        };
        let takes_object = match definition.parameters.get("type") {
            Some(Value::Array(names)) => names.iter().any(|name| name == "object"),
            Some(name) => name == "object",
            None => definition.parameters.is_object(),
        };
        if !takes_object {
            return Err(refused(SchemaError::Invalid(
                "its root must be of type `object`".to_owned(),
            )));
        }
        // A broken schema is told at once, not when a model first calls.
        let plan = Plan::new(&definition.parameters, Origin::Imported).map_err(refused)?;
        Ok(Self::from_source(Source::RunTime(Arc::new(RunTime {
            blueprint: Blueprint {
                definition,
                origin: Origin::Imported,
                plan: OnceLock::from(Ok(plan)),
            },
            handler,
            approval_if: None,
            site,
        }))))
    }

    fn from_source(source: Source) -> Self {
        Self {
            inner: Arc::new(Inner {
                source,
                renamed: None,
                receiver: None,
            }),
        }
    }

    /// The tool of a method, with the object that it belongs to.
    #[doc(hidden)]
    pub fn of_method(declaration: &'static Declaration, receiver: Receiver) -> Self {
        Self {
            inner: Arc::new(Inner {
                source: Source::Declared(declaration),
                renamed: None,
                receiver: Some(receiver),
            }),
        }
    }

    /// The same tool under another name.
    pub(crate) fn renamed(&self, name: String) -> Self {
        let mut definition = self.definition().clone();
        definition.name = name;
        Self {
            inner: Arc::new(Inner {
                source: self.inner.source.clone(),
                renamed: Some(definition),
                receiver: self.inner.receiver.clone(),
            }),
        }
    }

    /// The name that the model calls.
    pub fn name(&self) -> &str {
        match (&self.inner.renamed, &self.inner.source) {
            (Some(definition), _) => &definition.name,
            (None, Source::Declared(declaration)) => declaration.name,
            (None, Source::RunTime(tool)) => &tool.blueprint.definition.name,
        }
    }

    /// What a model and a host are told of the tool. Made when first asked for.
    pub fn definition(&self) -> &Definition {
        match &self.inner.renamed {
            Some(definition) => definition,
            None => &self.blueprint().definition,
        }
    }

    /// Runs one call here and now: arguments checked and, unless the tool says
    /// so itself, not mended; no timeout, no panic guard, a sync function on
    /// this thread. The way to test a tool.
    ///
    /// An [`Executor`](crate::Executor) does all the rest.
    ///
    /// # Errors
    ///
    /// Invalid arguments, missing state, or the tool's own error.
    pub async fn call(
        &self,
        arguments: impl Into<Arguments>,
        context: &Context,
    ) -> Result<Output, ToolError> {
        let limits = Limits {
            max_bytes: arguments::MAX_BYTES,
            repair: RepairMode::Off,
            overrides: false,
        };
        let arguments: Arguments = arguments.into();
        let (work, _) = self.prepare(&arguments, Some(context), limits)?;
        match work {
            Work::Async(future) => future.await,
            Work::Blocking(function) => function(),
        }
    }

    /// Whether the function looks at the context or at a state.
    pub(crate) fn uses_context(&self) -> bool {
        match &self.inner.source {
            Source::Declared(declaration) => {
                declaration.uses_context || !declaration.state.is_empty()
            }
            Source::RunTime(_) => true,
        }
    }

    /// Checks arguments without running anything.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use tool_core::{RepairMode, tool};
    ///
    /// /// Add two numbers.
    /// #[tool]
    /// fn add(
    ///     /// The first number.
    ///     a: i64,
    ///     /// The second number.
    ///     b: i64,
    /// ) -> i64 {
    ///     a + b
    /// }
    ///
    /// # fn main() {
    /// let checked = add::tool().check(r#"{"a":1,"b":"2"}"#, RepairMode::On);
    /// assert_eq!(checked.arguments.unwrap(), json!({ "a": 1, "b": 2 }));
    /// assert_eq!(checked.repairs[0].to_string(), "`b`: number_as_text: \"2\" → 2");
    ///
    /// assert!(add::tool().check(r#"{"a":1,"b":"2"}"#, RepairMode::Off).arguments.is_err());
    /// # }
    /// ```
    pub fn check(&self, arguments: impl Into<Arguments>, repair: RepairMode) -> Checked {
        let limits = Limits {
            max_bytes: arguments::MAX_BYTES,
            repair,
            overrides: false,
        };
        let arguments: Arguments = arguments.into();
        match self.accept(&arguments, limits) {
            Ok((value, repairs)) => Checked {
                arguments: Ok(value),
                repairs,
            },
            Err(mut error) => Checked {
                repairs: error.take_repairs(),
                arguments: Err(error),
            },
        }
    }

    /// The arguments as the function is given them, or every problem.
    pub(crate) fn accept<'a>(
        &self,
        arguments: impl Into<Whole<'a>>,
        limits: Limits,
    ) -> Result<(Value, Vec<Repair>), ToolError> {
        let whole = arguments.into();
        let accepted = arguments::accept(self.plan()?, self.definition(), whole, limits)?;
        Ok((accepted.value.into_owned(), accepted.repairs))
    }

    fn plan(&self) -> Result<&Plan, ToolError> {
        self.blueprint().plan().map_err(|reason| {
            let message = format!("the parameters of tool '{}': {reason}", self.name());
            ToolError::with_kind(ErrorKind::Failed, message)
        })
    }

    /// Where the arguments hold secrets, if they do.
    #[allow(
        dead_code,
        reason = "for the executor, which redacts the results of a call"
    )]
    pub(crate) fn secret_paths(&self) -> Option<&SecretPaths> {
        self.blueprint().plan().ok()?.secrets()
    }

    /// Checks the arguments and gives them to the function, which is not yet run.
    pub(crate) fn prepare<'a>(
        &self,
        arguments: impl Into<Whole<'a>>,
        context: Option<&Context>,
        limits: Limits,
    ) -> Result<(Work, Vec<Repair>), ToolError> {
        let arguments = arguments.into();
        match &self.inner.source {
            Source::Declared(declaration) => arguments::decode(
                self.plan()?,
                self.definition(),
                arguments,
                limits,
                |slots, whole| {
                    (declaration.invoke)(&Invocation {
                        slots,
                        whole,
                        context,
                        receiver: self.inner.receiver.as_ref(),
                    })
                },
            ),
            Source::RunTime(tool) => {
                let (value, repairs) = self.accept(arguments, limits)?;
                let context = context.cloned().unwrap_or_default();
                Ok(((tool.handler)(value, context), repairs))
            }
        }
    }

    /// The state types that the tool's function needs.
    pub(crate) fn state_types(&self) -> &'static [StateType] {
        match &self.inner.source {
            Source::Declared(declaration) => declaration.state,
            Source::RunTime(_) => &[],
        }
    }

    /// What is wrong with the schema, where it cannot be used.
    pub(crate) fn schema_error(&self) -> Option<&SchemaError> {
        self.blueprint().plan().err()
    }

    pub(crate) fn site(&self) -> Site {
        match &self.inner.source {
            Source::Declared(declaration) => declaration.site,
            Source::RunTime(tool) => tool.site,
        }
    }

    /// Whether two tools are one entry: the same function, under the same name,
    /// of the same object.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        if Arc::ptr_eq(&self.inner, &other.inner) {
            return true;
        }
        let same_source = match (&self.inner.source, &other.inner.source) {
            (Source::Declared(left), Source::Declared(right)) => std::ptr::eq(*left, *right),
            (Source::RunTime(left), Source::RunTime(right)) => Arc::ptr_eq(left, right),
            _ => false,
        };
        let same_receiver = match (&self.inner.receiver, &other.inner.receiver) {
            (None, None) => true,
            (Some(left), Some(right)) => Arc::ptr_eq(left, right),
            _ => false,
        };
        same_source && same_receiver && self.name() == other.name()
    }

    fn blueprint(&self) -> &Blueprint {
        match &self.inner.source {
            Source::Declared(declaration) => (declaration.blueprint)().get_or_init(|| Blueprint {
                definition: declaration.definition(),
                origin: Origin::Declared,
                plan: OnceLock::new(),
            }),
            Source::RunTime(tool) => &tool.blueprint,
        }
    }
}

impl From<&'static Declaration> for Tool {
    fn from(declaration: &'static Declaration) -> Self {
        Self::from_source(Source::Declared(declaration))
    }
}

impl From<&&'static Declaration> for Tool {
    fn from(declaration: &&'static Declaration) -> Self {
        Self::from(*declaration)
    }
}

impl From<&Tool> for Tool {
    fn from(tool: &Tool) -> Self {
        tool.clone()
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Tool")
            .field("name", &self.name())
            .field("site", &self.site().to_string())
            .finish_non_exhaustive()
    }
}
