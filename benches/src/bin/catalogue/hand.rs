//! The floor: a sorted map from names to definitions, with no check at all.

use std::{collections::BTreeMap, future::ready, hint::black_box};

use serde_json::{Value, json};
use tool_benches::harness::Row;

use crate::{TOOLS, name, parameters};

/// Making the map.
pub(crate) const BUILD: &str = "hand: build a sorted map";
/// Finding one tool by its exact name.
pub(crate) const FIND: &str = "hand: find one";
/// Writing all definitions as the array that OpenAI takes.
pub(crate) const LIST: &str = "hand: list all as JSON";

type Table = BTreeMap<String, Value>;

/// The rows that ours are compared with.
pub(crate) fn rows() -> Vec<Row> {
    let table: &'static Table = Box::leak(Box::new(table()));
    let wanted: &'static str = Box::leak(name(TOOLS / 2).into_boxed_str());
    vec![
        Row::new(
            BUILD,
            |table: &Table| table.len() == TOOLS,
            || ready(self::table()),
        ),
        Row::new(FIND, Option::<&Value>::is_some, move || {
            ready(table.get(black_box(wanted)))
        }),
        Row::new(
            LIST,
            |text: &String| text.len() > TOOLS,
            move || ready(list(table)),
        ),
    ]
}

fn table() -> Table {
    (0..TOOLS)
        .map(|number| (name(number), definition(number)))
        .collect()
}

fn definition(number: usize) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": name(number),
            "description": "Forecasts the weather of a city.",
            "parameters": parameters(),
        },
    })
}

fn list(table: &Table) -> String {
    let definitions: Vec<&Value> = table.values().collect();
    // Values with text keys cannot fail to serialise.
    serde_json::to_string(&definitions).unwrap_or_default()
}
