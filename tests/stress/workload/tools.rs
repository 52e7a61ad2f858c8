//! Two hundred tools that behave as told.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};
use tool_core::{
    Annotations, Approval, Call, Catalogue, Content, Context, Definition, Kind, Output, Progress,
    Rate, Sequential, Tool, ToolError, tool, tools,
};

use super::world::{GATE, PLACES, World};

/// The time of a tool that is meant to be late.
const SHORT: Duration = Duration::from_millis(20);
/// How long a tool blocks that is meant to be late: longer than its time, and
/// than what it is given to stop.
const LONG: Duration = Duration::from_millis(70);

/// The secret that leaks.
pub(crate) const SECRET: &str = "hunter2-hunter2";
/// How often a retried call fails at most.
pub(crate) const TRIES: usize = 3;

/// The tools whose names begin alike, how many there are, and what sets them apart.
type Family = (&'static str, usize, fn(&mut Definition));

const FAMILIES: &[Family] = &[
    ("plain", 29, |_| {}),
    ("sleeping", 20, |definition| {
        definition.timeout = Some(SHORT);
    }),
    ("blocking", 10, |definition| {
        definition.timeout = Some(SHORT);
    }),
    ("moody", 4, |definition| definition.timeout = Some(SHORT)),
    ("jammed", 4, |definition| {
        definition.timeout = Some(SHORT);
        definition.concurrency = Some(1);
    }),
    ("large", 10, |_| {}),
    ("forbidden", 10, |definition| {
        definition.tags = vec!["forbidden".to_owned()];
    }),
    ("asking", 20, |definition| {
        definition.approval = Approval::Always;
    }),
    ("interrupting", 10, |definition| {
        definition.kind = Kind::Interrupt;
    }),
    ("retrying", 10, |_| {}),
    ("again", 4, |_| {}),
    ("rated", 5, |definition| {
        definition.rate = Some(Rate::new(3, SHORT));
    }),
    ("exhausted", 5, |definition| {
        definition.timeout = Some(Duration::from_secs(60));
        definition.rate = Some(Rate::new(1, Duration::from_secs(24 * 60 * 60)));
    }),
    ("gated", 10, |definition| {
        definition.concurrency = Some(GATE);
    }),
    ("keyed", 10, |definition| {
        definition.sequential = Sequential::Key("key".to_owned());
    }),
    ("barrier", 4, |definition| {
        definition.sequential = Sequential::Barrier;
    }),
    ("shared", 10, |definition| {
        definition.annotations = Annotations::NONE.read_only(true).idempotent(true);
    }),
    ("nested", 10, |_| {}),
    ("waiting", 10, |_| {}),
];

/// The tools that are functions, by family.
const DECLARED: [(&str, usize); 2] = [("sync", 3), ("sync_late", 2)];

/// The name of a tool.
pub(crate) fn name(family: &str, number: usize) -> String {
    format!("stress-{family}_{number:02}")
}

/// How many tools a family has; one for that which there is not.
pub(crate) fn count(family: &str) -> usize {
    let made = FAMILIES.iter().map(|(name, count, _)| (*name, *count));
    let mut all = made.chain(DECLARED);
    all.find(|(name, _)| *name == family)
        .map_or(1, |(_, count)| count)
}

/// All tools, in one world.
pub(crate) fn catalogue(world: &Arc<World>) -> Catalogue {
    let declared = tools![sync_00, sync_01, sync_02, sync_late_00, sync_late_01];
    let mut made = Vec::new();
    for (family, count, change) in FAMILIES {
        for number in 0..*count {
            let mut definition =
                Definition::new(name(family, number), "Behave as told.", parameters());
            change(&mut definition);
            let world = Arc::clone(world);
            let behave = move |arguments, context| behave(Arc::clone(&world), arguments, context);
            made.push(Tool::new(definition, behave).expect("the definition is right"));
        }
    }
    let catalogue = Catalogue::new(declared).and_then(|declared| declared.with(made));
    catalogue.expect("the names differ")
}

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "what": {"type": "string"},
            "number": {"type": "integer", "minimum": 0},
            "key": {"type": "integer"},
            "done": {"type": "integer"},
        },
        "required": ["what", "number"],
        "additionalProperties": false,
    })
}

/// A value that panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "stress: a destructor");
    }
}

