//! Calls that are wrong: what is said about them quotes no secret.

use serde_json::{Value, json};
use tool_core::{Arguments, Call};

use super::bench::{Bench, MODES, Way, leaks, logged, none};
use super::shapes::{Origin, SHAPES, Shape};

/// So much stands before a secret that what is shown of a text ends inside it.
const PADDINGS: [usize; 4] = [0, 30, 52, 190];

fn padded(padding: usize, words: &str) -> String {
    // Ends with a blank, as a secret is a word of its own.
    format!("{:>padding$}{words}", " ")
}

/// Wrong calls with a secret in a plain place.
fn plain(shape: &Shape) -> Vec<(String, Call)> {
    let mut calls = Vec::new();
    let mut add = |what: String, tool: &str, arguments: Arguments| {
        calls.push((what, Call::new("1", tool, arguments)));
    };
    for padding in PADDINGS {
        let words = &padded(padding, shape.words);
        let quoted = json!(words).to_string();
        let values = [
            ("of a wrong type", json!({ "number": words })),
            ("too long", json!({"number": 1, "short": words})),
            ("of no kind", json!({"number": 1, "kind": words})),
            ("an unknown key", json!({"number": 1, words: 1})),
            ("under an unknown key", json!({"number": 1, "shrt": words})),
            ("in a list", json!({"number": [words]})),
            (
                "under a telling name",
                json!({"number": 1, "api_key": words}),
            ),
            (
                "in a text as list",
                json!({"number": format!("[{quoted}]")}),
            ),
            ("as text", json!({"number": format!("{{\"a\":{quoted}}}")})),
        ];
        for (what, value) in values {
            let what = format!("{what} after {padding}");
            add(
                what.clone(),
                "secret-count",
                Arguments::Text(value.to_string()),
            );
            add(what, "secret-count", Arguments::Value(value));
        }
        let texts = [
            ("a key twice", format!("{{{quoted}:1,{quoted}:2}}")),
            ("cut off", format!("{{\"number\":1,\"short\":{quoted}")),
            (
                "cut off in a list",
                format!("{{\"number\":1,\"short\":[{quoted},"),
            ),
            ("not JSON", words.clone()),
            ("no object", quoted.clone()),
            (
                "prose",
                format!("I call it with {words}: {{\"number\":\"1\",}} now"),
            ),
            ("a fence", format!("```json\n{{\"number\":{quoted},}}\n```")),
            ("a bare word", format!("{{\"number\":1,\"short\":{words}}}")),
            ("a comment", format!("{{\"number\":1, /* {words} */}}")),
        ];
        for (what, text) in texts {
            add(
                format!("{what} after {padding}"),
                "secret-count",
                Arguments::Text(text),
            );
        }
        // These can be mended, and the tool runs.
        let mended = [
            (
                "mended comma",
                format!("{{\"place\":\"text\",\"words\":{quoted},}}"),
            ),
            (
                "mended fence",
                format!("```json\n{{\"place\":\"text\",\"words\":{quoted}}}\n```"),
            ),
            (
                "mended twice",
                json!(json!({"place": "text", "words": words}).to_string()).to_string(),
            ),
            (
                "mended name",
                format!("{{\"place\":\"text\",\"Words\":{quoted}}}"),
            ),
            (
                "mended wrap",
                format!("{{\"arguments\":{{\"place\":\"text\",\"words\":{quoted}}}}}"),
            ),
        ];
        for (what, text) in mended {
            add(
                format!("{what} after {padding}"),
                "secret-say",
                Arguments::Text(text),
            );
        }
        add(
            format!("a name after {padding}"),
            words,
            Arguments::Value(json!({})),
        );
        for tool in ["results-read_result", "results_read_result"] {
            let id = Arguments::Value(json!({ "id": words }));
            add(format!("an id of a result after {padding}"), tool, id);
        }
    }
    calls
}

