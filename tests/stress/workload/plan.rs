//! Which calls are made next, and how.

use serde_json::json;
use tool_core::Call;

use super::behaviour::{
    BARRIER, BEHAVIOURS, Behaviour, CANCELLED, CANCELLED_DEAF, LIMITED, MARK, Needs, RUN, TURN,
};
use super::random::Random;
use super::subject::{Subject, Way};
use super::tools;

/// The most calls of a batch.
const BATCH: usize = 24;
/// How many keys there are for which only one call runs at a time.
pub(crate) const KEYS: usize = 16;

/// A call that is to be made.
pub(crate) struct Planned {
    pub(crate) behaviour: &'static Behaviour,
    pub(crate) number: u64,
    pub(crate) tool: String,
    pub(crate) key: usize,
    pub(crate) call: Call,
}

/// What happens to calls that are made together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Story {
    /// They are answered, each for itself.
    Answered,
    /// Their session is cancelled.
    Cancelled,
    /// Their caller goes away.
    Forgotten,
    /// Some of them wait for all before them.
    Barriers,
    /// Equal ones share a run.
    Shared,
    /// Those with equal keys come in their order.
    InTurn,
    /// Their session has calls for three of them.
    Limited,
}

/// How often each story is told.
const STORIES: [(Story, usize); 7] = [
    (Story::Answered, 80),
    (Story::Cancelled, 4),
    (Story::Forgotten, 6),
    (Story::Barriers, 3),
    (Story::Shared, 3),
    (Story::InTurn, 3),
    (Story::Limited, 1),
];

/// Calls that are made together.
pub(crate) struct Plan {
    pub(crate) story: Story,
    pub(crate) way: Way,
    pub(crate) in_session: bool,
    /// After how many microseconds something comes between.
    pub(crate) patience: u64,
    pub(crate) calls: Vec<Planned>,
}

impl Plan {
    /// What comes next. Numbers are used up from `next`.
    pub(crate) fn draw(random: &mut Random, subject: &Subject, next: &mut u64) -> Self {
        let (story, _) = random.weighted(&STORIES, |(_, weight)| *weight);
        let mut drawing = Drawing {
            random,
            subject,
            next,
        };
        let calls = drawing.calls(*story);
        let way = match (story, calls.len()) {
            (Story::Shared | Story::Barriers | Story::InTurn, _) => drawing.batch_way(),
            (_, 1) if !random.once_in(8) => Way::Call,
            _ => match random.below(3) {
                0 => Way::Call,
                1 => Way::Run,
                _ => Way::Stream,
            },
        };
        Self {
            story: *story,
            way,
            in_session: random.once_in(2),
            patience: random.next() % 3000,
            calls,
        }
    }
}

struct Drawing<'a> {
    random: &'a mut Random,
    subject: &'a Subject,
    next: &'a mut u64,
}

impl Drawing<'_> {
    fn calls(&mut self, story: Story) -> Vec<Planned> {
        match story {
            Story::Answered if !self.random.once_in(8) => vec![self.any()],
            Story::Answered => self.several(BATCH, Self::any),
            Story::Cancelled => self.several(4, |drawing| {
                let deaf = drawing.subject.isolation && drawing.random.once_in(4);
                drawing.planned(if deaf { &CANCELLED_DEAF } else { &CANCELLED })
            }),
            Story::Forgotten => self.several(8, |drawing| {
                if drawing.random.once_in(4) {
                    return drawing.planned(&CANCELLED);
                }
                loop {
                    let any = drawing.any();
                    // A call that is left alone is not tried to its end.
                    if any.behaviour.family != "retrying" {
                        return any;
                    }
                }
            }),
            Story::Barriers => self.barriers(),
            Story::Shared => {
                let tool = self.tool(&RUN);
                let first = self.take(2);
                self.several(8, |drawing| {
                    let number = first + drawing.random.next() % 2;
                    let mut planned = Planned::new(&RUN, number, tool.clone(), 0, None);
                    planned.call.id = format!("{}/shared", drawing.take(1));
                    planned
                })
            }
            Story::InTurn => self.several(BATCH, |drawing| drawing.planned(&TURN)),
            Story::Limited => (0..5).map(|_| self.planned(&LIMITED)).collect(),
        }
    }

    fn several(&mut self, most: usize, mut draw: impl FnMut(&mut Self) -> Planned) -> Vec<Planned> {
        let count = 2 + self.random.below(most - 1);
        (0..count).map(|_| draw(self)).collect()
    }

    /// Any behaviour that the executor is fit for.
    fn any(&mut self) -> Planned {
        let subject = self.subject;
        let behaviour = self
            .random
            .weighted(BEHAVIOURS, |behaviour| match behaviour.needs {
                Needs::Isolation if !subject.isolation => 0,
                Needs::Hooks if !subject.hooks => 0,
                _ => behaviour.weight,
            });
        self.planned(behaviour)
    }

    fn planned(&mut self, behaviour: &'static Behaviour) -> Planned {
        let tool = self.tool(behaviour);
        let key = self.random.below(KEYS);
        Planned::new(behaviour, self.take(1), tool, key, None)
    }

    fn barriers(&mut self) -> Vec<Planned> {
        let batch = self.take(1) << 16;
        let mut calls: Vec<Planned> = Vec::new();
        for _ in 0..=self.random.below(3) {
            for _ in 0..self.random.below(4) {
                let number = batch + calls.len() as u64;
                let tool = self.tool(&MARK);
                calls.push(Planned::new(&MARK, number, tool, 0, None));
            }
            let number = batch + calls.len() as u64;
            let tool = self.tool(&BARRIER);
            let before = Some(calls.len());
            calls.push(Planned::new(&BARRIER, number, tool, 0, before));
        }
        calls
    }

    fn batch_way(&mut self) -> Way {
        if self.random.once_in(2) {
            Way::Run
        } else {
            Way::Stream
        }
    }

    fn tool(&mut self, behaviour: &Behaviour) -> String {
        let number = self.random.below(tools::count(behaviour.family));
        tools::name(behaviour.family, number)
    }

    fn take(&mut self, count: u64) -> u64 {
        let first = *self.next;
        *self.next += count;
        first
    }
}

impl Planned {
    /// A call that does this. One that is a barrier knows how many are before it.
    pub(crate) fn new(
        behaviour: &'static Behaviour,
        number: u64,
        tool: String,
        key: usize,
        before: Option<usize>,
    ) -> Self {
        let id = format!("{number}/{tool}");
        let what = behaviour.word;
        let arguments = match (what, before) {
            ("mend", _) => json!({"what": "succeed", "number": number.to_string()}),
            ("misfit", _) => json!({"what": "succeed", "number": "many"}),
            ("share a key" | "turn", _) => json!({"what": what, "number": number, "key": key}),
            (_, Some(before)) => json!({"what": what, "number": number, "done": before}),
            _ => json!({"what": what, "number": number}),
        };
        // As text, as a model sends it.
        let call = Call::new(id, &*tool, arguments.to_string());
        Self {
            behaviour,
            number,
            tool,
            key,
            call,
        }
    }
}
