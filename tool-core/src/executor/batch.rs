//! Several calls side by side: who waits for whom, and who shares a run.

use std::collections::{HashMap, VecDeque};
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::Stream;
use futures_util::stream::FuturesUnordered;

use super::Executor;
use crate::call::Call;
use crate::context::Scope;
use crate::definition::Sequential;
use crate::invocation::BoxFuture;
use crate::outcome::Outcome;

/// A call of a batch, and which calls its outcome answers.
struct Planned {
    call: Call,
    answers: Answers,
}

struct Answers {
    index: usize,
    /// Equal calls, which share the run: their places and ids.
    same: Vec<(usize, String)>,
}

/// Calls that run side by side.
type Stage = VecDeque<Planned>;

/// How many calls of a batch are begun at a time: far more than run, as some
/// wait for a person or for their turn, and few enough to keep a batch of any
/// length small.
const BEGUN: usize = 1024;

/// The calls of a batch on their way: a stream of each outcome with the place
/// of its call, in the order in which they come.
pub(super) struct Running {
    executor: Executor,
    scope: Scope,
    /// What comes after the stage that runs.
    stages: VecDeque<Stage>,
    /// What is not begun of it.
    stage: Stage,
    begun: FuturesUnordered<BoxFuture<(Answers, Outcome)>>,
    done: VecDeque<(usize, Outcome)>,
}

impl Running {
    pub(super) fn new(executor: &Executor, scope: &Scope, calls: Vec<Call>) -> Self {
        Self {
            stages: stages(executor, calls),
            stage: Stage::new(),
            executor: executor.clone(),
            scope: scope.clone(),
            begun: FuturesUnordered::new(),
            done: VecDeque::new(),
        }
    }

    /// Begins as many calls as may be begun.
    fn begin(&mut self) {
        while self.begun.len() < BEGUN
            && let Some(planned) = self.stage.pop_front()
        {
            let executor = self.executor.clone();
            let scope = self.scope.clone();
            // Taken here, one after the other, so that those who wait for each
            // other run in the order of their calls.
            let ticket = executor.ticket(&scope, &planned.call);
            self.begun.push(Box::pin(async move {
                let Planned { call, answers } = planned;
                let outcome = executor.answer(&scope, call, ticket).await;
                (answers, outcome)
            }));
        }
    }
}

impl Stream for Running {
    type Item = (usize, Outcome);

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(done) = self.done.pop_front() {
                return Poll::Ready(Some(done));
            }
            self.begin();
            match Pin::new(&mut self.begun).poll_next(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some((answers, outcome))) => {
                    for (index, id) in answers.same {
                        let outcome = outcome.of_call(id);
                        self.done.push_back((index, outcome));
                    }
                    return Poll::Ready(Some((answers.index, outcome)));
                }
                Poll::Ready(None) => match self.stages.pop_front() {
                    Some(stage) => self.stage = stage,
                    None => return Poll::Ready(None),
                },
            }
        }
    }
}

/// A tool that is a barrier runs alone; the calls between two barriers run
/// side by side.
fn stages(executor: &Executor, calls: Vec<Call>) -> VecDeque<Stage> {
    let mut stages = VecDeque::new();
    let mut stage = Stage::new();
    let mut seen: HashMap<(&str, String), usize> = HashMap::new();
    for (index, call) in calls.into_iter().enumerate() {
        let tool = executor.lookup(&call.name);
        if tool.is_some_and(|(_, entry)| entry.sequential == Sequential::Barrier) {
            seen.clear();
            stages.push_back(std::mem::take(&mut stage));
            stages.push_back(Stage::from([Planned::new(call, index)]));
            continue;
        }
        if let Some((tool, entry)) = tool
            && entry.may_share
        {
            let key = (tool.name(), call.arguments.to_text());
            if let Some(first) = seen.get(&key).and_then(|first| stage.get_mut(*first)) {
                first.answers.same.push((index, call.id));
                continue;
            }
            seen.insert(key, stage.len());
        }
        stage.push_back(Planned::new(call, index));
    }
    stages.push_back(stage);
    stages
}

impl Planned {
    fn new(call: Call, index: usize) -> Self {
        Self {
            call,
            answers: Answers {
                index,
                same: Vec::new(),
            },
        }
    }
}
