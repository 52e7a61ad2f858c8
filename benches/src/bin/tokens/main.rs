//! What definitions cost in every request, in tokens of o200k, the tokenizer
//! of OpenAI's newer models. It is compiled in, so that nothing is downloaded.
//!
//! ```text
//! cargo run --release --no-default-features --features tokens --bin tokens
//! ```

mod declared;
mod imported;
mod table;

use std::process::ExitCode;

use serde::Serialize;
use serde_json::Value;
use tiktoken_rs::CoreBPE;

use declared::Declared;
use table::{Compare, Table};

/// Counts what a value costs as compact JSON.
pub(crate) struct Counter(CoreBPE);

impl Counter {
    pub(crate) fn count(&self, value: &impl Serialize) -> usize {
        let text = serde_json::to_string(value).unwrap_or_default();
        self.0.encode_ordinary(&text).len()
    }
}

fn main() -> ExitCode {
    let counter = match tiktoken_rs::o200k_base() {
        Ok(bpe) => Counter(bpe),
        Err(error) => {
            eprintln!("no tokenizer: {error}");
            return ExitCode::FAILURE;
        }
    };
    println!("## Declared tools\n");
    let tools = declared::all();
    println!("{}", declared_tools(&counter, &tools));
    println!("## Where they go\n");
    println!("{}", parts(&counter, &tools));
    imported::print(&counter);
    ExitCode::SUCCESS
}

fn declared_tools(counter: &Counter, tools: &[Declared]) -> Table {
    let mut table = Table::new(&[
        "tool",
        "ours",
        "estimate",
        "raw schemars",
        "rmcp `Tool`",
        "rmcp schema, OpenAI form",
    ]);
    for tool in tools {
        table.row(
            &tool.ours.name,
            &[
                counter.count(&tool.ours),
                tool.ours.estimated_tokens(),
                counter.count(&tool.raw()),
                counter.count(&tool.rmcp),
                counter.count(&tool.rmcp_in_envelope()),
            ],
        );
    }
    table.with_totals(Compare::FirstWith)
}

/// The same totals without what every form has to say.
fn parts(counter: &Counter, tools: &[Declared]) -> Table {
    let mut table = Table::new(&["the thirty tools", "ours", "raw schemars", "rmcp `Tool`"]);
    let mut row = |name: &str, change: fn(Value) -> Value| {
        let sum = |form: fn(&Declared) -> Value| -> usize {
            tools
                .iter()
                .map(|tool| counter.count(&change(form(tool))))
                .sum()
        };
        table.row(
            name,
            &[
                sum(Declared::lean),
                sum(Declared::raw),
                sum(|tool| tool.rmcp.clone()),
            ],
        );
    };
    row("as sent", |value| value);
    row("without descriptions", |value| {
        without(value, "description", Value::is_string)
    });
    row("without `additionalProperties: false`", |value| {
        without(value, "additionalProperties", Value::is_boolean)
    });
    table
}

/// The value without this key, wherever what it holds is such.
fn without(value: Value, key: &str, such: fn(&Value) -> bool) -> Value {
    match value {
        Value::Object(object) => object
            .into_iter()
            .filter(|(name, value)| name != key || !such(value))
            .map(|(name, value)| (name, without(value, key, such)))
            .collect(),
        Value::Array(list) => list
            .into_iter()
            .map(|value| without(value, key, such))
            .collect(),
        other => other,
    }
}
