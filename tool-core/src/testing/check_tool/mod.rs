//! Testing a tool against its own definition.

mod laws;
mod report;
mod running;

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;

use crate::context::States;
use crate::tool::Tool;
pub use report::CheckReport;

/// Tests a tool against its own definition, with arguments drawn from its
/// schema, and panics with a report where it breaks a promise.
///
/// The short form of [`CheckTool`], which says what is tested.
///
/// # Panics
///
/// When something is wrong with the tool.
///
/// # Examples
///
/// ```
/// use tool_core::{testing, tool};
///
/// /// Repeat a word.
/// #[tool(read_only = true)]
/// fn repeat_word(
///     /// The word.
///     word: String,
///     /// How many times.
///     #[schemars(range(min = 1, max = 20))]
///     times: usize,
/// ) -> String {
///     word.repeat(times)
/// }
///
/// # fn main() {
/// testing::check_tool(repeat_word::tool());
/// # }
/// ```
///
/// # Example: a function that cannot do what its schema promises
///
/// ```should_panic
/// use tool_core::{testing, tool};
///
/// /// Show the first letter of a word.
/// #[tool(read_only = true)]
/// fn first_letter(
///     /// The word.
///     word: String,
/// ) -> String {
///     word[..1].to_owned()
/// }
///
/// # fn main() {
/// // tool 'first_letter' breaks 1 promise:
/// //   1. a call panicked: …
/// //      arguments: {"word":""}
/// testing::check_tool(first_letter::tool());
/// # }
/// ```
#[track_caller]
pub fn check_tool(tool: impl Into<Tool>) {
    CheckTool::new(tool).run();
}

/// As [`check_tool`], from an async test: the runtime of the test goes on
/// while the tool is tested, which matters where the tool talks to something
/// that runs there.
///
/// # Panics
///
/// As [`check_tool`].
///
/// # Examples
///
/// ```
/// use tool_core::{testing, tool};
///
/// /// Add two numbers.
/// #[tool(read_only = true)]
/// async fn add(
///     /// The first number.
///     a: i32,
///     /// The second number.
///     b: i32,
/// ) -> i64 {
///     i64::from(a) + i64::from(b)
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// testing::check_tool_async(add::tool()).await;
/// # }
/// ```
pub async fn check_tool_async(tool: impl Into<Tool>) {
    CheckTool::new(tool).run_async().await;
}

/// Tests a tool against its own definition.
///
/// | promise | how it is tested |
/// |---|---|
/// | every provider takes the definition | it is left out of no [`Dialect`](crate::Dialect), and no [`Lint`](crate::Lint) of severity error applies |
/// | what the schema accepts, the tool accepts | arguments drawn from the schema pass [`Tool::check`], and the types of the parameters take them |
/// | what the schema refuses, the tool refuses | arguments with one fault are refused, and a problem names the place of the fault |
/// | a call ends well | it neither panics nor runs longer than its timeout, nor says that the arguments are invalid after all. Any other error is an answer |
/// | the result is what was announced | it fits the `output_schema`, where there is one |
///
/// **Calls are run only where the tool says that it is `read_only`**, or where
/// [`run_calls`](Self::run_calls) says so: drawn arguments given to a tool
/// that deletes would delete. For all other tools the last two promises are
/// not tested, and the [report](CheckReport::notes) says so. A tool of
/// `kind = "interrupt"` never runs, and an approval is not asked for.
///
/// It works with and without a Tokio runtime: calls run on a runtime of their
/// own. The number of cases and the seed are those of proptest, and so are
/// the variables that set them, `PROPTEST_CASES` and `PROPTEST_RNG_SEED`.
///
/// # Examples
///
/// ```
/// use std::collections::BTreeMap;
/// use tool_core::{ToolError, testing::CheckTool, tool};
///
/// struct Orders(BTreeMap<u32, String>);
///
/// /// Get one order.
/// #[tool(name = "orders-get_order", read_only = true)]
/// async fn get_order(
///     /// The number of the order.
///     number: u32,
///     #[tool(state)] orders: &Orders,
/// ) -> Result<String, ToolError> {
///     let order = orders.0.get(&number);
///     order.cloned().ok_or_else(|| ToolError::new("there is no such order"))
/// }
///
/// # fn main() {
/// CheckTool::new(get_order::tool())
///     .state(Orders(BTreeMap::from([(1, "a lamp".to_owned())])))
///     .cases(100)
///     .run();
/// # }
/// ```
#[derive(Clone)]
#[must_use = "nothing is tested until `run`"]
pub struct CheckTool {
    tool: Tool,
    states: States,
    cases: Option<u32>,
    runs_calls: Option<bool>,
    timeout: Duration,
    allowed: Vec<String>,
}

