//! Recorded calls of models, where the data is there.

use serde_json::Value;
use tool_core::{Dialect, RepairMode, Tool};

use crate::recorded::lines;

/// Each call of a line with the tool that it means.
fn calls(line: &Value) -> Vec<(Tool, Value)> {
    let tools: Vec<Tool> = Dialect::OpenAi
        .import(&line["tools"])
        .unwrap()
        .into_iter()
        .map(|definition| {
            let name = definition.name.clone();
            Tool::new(definition, |arguments, _| async move { arguments })
                .unwrap_or_else(|error| panic!("{name}: {error}"))
        })
        .collect();
    line["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| {
            let tool = tools
                .iter()
                .find(|tool| tool.name() == call["name"])
                .unwrap();
            (tool.clone(), call["arguments"].clone())
        })
        .collect()
}

#[test]
fn every_right_call_is_accepted_as_it_came() {
    let Some(lines) = lines("calls/bfcl-accept.jsonl") else {
        return;
    };
    let mut count = 0;
    for line in &lines {
        for (tool, arguments) in calls(line) {
            let checked = tool.check(arguments.clone(), RepairMode::On);
            assert_eq!(
                checked
                    .arguments
                    .unwrap_or_else(|error| panic!("{}: {error}", line["id"])),
                arguments
            );
            assert!(checked.repairs.is_empty());
            count += 1;
        }
    }
    println!("{} lines, {count} calls accepted", lines.len());
}

#[test]
fn every_wrong_call_is_refused_with_the_parameter_named_or_mended_to_a_valid_one() {
    let Some(lines) = lines("calls/bfcl-reject.jsonl") else {
        return;
    };
    let (mut refused, mut mended) = (0, std::collections::BTreeMap::<String, usize>::new());
    for line in &lines {
        let all = calls(line);
        let errors: Vec<_> = all
            .iter()
            .filter_map(|(tool, arguments)| {
                tool.check(arguments.clone(), RepairMode::Off)
                    .arguments
                    .err()
            })
            .collect();
        assert!(!errors.is_empty(), "{}", line["id"]);
        refused += 1;
        for (tool, arguments) in all {
            let checked = tool.check(arguments.clone(), RepairMode::On);
            if let Ok(value) = checked.arguments {
                assert!(tool.check(value, RepairMode::Off).arguments.is_ok());
                if !checked.repairs.is_empty() {
                    *mended.entry(line["kind"].to_string()).or_default() += 1;
                }
            }
        }
    }
    println!(
        "{refused} of {} refused with repair off; with it on, mended by kind of fault: {mended:?}",
        lines.len()
    );
}

#[test]
fn bent_calls_are_mended_where_there_is_one_reading() {
    let Some(lines) = lines("calls/api-bank.jsonl") else {
        return;
    };
    let (mut accepted, mut mended, mut refused) = (0, 0, Vec::new());
    for line in &lines {
        for (tool, arguments) in calls(line) {
            let checked = tool.check(arguments.clone(), RepairMode::On);
            match (line["expect"].as_str().unwrap(), checked.arguments) {
                ("accept", Ok(value)) => {
                    assert_eq!(value, arguments);
                    assert!(checked.repairs.is_empty());
                    accepted += 1;
                }
                ("repair", Ok(_)) => {
                    assert!(!checked.repairs.is_empty());
                    mended += 1;
                }
                ("repair", Err(error)) => refused.push(format!("{}: {error}", line["id"])),
                (_, Err(error)) => panic!("{}: {error}", line["id"]),
                (other, _) => panic!("{other}"),
            }
        }
    }
    println!(
        "{accepted} accepted, {mended} mended, {} refused:\n{}",
        refused.len(),
        refused.join("\n")
    );
}
