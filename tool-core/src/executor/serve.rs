//! One call on its way from its arguments to what came of it.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::{Either, select};
use serde_json::Value;
use tokio::time::Instant;
use tracing::Span;

use super::entry::Entry;
use super::inside::inside;
use super::places::Place;
use super::run::{self, Job, Left, cancelled};
use super::turns::{Held, Ticket};
use super::{Inner, guarded};
use crate::approval::{Pending, Treatment};
use crate::arguments::{Limits, Repair, RepairMode, Whole};
use crate::call::Arguments;
use crate::context::{Context, Scope};
use crate::error::{ErrorKind, ToolError};
use crate::hook::{Before, HookedCall};
use crate::invocation::Work;
use crate::output::Output;
use crate::redact::{Redactor, quoting};
use crate::telemetry;
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
    pub(super) notes: Notes,
}

/// What else is known of a call when it has been served.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) repairs: Vec<Repair>,
    /// Work of the tool that could not be stopped.
    pub(super) left: Vec<Left>,
    /// What the call waits for.
    pub(super) pending: Option<Box<Pending>>,
    /// What takes out the secrets of this call's arguments too.
    pub(super) redactor: Option<Redactor>,
}

impl Served {
    pub(super) fn without(error: ToolError) -> Self {
        Self {
            result: Err(error),
            notes: Notes::default(),
        }
    }
}