async fn behave(
    world: Arc<World>,
    arguments: Value,
    context: Context,
) -> Result<Output, ToolError> {
    let _alive = world.live();
    let number = arguments["number"].as_u64().unwrap_or_default();
    let done = format!("done {number}");
    let what = arguments["what"].as_str().unwrap_or_default();
    let said = match what {
        "yield" => {
            tokio::task::yield_now().await;
            done
        }
        "report" => {
            for step in 0..3 {
                world.reported.fetch_add(1, Ordering::SeqCst);
                context.report(Progress::new(f64::from(step)).of(3.0));
                tokio::task::yield_now().await;
            }
            done
        }
        "leak" => format!("{done} with {SECRET}"),
        "fail" => return Err(ToolError::new(format!("no such thing: {number}"))),
        "panic" => panic!("stress: told to"),
        "burst" => {
            let _bomb = Bomb;
            done
        }
        "burst late" => {
            let _bomb = Bomb;
            std::future::pending().await
        }
        "sleep" | "wait" => std::future::pending().await,
        "block" | "jam" => {
            std::thread::sleep(LONG);
            done
        }
        "block now and then" => {
            if number.is_multiple_of(8) {
                std::thread::sleep(LONG);
            }
            done
        }
        "long text" => {
            let lines: Vec<String> = (0..100_000).map(|line| format!("line {line}")).collect();
            lines.join("\n")
        }
        "long json" => {
            let rows: Vec<String> = (0..1024).map(|row| format!("{row:01000}")).collect();
            return Ok(Content::json(&rows)?.into());
        }
        "edited" => format!("edited {number}"),
        "try twice" => {
            if world.attempt(number, 2) < 2 {
                return Err(ToolError::new("not yet").retryable());
            }
            done
        }
        "try in vain" => {
            world.attempt(number, TRIES);
            return Err(ToolError::new(format!("still busy: {number}")).retryable());
        }
        "ask again" => {
            let message = format!("another way, please: {number}");
            return Err(ToolError::retry(message));
        }
        _ => behave_together(&world, &arguments, &context, what, number).await?,
    };
    Ok(Output::from(said))
}

/// What calls do that have to do with each other.
async fn behave_together(
    world: &World,
    arguments: &Value,
    context: &Context,
    what: &str,
    number: u64,
) -> Result<String, ToolError> {
    let done = format!("done {number}");
    let said = match what {
        "share a gate" => {
            let _inside = world.go_in(gate_of(context.call_id()), GATE)?;
            tokio::time::sleep(Duration::from_millis(1)).await;
            done
        }
        "share a key" | "turn" => {
            let _inside = world.go_in(format!("key {}", arguments["key"]), 1)?;
            tokio::task::yield_now().await;
            match what {
                "turn" => format!("turn {}", world.number()),
                _ => done,
            }
        }
        "run" => {
            tokio::task::yield_now().await;
            format!("run {}", world.number())
        }
        "mark" => {
            tokio::task::yield_now().await;
            // A number is that of the batch and a place in it.
            world.mark(number >> 16);
            done
        }
        "barrier" => {
            let marked = world.marked(number >> 16);
            tokio::task::yield_now().await;
            let expected = arguments["done"].as_u64();
            let still = world.marked(number >> 16);
            if still != marked || Some(marked as u64) != expected {
                let message = format!("{marked}, then {still} are done, not {expected:?}");
                return Err(ToolError::new(message));
            }
            world.mark(number >> 16);
            done
        }
        "nest" | "nest panic" => nest(world, what, number).await?,
        "meet" => {
            world.meeting.wait().await;
            done
        }
        "crowd" => {
            let _inside = world.go_in("crowd".to_owned(), PLACES)?;
            tokio::time::sleep(Duration::from_millis(2)).await;
            done
        }
        "pair" => {
            world.pair.wait().await;
            done
        }
        _ => done,
    };
    Ok(said)
}

/// The tool is in the id of each call of the workload.
fn gate_of(call_id: &str) -> String {
    let tool = call_id.split('/').next_back();
    format!("gate {}", tool.unwrap_or_default())
}

/// Calls another tool, which calls another.
async fn nest(world: &World, what: &str, number: u64) -> Result<String, ToolError> {
    let executor = world
        .executor()
        .ok_or_else(|| ToolError::new("there is no executor"))?;
    let (family, inner) = match (what, number % 5) {
        ("nest panic", _) => ("plain", "panic"),
        (_, 0) => ("plain", "yield"),
        (_, 1) => ("sync", "sync"),
        // These wait for their turn.
        (_, 2) => ("gated", "share a gate"),
        (_, 3) => ("keyed", "share a key"),
        // Once more.
        _ => ("nested", "succeed"),
    };
    let arguments = json!({"what": inner, "number": number});
    let tool = name(family, 0);
    let call = Call::new(format!("{number}/{tool}"), tool, arguments);
    Ok(executor.call(call).await.text().into_owned())
}

macro_rules! sync_tools {
    ($($function:ident = $name:literal,)*) => {$(
        /// Behave as told, without await.
        #[tool(name = $name)]
        fn $function(
            /// What to do.
            what: String,
            /// The number of the call.
            number: u64,
            #[tool(state)] world: &World,
        ) -> String {
            let _alive = world.live();
            match what.as_str() {
                "sync panic" => panic!("stress: told to"),
                "sync deaf" => std::thread::sleep(LONG),
                _ => {}
            }
            format!("done {number}")
        }
    )*};
}

sync_tools! {
    sync_00 = "stress-sync_00",
    sync_01 = "stress-sync_01",
    sync_02 = "stress-sync_02",
}

macro_rules! late_tools {
    ($($function:ident = $name:literal,)*) => {$(
        /// Block for too long, or until somebody cancels the call.
        #[tool(name = $name, timeout = 0.02)]
        fn $function(
            /// What to do.
            what: String,
            /// The number of the call.
            number: u64,
            context: &Context,
            #[tool(state)] world: &World,
        ) -> String {
            let _alive = world.live();
            if what == "sync heed" {
                while !context.is_cancelled() {
                    std::thread::sleep(Duration::from_millis(5));
                }
            } else {
                std::thread::sleep(LONG);
            }
            format!("done {number}")
        }
    )*};
}

late_tools! {
    sync_late_00 = "stress-sync_late_00",
    sync_late_01 = "stress-sync_late_01",
}
