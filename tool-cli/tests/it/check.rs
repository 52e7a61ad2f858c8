use std::io::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::program::{Answer, own, own_with_input, tool};

/// One line of calls to `add`, which brings its own tool.
fn line(id: &str, calls: &Value) -> String {
    let add = json!([{ "type": "function", "function": {
        "name": "add",
        "description": "Add two numbers.",
        "parameters": {
            "type": "object",
            "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } },
            "required": ["a", "b"],
        },
    } }]);
    format!("{}\n", json!({ "id": id, "tools": add, "calls": calls }))
}

fn add(arguments: &Value) -> Value {
    json!([{ "name": "add", "arguments": arguments }])
}

fn checked(options: &[&str], lines: &str) -> Answer {
    checked_bytes(options, lines.as_bytes())
}

fn checked_bytes(options: &[&str], lines: &[u8]) -> Answer {
    let arguments = [&["check", "--calls", "-"], options].concat();
    own_with_input(&arguments, lines)
}

fn objects(answer: &Answer) -> Vec<Value> {
    answer
        .text()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn what_was_right_is_only_counted_and_the_rest_has_a_line_each() {
    let lines = line("right", &add(&json!({ "a": 1, "b": 2 })))
        + &line("bent", &add(&json!({ "a": 1, "b": "2" })))
        + &line("wrong", &add(&json!({ "a": true })));
    let answer = checked(&[], &lines).exits(1);
    assert_eq!(
        answer.text(),
        "bent[0] add: repaired: `b`: number_as_text: \"2\" → 2\n\
         wrong[0] add: rejected: `a`: expected an integer, got true; `b`: required, but missing\n\
         3 calls: 1 accepted, 1 repaired, 1 rejected\n"
    );
    assert_eq!(answer.stderr, "");
}

#[test]
fn json_is_one_object_a_line_and_the_totals_last() {
    let lines = line("bent", &add(&json!({ "a": 1, "b": "2" })))
        + &line("wrong", &add(&json!({ "a": 1, "b": 2.5 })));
    let answer = checked(&["--json"], &lines).exits(1);
    assert_eq!(
        objects(&answer),
        [
            json!({
                "id": "bent", "line": 1, "call": 0, "tool": "add", "verdict": "repaired",
                "problems": [],
                "repairs": [{ "kind": "number_as_text", "path": "b", "before": "\"2\"", "after": "2" }],
            }),
            json!({
                "id": "wrong", "line": 2, "call": 0, "tool": "add", "verdict": "rejected",
                "problems": [{ "path": "b", "message": "expected an integer, got 2.5" }],
                "repairs": [],
            }),
            json!({ "calls": 2, "accepted": 0, "repaired": 1, "rejected": 1 }),
        ]
    );
}

#[test]
fn repairs_may_be_off_or_only_reported() {
    let bent = line("bent", &add(&json!({ "a": 1, "b": "2" })));
    let answer = checked(&["--repair", "off", "--json"], &bent).exits(1);
    let report = &objects(&answer)[0];
    assert_eq!(report["verdict"], "rejected");
    assert_eq!(report["repairs"], json!([]));

    let answer = checked(&["--repair", "report", "--json"], &bent).exits(1);
    let report = &objects(&answer)[0];
    assert_eq!(report["verdict"], "rejected");
    assert_eq!(report["problems"][0]["path"], "b");
    assert_eq!(report["repairs"][0]["kind"], "number_as_text");
    let answer = checked(&["--repair", "report"], &bent).exits(1);
    assert!(answer.text().contains("would mend `b`"), "{answer:?}");

    checked(&["--repair", "on"], &bent).exits(0);
    checked(&["--repair", "maybe"], &bent).exits(2);
}

#[test]
fn arguments_may_be_text_and_calls_may_have_an_envelope() {
    let calls = json!([
        { "name": "add", "arguments": "{\"a\":1,\"b\":2}" },
        { "id": "call_1", "type": "function", "function": { "name": "add", "arguments": "{\"a\":1,\"b\":2,}" } },
        { "name": "add", "arguments": "{\"a\":1,\"b\":" },
    ]);
    let answer = checked(&["--json"], &line("text", &calls)).exits(1);
    let [comma, cut, totals] = &objects(&answer)[..] else {
        panic!("{answer:?}");
    };
    assert_eq!(comma["call"], 1);
    assert_eq!(comma["repairs"][0]["kind"], "trailing_comma");
    assert_eq!(cut["call"], 2);
    assert_eq!(cut["verdict"], "rejected");
    assert_eq!(totals["accepted"], 1);
}

#[test]
fn a_name_that_no_tool_has_is_rejected_with_the_nearest() {
    let calls = json!([{ "name": "ad", "arguments": {} }, { "arguments": {} }, 5]);
    let answer = checked(&["--json"], &line("lost", &calls)).exits(1);
    let reports = objects(&answer);
    assert_eq!(
        reports[0]["problems"],
        json!([{ "path": "", "message": "there is no tool 'ad'; did you mean 'add'?" }])
    );
    assert_eq!(reports[1]["tool"], "");
    assert_eq!(reports[3]["rejected"], 3);
}

#[test]
fn a_definition_that_cannot_be_used_rejects_the_calls_of_its_tool_alone() {
    let lines = json!({
        "tools": [
            { "function": { "name": "bad", "parameters": { "type": "string" } } },
            { "function": { "name": "good", "parameters": { "type": "object" } } },
        ],
        "calls": [{ "name": "bad", "arguments": {} }, { "name": "good", "arguments": {} }],
    });
    let answer = checked(&[], &lines.to_string()).exits(1);
    let line = answer.text().lines().next().unwrap();
    assert!(line.starts_with("line 1[0] bad: rejected: the parameters of tool 'bad'"));
    assert!(answer.text().contains("2 calls: 1 accepted"), "{answer:?}");
}

#[test]
fn lines_without_tools_are_served_by_the_definitions_or_the_program() {
    let greet =
        json!({ "id": 7, "calls": [{ "name": "demo-greet", "arguments": { "name": "Ada" } }] });
    let answer = checked(&["--json"], &greet.to_string()).exits(0);
    assert_eq!(objects(&answer)[0]["accepted"], 1);

    // The program's tools need state to run; nothing is run here.
    let orders =
        json!({ "calls": [{ "name": "demo-search_orders", "arguments": { "limit": 500 } }] });
    let answer = checked(&["--json"], &orders.to_string()).exits(1);
    assert_eq!(objects(&answer)[0]["problems"].as_array().unwrap().len(), 2);

    let mut file = tempfile::NamedTempFile::new().unwrap();
    let definitions = json!({ "tools": [{ "function": { "name": "other" } }] });
    write!(file, "{definitions}").unwrap();
    let path = file.path().to_str().unwrap();
    let answer = checked(&["--definitions", path, "--json"], &greet.to_string()).exits(1);
    let report = &objects(&answer)[0];
    assert_eq!(report["id"], 7);
    assert!(
        report["problems"][0]["message"]
            .as_str()
            .unwrap()
            .contains("there is no tool")
    );
}

#[test]
fn a_line_that_cannot_be_read_is_named_and_costs_no_other() {
    let mut bytes = line("first", &add(&json!({ "a": 1, "b": 2 }))).into_bytes();
    bytes.extend(b"{\"calls\": nonsense}\n\xff\n\n[1,null,[]]\n{\"id\":1}\n");
    bytes.extend(br#"{"tools":5,"calls":[]}"#);
    bytes.extend(b"\n{\"tools\":[{\"name\":\"a\"},{\"name\":\"a\"}],\"calls\":[]}\n");
    bytes.extend(line("last", &add(&json!({ "a": 1 }))).into_bytes());
    let answer = checked_bytes(&[], &bytes).exits(2);
    assert!(answer.text().starts_with("last[0] add: rejected"));
    assert!(
        answer
            .text()
            .ends_with("2 calls: 1 accepted, 0 repaired, 1 rejected\n")
    );
    let notes: Vec<&str> = answer.stderr.lines().collect();
    let starts = [
        "stdin, line 2: column 12: expected",
        "stdin, line 3: not UTF-8: the byte at offset 0",
        "stdin, line 5: expected an object",
        "stdin, line 6: column 8: missing field `calls`",
        "stdin, line 7: its tools: expected",
        "stdin, line 8: its tools: two are named 'a'",
        "error: 6 lines could not be read",
    ];
    assert_eq!(notes.len(), starts.len(), "{}", answer.stderr);
    for (note, start) in notes.iter().zip(starts) {
        assert!(note.starts_with(start), "{note}");
    }
}

#[test]
fn wrong_usage_is_told() {
    own(&["check"]).exits(2);
    let answer = own(&["check", "--calls", "no-such-file"]).exits(2);
    assert!(answer.stderr.contains("cannot open `no-such-file`"));
    let answer = own(&["check", "--calls", "."]).exits(2);
    assert!(answer.stderr.contains("cannot"), "{answer:?}");
    own(&["check", "--calls", "-", "--definitions", "-"]).exits(2);
    let answer = checked(&["--json"], "").exits(0);
    assert_eq!(
        answer.json(),
        json!({ "calls": 0, "accepted": 0, "repaired": 0, "rejected": 0 })
    );
}

#[test]
fn what_a_model_wrote_cannot_drive_the_terminal() {
    let calls = json!([{ "name": "a\u{1b}[2J\nb", "arguments": {} }]);
    let answer = checked(&[], &line("\u{1b}]0;x\u{7}", &calls)).exits(1);
    assert!(!answer.text().contains('\u{1b}'), "{answer:?}");
    assert_eq!(answer.text().lines().count(), 2, "{answer:?}");
    let answer = checked(&["--json"], &line("\u{9b}", &calls)).exits(1);
    assert!(answer.text().contains("\\u009b"), "{answer:?}");
}

/// Recorded calls lie beside the repository, where there are any.
#[test]
fn recorded_calls_meet_the_fate_that_is_known_of_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/calls");
    if !folder.exists() {
        println!("skipped: there is no {}", folder.display());
        return;
    }
    for (name, repair, code, [accepted, repaired, rejected]) in [
        ("bfcl-accept.jsonl", "on", 0, [1770, 0, 0]),
        ("bfcl-accept.jsonl", "off", 0, [1770, 0, 0]),
        ("bfcl-reject.jsonl", "off", 1, [0, 0, 4000]),
        ("bfcl-reject.jsonl", "report", 1, [0, 0, 4000]),
        ("api-bank.jsonl", "on", 1, [440, 48, 20]),
        ("api-bank.jsonl", "off", 1, [440, 0, 68]),
    ] {
        let file = folder.join(name);
        let file = file.to_str().unwrap();
        let answer = tool(&["check", "--calls", file, "--repair", repair, "--json"]).exits(code);
        let mut reports = objects(&answer);
        let totals = json!({
            "calls": accepted + repaired + rejected,
            "accepted": accepted, "repaired": repaired, "rejected": rejected,
        });
        assert_eq!(reports.pop(), Some(totals), "{name} with repair {repair}");
        assert_eq!(reports.len(), repaired + rejected);
        if name == "api-bank.jsonl" && repair == "on" {
            let rejected = reports
                .iter()
                .filter(|report| report["verdict"] == "rejected");
            for report in rejected {
                let problems = report["problems"].as_array().unwrap();
                let lacks = |problem: &Value| problem["message"] == "required, but missing";
                assert!(problems.iter().any(lacks), "{report}");
            }
        }
    }
}
