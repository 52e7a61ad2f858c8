//! What a call can do, which tools can do it, and what it must be answered.

use tool_core::{ErrorKind, Outcome};

/// One thing that a call can do.
pub(crate) struct Behaviour {
    /// The argument `do` of the call, and how the behaviour is counted.
    pub(crate) word: &'static str,
    /// The beginning of the names of the tools that can do it.
    pub(crate) family: &'static str,
    /// How often it is drawn.
    pub(crate) weight: usize,
    /// What is needed of the executor.
    pub(crate) needs: Needs,
    /// Every answer that is right.
    answers: &'static [Answer],
}

/// What a behaviour needs of its executor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Nothing.
    Nothing,
    /// That calls are isolated: it blocks its thread.
    Isolation,
    /// The hooks of the workload.
    Hooks,
}

/// A right answer: the kind of error, if it is one, and the text, in which
/// `TOOL` and `NUMBER` stand for those of the call, and after `…` anything.
struct Answer(Option<ErrorKind>, &'static str);

use ErrorKind::{
    Cancelled, Denied, Failed, InvalidArguments, LimitReached, NotFound, Panicked, Pending,
    TimedOut,
};
use Needs::{Hooks, Isolation, Nothing};

const DONE: &[Answer] = &[Answer(None, "done NUMBER")];
const PANICKED: &[Answer] = &[Answer(
    Some(Panicked),
    "Error: Tool 'TOOL' failed unexpectedly: it panicked",
)];
const LATE: Answer = Answer(
    Some(TimedOut),
    "Error: Tool 'TOOL' timed out after 0.02 seconds\n…",
);
const WAITS: &[Answer] = &[Answer(
    Some(Pending),
    "Error: Tool 'TOOL' waits for a person to decide\nIt has not run. Do not call it again.",
)];

const fn behaviour(
    word: &'static str,
    family: &'static str,
    weight: usize,
    needs: Needs,
    answers: &'static [Answer],
) -> Behaviour {
    Behaviour {
        word,
        family,
        weight,
        needs,
        answers,
    }
}

/// All behaviours of a call that may stand alone or beside any others.
pub(crate) const BEHAVIOURS: &[Behaviour] = &[
    behaviour("succeed", "plain", 240, Nothing, DONE),
    behaviour("yield", "plain", 80, Nothing, DONE),
    behaviour("report", "plain", 30, Nothing, DONE),
    behaviour("mend", "plain", 20, Nothing, DONE),
    behaviour(
        "leak",
        "plain",
        20,
        Nothing,
        &[Answer(None, "done NUMBER with [redacted]")],
    ),
    behaviour(
        "fail",
        "plain",
        60,
        Nothing,
        &[Answer(Some(Failed), "Error: no such thing: NUMBER")],
    ),
    behaviour("panic", "plain", 30, Nothing, PANICKED),
    behaviour("burst", "plain", 20, Nothing, PANICKED),
    behaviour(
        "misfit",
        "plain",
        20,
        Nothing,
        &[Answer(
            Some(InvalidArguments),
            "Error: Invalid arguments for tool 'TOOL': …",
        )],
    ),
    behaviour(
        "stray",
        "nowhere",
        10,
        Nothing,
        &[Answer(Some(NotFound), "Error: There is no tool 'TOOL'…")],
    ),
    behaviour("sleep", "sleeping", 30, Nothing, &[LATE]),
    behaviour("burst late", "sleeping", 15, Nothing, &[LATE]),
    behaviour("block", "blocking", 10, Isolation, &[LATE]),
    behaviour(
        "block now and then",
        "moody",
        20,
        Isolation,
        &[LATE, Answer(None, "done NUMBER")],
    ),
    behaviour(
        "jam",
        "jammed",
        5,
        Isolation,
        &[
            LATE,
            Answer(
                Some(LimitReached),
                "Error: Tool 'TOOL' is still busy with an earlier call that could not be stopped\n…",
            ),
        ],
    ),
    behaviour("sync", "sync", 40, Nothing, DONE),
    behaviour("sync panic", "sync", 10, Nothing, PANICKED),
    behaviour("sync block", "sync_late", 10, Isolation, &[LATE]),
    behaviour("sync heed", "sync_late", 10, Isolation, &[LATE]),
    behaviour(
        "long text",
        "large",
        2,
        Nothing,
        &[Answer(None, "line 0\n…")],
    ),
    behaviour(
        "long json",
        "large",
        2,
        Nothing,
        &[Answer(None, "[\"00000…")],
    ),
    behaviour(
        "forbidden",
        "forbidden",
        20,
        Nothing,
        &[Answer(
            Some(Denied),
            "Error: Tool 'TOOL' is not allowed: the house says no",
        )],
    ),
    behaviour("allow", "asking", 20, Nothing, DONE),
    behaviour(
        "deny",
        "asking",
        20,
        Nothing,
        &[Answer(
            Some(Denied),
            "Error: Tool 'TOOL' was not approved: not NUMBER",
        )],
    ),
    behaviour(
        "edit",
        "asking",
        20,
        Nothing,
        &[Answer(None, "edited NUMBER")],
    ),
    behaviour("asker panics", "asking", 5, Nothing, PANICKED),
    behaviour("later", "asking", 20, Nothing, WAITS),
    behaviour("interrupt", "interrupting", 10, Nothing, WAITS),
    behaviour("try twice", "retrying", 15, Hooks, DONE),
    behaviour(
        "try in vain",
        "retrying",
        10,
        Hooks,
        &[Answer(Some(Failed), "Error: still busy: NUMBER")],
    ),
    behaviour(
        "answer",
        "plain",
        10,
        Hooks,
        &[Answer(None, "a hook has answered NUMBER")],
    ),
    behaviour(
        "hook panics",
        "plain",
        10,
        Hooks,
        &[Answer(
            Some(Failed),
            "Error: The host could not handle this call; whether the tool has run is not known",
        )],
    ),
    behaviour(
        "ask again",
        "again",
        10,
        Nothing,
        &[
            Answer(Some(Failed), "Error: another way, please: NUMBER"),
            Answer(
                Some(Failed),
                "Error: another way, please: NUMBER\nThis was try …",
            ),
        ],
    ),
    behaviour("succeed rated", "rated", 10, Nothing, DONE),
    behaviour(
        "succeed once",
        "exhausted",
        5,
        Nothing,
        &[
            Answer(None, "done NUMBER"),
            Answer(
                Some(LimitReached),
                "Error: Tool 'TOOL' has been called too often\n…",
            ),
        ],
    ),
    behaviour("share a gate", "gated", 30, Nothing, DONE),
    behaviour("share a key", "keyed", 30, Nothing, DONE),
    behaviour("nest", "nested", 20, Nothing, DONE),
    behaviour(
        "nest panic",
        "nested",
        5,
        Nothing,
        &[Answer(
            None,
            "Error: Tool 'stress-plain_00' failed unexpectedly: it panicked",
        )],
    ),
];

/// A call that waits for ever, and is cancelled by its session.
pub(crate) static CANCELLED: Behaviour = behaviour(
    "wait",
    "waiting",
    0,
    Nothing,
    &[Answer(
        Some(Cancelled),
        "Error: Tool 'TOOL' was cancelled before it was done…",
    )],
);

/// The same on a thread for blocking work, where the tool does not look.
pub(crate) static CANCELLED_DEAF: Behaviour = behaviour(
    "sync deaf",
    "sync",
    0,
    Isolation,
    &[
        Answer(
            Some(Cancelled),
            "Error: Tool 'TOOL' was cancelled before it was done…",
        ),
        // The one who cancels may come too late on a busy machine.
        Answer(None, "done NUMBER"),
    ],
);

/// A call that must run when all before it in its batch are done.
pub(crate) static BARRIER: Behaviour = behaviour("barrier", "barrier", 0, Nothing, DONE);
/// A call that such a one waits for.
pub(crate) static MARK: Behaviour = behaviour("mark", "plain", 0, Nothing, DONE);
/// A call that says which run it was.
pub(crate) static RUN: Behaviour = behaviour("run", "shared", 0, Nothing, &[Answer(None, "run …")]);
/// A call that says when its turn was.
pub(crate) static TURN: Behaviour =
    behaviour("turn", "keyed", 0, Nothing, &[Answer(None, "turn …")]);
/// A call that succeeds, or comes when its session has no more calls.
pub(crate) static LIMITED: Behaviour = behaviour(
    "succeed",
    "plain",
    0,
    Nothing,
    &[
        Answer(None, "done NUMBER"),
        Answer(
            Some(LimitReached),
            "Error: All 3 tool calls have been made\n…",
        ),
    ],
);
/// A call that waits until as many others have come as there are places.
pub(crate) static MEET: Behaviour = behaviour("meet", "plain", 0, Nothing, DONE);
/// A call that fails when there are more at a time than places.
pub(crate) static CROWD: Behaviour = behaviour("crowd", "plain", 0, Nothing, DONE);
/// A call that waits until another of its tool has come.
pub(crate) static PAIR: Behaviour = behaviour("pair", "gated", 0, Nothing, DONE);

impl Behaviour {
    /// Whether this is a right outcome of the call with this number.
    pub(crate) fn is_right(&self, tool: &str, number: u64, outcome: &Outcome) -> bool {
        let text = outcome.text();
        let told = self.answers.iter().any(|Answer(kind, pattern)| {
            let expected = pattern
                .replace("TOOL", tool)
                .replace("NUMBER", &number.to_string());
            let is_text = match expected.split_once('…') {
                Some((beginning, _)) => text.starts_with(beginning),
                None => text == expected,
            };
            is_text && outcome.error_kind() == *kind
        });
        told && self.is_right_beyond_the_text(outcome)
    }

    fn is_right_beyond_the_text(&self, outcome: &Outcome) -> bool {
        let text = outcome.text();
        let says = |hint| text.contains(hint);
        match outcome.error_kind() {
            Some(_) if outcome.may_still_run => says("Its work may still go on."),
            Some(TimedOut) => says("Its work was stopped.") || says("It was done only after that."),
            Some(kind) => outcome.pending.is_some() == (kind == Pending),
            None => match self.word {
                "mend" => outcome.repairs.len() == 1,
                "long text" | "long json" => {
                    text.len() < 66 * 1024 && text.contains("results-read_result")
                }
                _ => outcome.pending.is_none(),
            },
        }
    }
}