impl Serving<'_> {
    /// Any call.
    pub(super) async fn serve(
        &self,
        arguments: &Arguments,
        now: Instant,
        ticket: Option<Ticket>,
    ) -> Served {
        if self.entry.is_plain {
            return self.plain(arguments, now).await;
        }
        let mut notes = Notes::default();
        let result = self.guarded(arguments, ticket, &mut notes).await;
        Served { result, notes }
    }

    /// The usual call: arguments go straight from their text to the function.
    pub(super) async fn plain(&self, arguments: &Arguments, now: Instant) -> Served {
        self.record(|| arguments.to_text());
        if let Err(error) = self.scope.usage().begin(self.tool.name()) {
            return Served::without(error);
        }
        let (_place, now) = match self.inner.places.try_place() {
            Some(place) => (Some(place), now),
            None => match self.place().await {
                Ok(place) => (place, Instant::now()),
                Err(error) => return Served::without(error),
            },
        };
        let deadline = self.deadline(now);
        // Most tools look at neither context nor state.
        let context = self
            .tool
            .uses_context()
            .then(|| self.context(deadline, self.scope.clone()));
        let (work, repairs) =
            match self.prepare(arguments.into(), context.as_ref(), self.inner.limits) {
                Ok(prepared) => prepared,
                Err(error) => return Served::without(error),
            };
        let job = self.job(deadline, context.as_ref());
        let ran = if self.inner.isolation {
            job.isolated(work).await
        } else {
            job.inline(work).await
        };
        Served {
            result: ran.result,
            notes: Notes {
                repairs,
                left: ran.left.into_iter().collect(),
                ..Notes::default()
            },
        }
    }

    /// A call that hooks, people or other calls have a say in.
    async fn guarded(
        &self,
        arguments: &Arguments,
        ticket: Option<Ticket>,
        notes: &mut Notes,
    ) -> Result<Output, ToolError> {
        if let Treatment::Deny(reason) = &self.entry.treatment {
            return Err(self.denied(reason));
        }
        self.scope.usage().begin(self.tool.name())?;
        let (accepted, repairs) = self.accept(arguments, self.inner.limits)?;
        notes.repairs = repairs;
        self.keep_secret(&accepted, notes);
        self.record(|| self.shown(&accepted, notes).to_string());
        let mut call = self.hooked(accepted, notes);
        let result = match self.before(&mut call, notes).await {
            Ok(Before::Go) => match self.ask(&mut call, notes).await {
                Ok(None) => self.cleared(&mut call, ticket, notes).await,
                Ok(Some(answer)) => Ok(answer),
                Err(error) => Err(error),
            },
            Ok(Before::Answer(output)) => Ok(output),
            Err(error) => Err(error),
        };
        match &notes.pending {
            // What came of the call is not yet known.
            Some(_) => result,
            None => self.inner.hooks.after(&call, result).await,
        }
    }

    /// Shows the arguments in the span, where that is wanted.
    fn record(&self, arguments: impl FnOnce() -> String) {
        if !self.inner.recording.shows_arguments() {
            return;
        }
        telemetry::record_arguments(&Span::current(), self.inner.recording, || {
            let redactor = &self.inner.redactor;
            let text = arguments();
            // What is no JSON is a text like any other.
            redactor
                .redacted_json(&text)
                .or_else(|| redactor.redacted(&text))
                .unwrap_or(text)
        });
    }

    pub(super) fn hooked(&self, arguments: Value, notes: &Notes) -> HookedCall {
        HookedCall {
            call_id: self.id.to_owned(),
            tool: self.tool.clone(),
            arguments,
            changed: false,
            context: self.context(None, self.scope_of(notes)),
        }
    }

    /// Takes the secrets of the arguments out of all that leaves.
    pub(super) fn keep_secret(&self, arguments: &Value, notes: &mut Notes) {
        if let Some(paths) = self.tool.secret_paths() {
            let redactor = notes.redactor.as_ref().unwrap_or(&self.inner.redactor);
            notes.redactor = Some(redactor.with_values(paths.collect(arguments)));
        }
    }

    async fn before(&self, call: &mut HookedCall, notes: &mut Notes) -> Result<Before, ToolError> {
        if self.inner.hooks.is_empty() {
            return Ok(Before::Go);
        }
        let before = self.inner.hooks.before(call).await?;
        if std::mem::take(&mut call.changed) {
            let changed = std::mem::take(&mut call.arguments);
            self.keep_secret(&changed, notes);
            call.arguments = self.accept_again(changed)?;
        }
        Ok(before)
    }

    /// Arguments that the host has changed: what it writes is not mended.
    pub(super) fn accept_again(&self, arguments: Value) -> Result<Value, ToolError> {
        let (accepted, _) = self.accept(&Arguments::Value(arguments), self.strictly())?;
        Ok(accepted)
    }

    fn strictly(&self) -> Limits {
        Limits {
            repair: RepairMode::Off,
            overrides: true,
            ..self.inner.limits
        }
    }

    /// Runs a call that nobody objects to, when its turn has come.
    pub(super) async fn cleared(
        &self,
        call: &mut HookedCall,
        ticket: Option<Ticket>,
        notes: &mut Notes,
    ) -> Result<Output, ToolError> {
        let held = self.turn(&call.arguments, ticket).await?;
        let _place = self.place().await?;
        let deadline = self.deadline(Instant::now());
        call.context = self.context(deadline, self.scope_of(notes));
        let call = &*call;
        let left = Mutex::new(Vec::new());
        let result = if self.inner.hooks.is_empty() {
            self.attempt(call, deadline, &held, &left).await
        } else {
            let attempt = || -> _ { Box::pin(self.attempt(call, deadline, &held, &left)) as _ };
            let mut around = pin!(self.inner.hooks.around(call, deadline, &attempt));
            // The calls that a hook makes need no place, as the call has one.
            poll_fn(|context| inside(|| around.as_mut().poll(context))).await
        };
        notes.left = left.into_inner().unwrap_or_else(PoisonError::into_inner);
        result
    }

    /// Runs the function once.
    async fn attempt(
        &self,
        call: &HookedCall,
        deadline: Option<Instant>,
        held: &Held,
        all_left: &Mutex<Vec<Left>>,
    ) -> Result<Output, ToolError> {
        let context = Some(&call.context);
        let arguments = Whole::Value(&call.arguments);
        let (work, _) = self.prepare(arguments, context, self.strictly())?;
        let waiting = held.wait_for(&work);
        let (work, job) = (held.hold(work), self.job(deadline, context));
        let ran = if self.inner.isolation {
            job.isolated(work).await
        } else {
            job.inline(work).await
        };
        std::mem::forget(waiting);
        if let Some(left) = ran.left {
            held.linger();
            let mut all = all_left.lock().unwrap_or_else(PoisonError::into_inner);
            all.push(left);
        }
        ran.result
    }

    pub(super) fn accept(
        &self,
        arguments: &Arguments,
        limits: Limits,
    ) -> Result<(Value, Vec<Repair>), ToolError> {
        let accept = || self.tool.accept(arguments, limits);
        run::guard(self.tool.name(), || {
            quoting::with(&self.inner.redactor, accept)
        })?
    }

    fn prepare(
        &self,
        arguments: Whole<'_>,
        context: Option<&Context>,
        limits: Limits,
    ) -> Result<(Work, Vec<Repair>), ToolError> {
        let prepare = || self.tool.prepare(arguments, context, limits);
        run::guard(self.tool.name(), || {
            quoting::with(&self.inner.redactor, prepare)
        })?
    }

    fn job<'a>(&'a self, deadline: Option<Instant>, context: Option<&'a Context>) -> Job<'a> {
        Job {
            tool: self.tool.name(),
            context,
            scope: self.scope,
            timeout: self.entry.timeout,
            deadline,
            trust: &self.entry.trust,
        }
    }

    /// The time begins when the tool may run: waiting is not its fault. A
    /// timeout beyond the clock is none that could ever pass.
    fn deadline(&self, now: Instant) -> Option<Instant> {
        now.checked_add(self.entry.timeout)
    }

    fn context(&self, deadline: Option<Instant>, scope: Scope) -> Context {
        Context::for_call(
            self.id.to_owned(),
            deadline,
            Arc::clone(&self.inner.states),
            scope,
        )
    }

    /// The scope, whose listener does not hear the secrets of the arguments either.
    fn scope_of(&self, notes: &Notes) -> Scope {
        match (&notes.redactor, self.scope.progress()) {
            (Some(redactor), Some(listener)) => {
                let listener = guarded(Arc::clone(listener), redactor.clone());
                self.scope.with_progress(listener)
            }
            _ => self.scope.clone(),
        }
    }

    /// Waits for one of the executor's places.
    async fn place(&self) -> Result<Option<Place<'_>>, ToolError> {
        let places = &self.inner.places;
        match places.try_place() {
            Some(place) => Ok(Some(place)),
            // Boxed, to keep those small that need not wait.
            None => Box::pin(self.unless_cancelled(places.place())).await,
        }
    }

    /// Waits for something of the host's, unless somebody cancels the call.
    pub(super) async fn unless_cancelled<T>(
        &self,
        waiting: impl Future<Output = T>,
    ) -> Result<T, ToolError> {
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