impl CheckTool {
    /// A test of this tool, with no state and as many cases as proptest runs.
    pub fn new(tool: impl Into<Tool>) -> Self {
        Self {
            tool: tool.into(),
            states: States::default(),
            cases: None,
            runs_calls: None,
            timeout: Duration::from_secs(5),
            allowed: Vec::new(),
        }
    }

    /// Adds a value that the tool takes as `#[tool(state)] name: &T`.
    pub fn state<T: Any + Send + Sync>(self, state: T) -> Self {
        self.shared_state(Arc::new(state))
    }

    /// Adds a state that the test holds too.
    pub fn shared_state<T: Any + Send + Sync>(mut self, state: Arc<T>) -> Self {
        self.states.insert(state);
        self
    }

    /// How many arguments are drawn for each promise. 256 by default.
    pub fn cases(mut self, cases: u32) -> Self {
        self.cases = Some(cases);
        self
    }

    /// Whether calls are run. By default they are where the tool is `read_only`.
    pub fn run_calls(mut self, run: bool) -> Self {
        self.runs_calls = Some(run);
        self
    }

    /// How long a call may take whose tool names no `timeout`. Five seconds by default.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Allows what a rule of [`Lint`](crate::Lint) finds, by the rule's name.
    pub fn allow(mut self, rule: impl Into<String>) -> Self {
        self.allowed.push(rule.into());
        self
    }

    /// Runs the test and panics where the tool breaks a promise.
    ///
    /// # Panics
    ///
    /// With the [report](CheckReport), when it breaks one.
    #[track_caller]
    pub fn run(self) {
        let report = self.report();
        assert!(report.is_ok(), "{report}");
    }

    /// As [`run`](Self::run), from an async test.
    ///
    /// # Panics
    ///
    /// As [`run`](Self::run).
    pub async fn run_async(self) {
        let report = self.report_async().await;
        assert!(report.is_ok(), "{report}");
    }

    /// Runs the test and tells what it found.
    ///
    /// # Examples
    ///
    /// ```
    /// use tool_core::{testing::CheckTool, tool};
    ///
    /// /// Delete everything.
    /// #[tool(destructive = true)]
    /// fn delete_everything(
    ///     /// The word that says that this is meant.
    ///     confirmation: String,
    /// ) -> String {
    ///     unreachable!("{confirmation}")
    /// }
    ///
    /// # fn main() {
    /// let report = CheckTool::new(delete_everything::tool()).cases(50).report();
    /// assert!(report.is_ok());
    /// assert!(report.notes().iter().any(|note| note.starts_with("no call was run")));
    /// # }
    /// ```
    pub fn report(self) -> CheckReport {
        let name = self.tool.name().to_owned();
        let spawned = std::thread::Builder::new()
            .name(format!("check of {name}"))
            .spawn(move || laws::check(&self));
        let report = match spawned {
            Ok(handle) => handle.join().ok(),
            Err(_) => None,
        };
        report.unwrap_or_else(|| CheckReport::unfinished(&name))
    }

    /// As [`report`](Self::report), from an async test.
    pub async fn report_async(self) -> CheckReport {
        let name = self.tool.name().to_owned();
        let (sender, receiver) = oneshot::channel();
        let spawned = std::thread::Builder::new()
            .name(format!("check of {name}"))
            .spawn(move || {
                // Nobody waits for it where the test has been stopped.
                let _ = sender.send(laws::check(&self));
            });
        let report = match spawned {
            Ok(_) => receiver.await.ok(),
            Err(_) => None,
        };
        report.unwrap_or_else(|| CheckReport::unfinished(&name))
    }
}

impl fmt::Debug for CheckTool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("CheckTool")
            .field("tool", &self.tool)
            .field("states", &self.states)
            .field("cases", &self.cases)
            .field("runs_calls", &self.runs_calls)
            .finish_non_exhaustive()
    }
}
