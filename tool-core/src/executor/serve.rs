//! One call on its way from its arguments to what came of it.

use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::{Either, select};
use tokio::sync::SemaphorePermit;
use tokio::time::Instant;

use super::entry::Entry;
use super::run::{self, Job, Left, cancelled};
use super::{Decision, Inner};
use crate::approval::ApprovalRequest;
use crate::arguments::{Limits, Repair, RepairMode};
use crate::call::Arguments;
use crate::context::{Context, Scope};
use crate::definition::Approval;
use crate::error::{ErrorKind, ToolError};
use crate::hook::{Before, HookedCall};
use crate::output::Output;
use crate::tool::Tool;

/// One call of a tool that is there.
pub(super) struct Serving<'a> {
    pub(super) inner: &'a Inner,
    pub(super) scope: &'a Scope,
    pub(super) tool: &'a Tool,
    pub(super) entry: &'a Entry,
    pub(super) id: &'a str,
}

/// What came of a call, before it is made fit to leave.
pub(super) struct Served {
    pub(super) result: Result<Output, ToolError>,
    pub(super) repairs: Vec<Repair>,
    /// Work of the tool that could not be stopped.
    pub(super) left: Vec<Left>,
}

impl Served {
    pub(super) fn without(error: ToolError) -> Self {
        Self {
            result: Err(error),
            repairs: Vec::new(),
            left: Vec::new(),
        }
    }
}

/// What else is known of a call when it has been served.
#[derive(Default)]
struct Notes {
    repairs: Vec<Repair>,
    left: Mutex<Vec<Left>>,
}

