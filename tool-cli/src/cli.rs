//! The command as a value, for programs whose tools need more than `main()`.

use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::process::ExitCode;

use tool_core::{Catalogue, ExecutorBuilder};

use crate::failure::{Exit, Failure};
use crate::options::CommandLine;
use crate::session::Session;
use crate::streams::Streams;

/// Why [`Cli::setup`] could not make what the tools need. Any error converts into it.
pub type SetupError = Box<dyn Error + Send + Sync>;

pub(crate) type Setup = Box<
    dyn FnOnce(
        ExecutorBuilder,
    ) -> Pin<Box<dyn Future<Output = Result<ExecutorBuilder, SetupError>> + Send>>,
>;

/// The command `tool` with the tools of this program.
///
/// # Example: tools that need state
///
/// ```no_run
/// use std::process::ExitCode;
/// use tool_core::tool;
///
/// struct Orders(Vec<String>);
///
/// /// List all orders.
/// #[tool(name = "orders-list_orders")]
/// fn list_orders(#[tool(state)] orders: &Orders) -> String {
///     orders.0.join("\n")
/// }
///
/// fn main() -> ExitCode {
///     tool_cli::Cli::new()
///         .executor(|builder| builder.state(Orders(vec!["a lamp".to_owned()])))
///         .run()
/// }
/// ```
#[must_use = "nothing happens before `run`"]
pub struct Cli {
    catalogue: Option<Catalogue>,
    version: String,
    setups: Vec<Setup>,
    #[cfg(feature = "builtins")]
    policy: tool_builtins::Policy,
}

impl Cli {
    /// The command with the tools of every linked crate.
    pub fn new() -> Self {
        Self {
            catalogue: None,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            setups: Vec::new(),
            #[cfg(feature = "builtins")]
            policy: tool_builtins::Policy::new(),
        }
    }

    /// Serves these tools instead of those of the linked crates: a selection,
    /// or tools made at run time.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use tool_core::Catalogue;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let web_only = Catalogue::linked()?.select(["web"])?;
    /// tool_cli::Cli::new().catalogue(web_only).run();
    /// # Ok(())
    /// # }
    /// ```
    pub fn catalogue(mut self, catalogue: impl Into<Catalogue>) -> Self {
        self.catalogue = Some(catalogue.into());
        self
    }

    /// What `--version` says: `env!("CARGO_PKG_VERSION")` of your crate.
    /// The version of this crate by default.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = version.into();
        self
    }

    /// Adds to the executor: state, secrets, limits. It is called when tools
    /// are about to run, so that `list` and `show` do without.
    ///
    /// The options of the command line come last: `--timeout` and `--yes`
    /// hold against what is set here.
    pub fn executor<F>(self, change: F) -> Self
    where
        F: FnOnce(ExecutorBuilder) -> ExecutorBuilder + Send + 'static,
    {
        self.setup(|builder| async { Ok(change(builder)) })
    }

    /// As [`executor`](Self::executor), for what takes time or may fail, such
    /// as connecting to a database. An error ends the command with exit code 2.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # struct Database;
    /// # impl Database { async fn connect(_: &str) -> std::io::Result<Self> { Ok(Self) } }
    /// tool_cli::Cli::new()
    ///     .setup(|builder| async {
    ///         let url = std::env::var("DATABASE_URL")?;
    ///         Ok(builder.state(Database::connect(&url).await?))
    ///     })
    ///     .run();
    /// ```
    pub fn setup<F, Fut>(mut self, change: F) -> Self
    where
        F: FnOnce(ExecutorBuilder) -> Fut + Send + 'static,
        Fut: Future<Output = Result<ExecutorBuilder, SetupError>> + Send + 'static,
    {
        self.setups
            .push(Box::new(|builder| Box::pin(change(builder))));
        self
    }

    /// What the built-in tools may reach, before `--root`,
    /// `--allow-private-network` and the like are applied to it. Unlike a policy that is
    /// added as state, which those options cannot touch.
    #[cfg(feature = "builtins")]
    pub fn policy(mut self, policy: tool_builtins::Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Reads the program's arguments, does what they say, and gives the exit code.
    ///
    /// A program with the built-in tools starts itself once more to read some documents: what `main` does before this
    /// is then done again. See `tool_builtins::worker`.
    pub fn run(self) -> ExitCode {
        #[cfg(feature = "builtins")]
        tool_builtins::worker::run_if_asked();
        self.run_from(std::env::args_os())
    }

    /// As [`run`](Self::run) with other arguments, the program's name first.
    pub fn run_from<I>(self, arguments: I) -> ExitCode
    where
        I: IntoIterator,
        I::Item: Into<OsString>,
    {
        let streams = Streams::new();
        let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
        let program = arguments.first().cloned().unwrap_or_default();
        let line = match CommandLine::read(arguments, self.version.clone()) {
            Ok(line) => line,
            // Help and version come as errors too, and know their stream and code.
            Err(error) => {
                let exit = if error.exit_code() == 0 {
                    Exit::Done
                } else {
                    Exit::Usage
                };
                // A reader that has gone is no reason to fail.
                drop(error.print());
                return exit.into();
            }
        };
        match self.command(line, &program, streams) {
            Ok(exit) => exit.into(),
            Err(failure) => {
                streams.note(&format!("error: {failure}"));
                failure.exit.into()
            }
        }
    }

    fn command(
        self,
        line: CommandLine,
        program: &OsString,
        streams: Streams,
    ) -> Result<Exit, Failure> {
        let catalogue = match self.catalogue {
            Some(catalogue) => catalogue,
            None => Catalogue::linked().map_err(Failure::usage)?,
        };
        line.command.run(Session {
            streams,
            catalogue,
            program: program.to_string_lossy().into_owned(),
            setups: self.setups,
            #[cfg(feature = "builtins")]
            policy: line.global.policy.apply(self.policy)?,
            timeout: line.global.timeout,
            yes: line.global.yes,
        })
    }
}

impl Default for Cli {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Cli {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Cli")
            .field("catalogue", &self.catalogue)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}
