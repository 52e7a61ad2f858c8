//! What imported definitions cost before and after, where the data is there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tool_core::{Definition, Dialect};

use crate::Counter;
use crate::table::{Compare, Table};

/// The dialects whose form is compared with the definition as it came.
const DIALECTS: [Dialect; 4] = [
    Dialect::OpenAi,
    Dialect::OpenAiStrict,
    Dialect::Anthropic,
    Dialect::Gemini,
];

pub(crate) fn print(counter: &Counter) {
    println!("## Imported tools\n");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let sets = sets(&data);
    if sets.is_empty() {
        println!("skipped: there are none at {}", data.display());
        return;
    }
    let mut head = vec!["set (tools)", "as they came, OpenAI form"];
    head.extend(DIALECTS.iter().map(|dialect| dialect.as_str()));
    let mut table = Table::new(&head);
    for (name, definitions) in &sets {
        let as_they_came = definitions.iter().map(as_it_came);
        let mut counts = vec![as_they_came.map(|value| counter.count(&value)).sum()];
        for dialect in DIALECTS {
            let written = definitions
                .iter()
                .filter_map(|d| dialect.definition(d).ok());
            counts.push(written.map(|value| counter.count(&value)).sum());
        }
        table.row(&format!("{name} ({})", definitions.len()), &counts);
    }
    println!("{}", table.with_totals(Compare::WithFirst));
}

/// What a client sends that hands the schema on.
fn as_it_came(definition: &Definition) -> Value {
    json!({ "type": "function", "function": {
        "name": definition.name,
        "description": definition.description,
        "parameters": definition.parameters,
    } })
}

fn sets(data: &Path) -> Vec<(String, Vec<Definition>)> {
    let mcp = files(&data.join("mcp-tools"), "json")
        .into_iter()
        .filter_map(|path| {
            let value = serde_json::from_str(&std::fs::read_to_string(&path).ok()?).ok()?;
            Some((name(&path), Dialect::Mcp.import(&value).ok()?))
        });
    let calls = files(&data.join("calls"), "jsonl")
        .into_iter()
        .filter_map(|path| {
            let text = std::fs::read_to_string(&path).ok()?;
            Some((name(&path), distinct(&text)))
        });
    mcp.chain(calls).collect()
}

/// The definitions of a recording, each once.
fn distinct(lines: &str) -> Vec<Definition> {
    let mut distinct = BTreeMap::new();
    for line in lines.lines() {
        let Ok(line) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        for definition in Dialect::OpenAi.import(&line["tools"]).unwrap_or_default() {
            distinct.insert(as_it_came(&definition).to_string(), definition);
        }
    }
    distinct.into_values().collect()
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