/// Wrong calls of a tool that takes secrets.
fn secret(shape: &Shape) -> Vec<(String, Call)> {
    let words = shape.words;
    let quoted = json!(words).to_string();
    let values: Vec<(&str, Value)> = vec![
        ("in a list", json!({"place": "text", "password": [words]})),
        (
            "in an object",
            json!({"place": "text", "password": {"a": words}}),
        ),
        ("as a key", json!({"place": "text", "password": {words: 1}})),
        ("under a slip", json!({"place": "text", "pasword": words})),
        (
            "under another case",
            json!({"place": "text", "Password": words}),
        ),
        ("with a wrong place", json!({"place": 5, "password": words})),
        ("without a place", json!({ "password": words })),
        (
            "in place of an account",
            json!({"place": "text", "login": words}),
        ),
        (
            "under a slip in an account",
            json!({"place": "text", "login": {"user": "a", "pass": words}}),
        ),
        (
            "beside the account",
            json!({"place": "text", "login": {"user": 3, "password": words}}),
        ),
        (
            "in a list of the account",
            json!({"place": "text", "login": [{"user": "a", "password": words}]}),
        ),
        (
            "wrapped",
            json!({"arguments": {"place": "text", "password": words}}),
        ),
        (
            "account as text",
            json!({"place": "text", "login": format!("{{\"user\":\"a\",\"password\":{quoted}}}")}),
        ),
    ];
    let texts = vec![
        (
            "cut off",
            format!("{{\"place\":\"text\",\"password\":{quoted}"),
        ),
        (
            "twice",
            format!("{{\"password\":{quoted},\"password\":{quoted}}}"),
        ),
        (
            "a comma too much",
            format!("{{\"place\":\"text\",\"password\":{quoted},}}"),
        ),
        (
            "in prose",
            format!("Log in: {{\"place\":\"text\",\"password\":{quoted},}} please"),
        ),
        (
            "a bare word",
            format!("{{\"place\":\"text\",\"password\":{words}}}"),
        ),
        (
            "doubly encoded",
            json!(json!({"place": "text", "password": words}).to_string()).to_string(),
        ),
    ];
    let values = values
        .into_iter()
        .map(|(what, value)| (what, Arguments::Value(value)));
    let texts = texts
        .into_iter()
        .map(|(what, text)| (what, Arguments::Text(text)));
    values
        .chain(texts)
        .map(|(what, arguments)| (what.to_owned(), Call::new("1", "secret-log_in", arguments)))
        .collect()
}

#[test]
fn no_secret_leaves_where_a_call_is_wrong() {
    let mut found = Vec::new();
    for way in [Way::Plain, Way::Hooked] {
        for repair in MODES {
            for shape in &SHAPES {
                let calls = match shape.origin {
                    Origin::Argument => plain(shape),
                    Origin::SecretArgument | Origin::SecretField => secret(shape),
                    Origin::State => continue,
                };
                let bench = Bench::with(way, shape, |builder| builder.repair(repair));
                for (what, call) in calls {
                    // Each has a log of its own, and the same executor.
                    let bench = Bench {
                        executor: bench.executor.clone(),
                        store: bench.store.clone(),
                        log: super::watch::Log::default(),
                        given: bench.given.clone(),
                        told: bench.told.clone(),
                    };
                    let seen = logged(&bench.log, bench.run(way, vec![call]));
                    leaks(
                        &format!("{what}, {repair:?}, {way:?}"),
                        shape,
                        &seen,
                        &mut found,
                    );
                }
            }
        }
    }
    none(found);
}

/// An argument whose name says that it is a secret is shown to nobody, though
/// its tool does not say so.
#[test]
fn no_secret_leaves_that_its_name_tells_of() {
    let mut found = Vec::new();
    for way in Way::ALL {
        for shape in &SHAPES {
            for arguments in [
                json!({ "token": shape.secret }).to_string(),
                json!({ "Token": shape.secret }).to_string(),
                json!({ "token": [shape.secret] }).to_string(),
                json!({ "arguments": { "token": shape.secret } }).to_string(),
                format!("{{\"token\": {},}}", json!(shape.secret)),
            ] {
                let what = format!("{}, {way:?}", arguments.replace(shape.secret, "…"));
                let bench = Bench::new(way, shape);
                let call = Call::new("1", "secret-connect", arguments);
                let seen = logged(&bench.log, bench.run(way, vec![call]));
                leaks(&what, shape, &seen, &mut found);
            }
        }
    }
    none(found);
}
