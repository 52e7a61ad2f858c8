//! No secret leaves: each shape of a secret, put in each place, on each way
//! through the executor.

pub(super) mod bench;
mod host;
mod leaky;
mod shapes;
pub(super) mod watch;
mod wrong;

use bench::{Bench, Way, leak, leaks, logged, none};
use leaky::PLACES;
use shapes::{Origin, SHAPES};

/// Every shape, at every place where a tool can let it out, on every way.
#[test]
fn no_secret_leaves_where_a_tool_lets_it_out() {
    let mut found = Vec::new();
    for way in Way::ALL {
        for shape in &SHAPES {
            for place in PLACES {
                let bench = Bench::new(way, shape);
                let calls = vec![leak("secret-say", shape, place)];
                let seen = logged(&bench.log, bench.run(way, calls));
                let given = bench.given.lock().unwrap().clone();
                assert_eq!(
                    given,
                    [shape.words],
                    "the tool itself gets the secret: {} {place} {way:?}",
                    shape.name
                );
                leaks(&format!("{place}, {way:?}"), shape, &seen, &mut found);
            }
        }
    }
    none(found);
}

/// The same for tools that the executor treats in some other way.
#[test]
fn no_secret_leaves_whatever_the_kind_of_the_tool() {
    let mut found = Vec::new();
    let shapes = SHAPES
        .iter()
        .filter(|shape| shape.origin == Origin::Argument);
    for shape in shapes {
        for place in PLACES {
            for tool in ["secret-say_plainly", "secret-say_sync", "secret-share"] {
                let bench = Bench::new(Way::Plain, shape);
                // Equal calls, which share a run where they may.
                let calls = (0..2).map(|_| leak(tool, shape, place)).collect();
                let seen = logged(&bench.log, bench.run(Way::Plain, calls));
                leaks(&format!("{place}, {tool}"), shape, &seen, &mut found);
            }
        }
    }
    none(found);
}
