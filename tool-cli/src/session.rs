//! What a command works with: the tools, the streams, and a way to run calls.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tool_core::{Call, Catalogue, Executor, Tool};

use crate::approval::Approver;
use crate::cli::Setup;
use crate::control;
use crate::failure::Failure;
use crate::input;
use crate::panics;
use crate::spinner::Spinner;
use crate::streams::Streams;

/// How long tools that were stopped may take to clean up before the process ends.
const FAREWELL: Duration = Duration::from_millis(200);

/// What a command works with.
pub(crate) struct Session {
    pub(crate) streams: Streams,
    pub(crate) catalogue: Catalogue,
    /// How the program was started, for examples to copy.
    pub(crate) program: String,
    pub(crate) setups: Vec<Setup>,
    #[cfg(feature = "builtins")]
    pub(crate) policy: tool_builtins::Policy,
    pub(crate) timeout: Option<Duration>,
    pub(crate) yes: bool,
}

impl Session {
    /// The tool of a name that a person typed.
    pub(crate) fn tool(&self, name: &str) -> Result<Tool, Failure> {
        if let Some(tool) = self.catalogue.find(name) {
            return Ok(tool.clone());
        }
        let failure = Failure::usage(format!("there is no tool '{}'", control::one_line(name)));
        let nearest = self.catalogue.nearest(name);
        Err(failure.with_hint(if self.catalogue.is_empty() {
            NO_TOOLS.to_owned()
        } else if nearest.is_empty() {
            "`list` shows all tools.".to_owned()
        } else {
            format!("Did you mean '{}'?", nearest.join("' or '"))
        }))
    }

    /// Runs work on an executor of these tools, until it is done or Ctrl-C.
    /// The spinner shows that `calls` are running.
    pub(crate) fn execute<T, F>(
        self,
        catalogue: Catalogue,
        calls: &[Call],
        work: impl FnOnce(Executor) -> F,
    ) -> Result<T, Failure>
    where
        F: Future<Output = T>,
    {
        // Two at least: an async tool that blocks its thread must not hold up the timer.
        let threads = std::thread::available_parallelism().map_or(2, |count| count.get().max(2));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(threads)
            .enable_all()
            .build()
            .map_err(|error| Failure::failed(format!("cannot start the runtime: {error}")))?;
        let streams = self.streams;
        panics::guard(streams);
        let spinner = Spinner::new(streams, calls);
        let result = runtime.block_on(until_interrupted(async {
            let executor = self.executor(catalogue, &spinner).await?;
            let _shown = spinner.start();
            Ok(work(executor).await)
        }));
        runtime.shutdown_timeout(FAREWELL);
        result.unwrap_or_else(|| {
            // The terminal has put `^C` into the line.
            if streams.can_draw() {
                streams.note("");
            }
            Err(Failure::interrupted())
        })
    }

    async fn executor(self, catalogue: Catalogue, spinner: &Spinner) -> Result<Executor, Failure> {
        let listener = spinner.clone();
        let approver = Approver::new(self.streams, spinner.clone());
        let mut builder = Executor::builder(catalogue)
            // What may be read may also be arguments.
            .max_argument_bytes(input::MAX_BYTES)
            .on_progress(move |call_id, progress| listener.report(call_id, &progress))
            .approval(move |request| approver.clone().decide(request));
        #[cfg(feature = "builtins")]
        {
            builder = builder.state(self.policy);
        }
        for setup in self.setups {
            builder = setup(builder)
                .await
                .map_err(|error| Failure::usage(format!("the tools cannot be set up: {error}")))?;
        }
        if let Some(timeout) = self.timeout {
            // The first is for tools without a timeout of their own, which may now take longer than by default.
            builder = builder.timeout(timeout).max_timeout(timeout);
        }
        if self.yes {
            builder = builder.approval(|_| async { tool_core::Decision::Allow });
        }
        builder.build().map_err(Failure::usage)
    }
}

/// What is said where no crate has brought a tool.
pub(crate) const NO_TOOLS: &str = "There are no tools: a crate whose tools are wanted must be named in the code, as in \
     `use my_tools as _;`.";

/// The result of the work, or `None` where Ctrl-C came first. The work is dropped then.
async fn until_interrupted<T>(work: impl Future<Output = T>) -> Option<T> {
    let mut work = pin!(work);
    let mut interrupt = pin!(tokio::signal::ctrl_c());
    let mut listening = true;
    poll_fn(|context| {
        if let Poll::Ready(result) = work.as_mut().poll(context) {
            return Poll::Ready(Some(result));
        }
        if listening && let Poll::Ready(heard) = interrupt.as_mut().poll(context) {
            // Where nobody can listen, Ctrl-C ends the process by itself.
            listening = false;
            if heard.is_ok() {
                return Poll::Ready(None);
            }
        }
        Poll::Pending
    })
    .await
}