impl Serving<'_> {
    pub(super) async fn serve(&self, arguments: &Arguments) -> Served {
        if self.entry.is_plain {
            return self.plain(arguments).await.unwrap_or_else(Served::without);
        }
        let mut notes = Notes::default();
        // Boxed, to keep the usual call small.
        let result = Box::pin(self.guarded(arguments, &mut notes)).await;
        Served {
            result,
            repairs: notes.repairs,
            left: notes.left.into_inner().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// The usual call: arguments go straight from their text to the function.
    async fn plain(&self, arguments: &Arguments) -> Result<Served, ToolError> {
        self.scope.usage().begin(self.tool.name())?;
        let _place = self.place().await?;
        let deadline = self.deadline();
        // Most tools look at neither context nor state.
        let context = self.tool.uses_context().then(|| self.context(deadline));
        let (work, repairs) = self.prepare(arguments, context.as_ref(), self.inner.limits)?;
        let ran = self.run(work, deadline, context.as_ref()).await;
        Ok(Served {
            result: ran.result,
            repairs,
            left: ran.left.into_iter().collect(),
        })
    }

    /// A call that hooks, people or other calls have a say in.
    async fn guarded(
        &self,
        arguments: &Arguments,
        notes: &mut Notes,
    ) -> Result<Output, ToolError> {
        self.scope.usage().begin(self.tool.name())?;
        let (accepted, repairs) = self.accept(arguments, self.inner.limits)?;
        notes.repairs = repairs;
        let mut call = HookedCall {
            call_id: self.id.to_owned(),
            tool: self.tool.clone(),
            arguments: accepted,
            context: self.context(None),
        };
        let result = match self.before(&mut call).await {
            Ok(Before::Go) => self.decide(&mut call, notes).await,
            Ok(Before::Answer(output)) => Ok(output),
            Err(error) => Err(error),
        };
        self.inner.hooks.after(&call, result).await
    }

    async fn before(&self, call: &mut HookedCall) -> Result<Before, ToolError> {
        let given = call.arguments.clone();
        let before = self.inner.hooks.before(call).await?;
        if call.arguments != given {
            call.arguments = self.accept_again(std::mem::take(&mut call.arguments))?;
        }
        Ok(before)
    }

    /// Arguments that the host has changed: what it writes is not mended.
    fn accept_again(&self, arguments: serde_json::Value) -> Result<serde_json::Value, ToolError> {
        let limits = Limits {
            repair: RepairMode::Off,
            ..self.inner.limits
        };
        let (accepted, _) = self.accept(&Arguments::Value(arguments), limits)?;
        Ok(accepted)
    }

    /// Asks who has to be asked, then runs.
    async fn decide(&self, call: &mut HookedCall, notes: &Notes) -> Result<Output, ToolError> {
        if self.tool.definition().approval != Approval::Never {
            self.approve(call).await?;
        }
        self.cleared(call, notes).await
    }

    async fn approve(&self, call: &HookedCall) -> Result<(), ToolError> {
        let name = self.tool.name();
        let Some(approver) = &self.inner.approver else {
            return Err(ToolError::denied(format!(
                "Tool '{name}' needs the approval of a person, and nobody can be asked"
            ))
            .with_hint("The host allows it with `Executor::builder(…).approval(…)`."));
        };
        let request = ApprovalRequest {
            call_id: call.call_id.clone(),
            tool: call.tool.clone(),
            arguments: call.arguments.clone(),
        };
        // The handler's first part runs inside too: it may panic as well.
        let asked = async move { approver(request).await };
        match self.unless_cancelled(run::contain(name, asked)).await?? {
            Decision::Allow => Ok(()),
            Decision::Deny(reason) => Err(ToolError::denied(format!(
                "Tool '{name}' was not approved: {reason}"
            ))),
        }
    }

    /// Runs a call that nobody objects to.
    async fn cleared(&self, call: &mut HookedCall, notes: &Notes) -> Result<Output, ToolError> {
        let _place = self.place().await?;
        let deadline = self.deadline();
        call.context = self.context(deadline);
        let call = &*call;
        if self.inner.hooks.is_empty() {
            return self.attempt(call, deadline, notes).await;
        }
        let attempt = || -> _ { Box::pin(self.attempt(call, deadline, notes)) as _ };
        self.inner.hooks.around(call, deadline, &attempt).await
    }

    /// Runs the function once.
    async fn attempt(
        &self,
        call: &HookedCall,
        deadline: Option<Instant>,
        notes: &Notes,
    ) -> Result<Output, ToolError> {
        let arguments = Arguments::Value(call.arguments.clone());
        let limits = Limits {
            repair: RepairMode::Off,
            ..self.inner.limits
        };
        let context = Some(&call.context);
        let (work, _) = self.prepare(&arguments, context, limits)?;
        let ran = self.run(work, deadline, context).await;
        if let Some(left) = ran.left {
            let mut all = notes.left.lock().unwrap_or_else(PoisonError::into_inner);
            all.push(left);
        }
        ran.result
    }

    fn accept(
        &self,
        arguments: &Arguments,
        limits: Limits,
    ) -> Result<(serde_json::Value, Vec<Repair>), ToolError> {
        run::guard(self.tool.name(), || self.tool.accept(arguments, limits))?
    }

    fn prepare(
        &self,
        arguments: &Arguments,
        context: Option<&Context>,
        limits: Limits,
    ) -> Result<(crate::invocation::Work, Vec<Repair>), ToolError> {
        run::guard(self.tool.name(), || {
            self.tool.prepare(arguments, context, limits)
        })?
    }

    async fn run(
        &self,
        work: crate::invocation::Work,
        deadline: Option<Instant>,
        context: Option<&Context>,
    ) -> run::Ran {
        let job = Job {
            tool: self.tool.name(),
            context,
            scope: self.scope,
            timeout: self.entry.timeout,
            deadline,
            trust: &self.entry.trust,
        };
        if self.inner.isolation {
            job.isolated(work).await
        } else {
            job.inline(work).await
        }
    }

    /// The time begins when the tool may run: waiting is not its fault. A
    /// timeout beyond the clock is none that could ever pass.
    fn deadline(&self) -> Option<Instant> {
        Instant::now().checked_add(self.entry.timeout)
    }

    fn context(&self, deadline: Option<Instant>) -> Context {
        Context::for_call(
            self.id.to_owned(),
            deadline,
            Arc::clone(&self.inner.states),
            self.scope.clone(),
        )
    }

    /// Waits for one of the executor's places.
    async fn place(&self) -> Result<Option<SemaphorePermit<'_>>, ToolError> {
        let places = &self.inner.places;
        match places.try_place() {
            Some(place) => Ok(Some(place)),
            None => self.unless_cancelled(places.place()).await,
        }
    }

    /// Waits for something of the host's, unless somebody cancels the call.
    async fn unless_cancelled<T>(&self, waiting: impl Future<Output = T>) -> Result<T, ToolError> {
        let cancel = pin!(self.scope.cancelled());
        match select(pin!(waiting), cancel).await {
            Either::Left((value, _)) => Ok(value),
            Either::Right(_) => Err(cancelled(self.tool.name())),
        }
    }
}

/// The error of a call that comes when the executor takes on no more.
pub(super) fn closing() -> ToolError {
    ToolError::with_kind(
        ErrorKind::Cancelled,
        "The call did not run: the executor is shutting down",
    )
}
