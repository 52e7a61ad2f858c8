//! Our rows: checked, mended, refused, imported.

use std::{future::ready, hint::black_box, path::Path};

use serde_json::Value;
use tool_benches::harness::Row;
use tool_core::{Context, Definition, RepairMode, Tool, ToolError};

use crate::{ARGUMENTS, hand};

/// Forecasts the weather of a city.
#[tool_core::tool]
async fn forecast(
    /// The city.
    #[schemars(length(min = 1, max = 100))]
    city: String,
    /// How many days.
    #[schemars(range(min = 1, max = 14))]
    days: u8,
    /// How sure to be.
    #[schemars(range(min = 0.0, max = 1.0))]
    ratio: f64,
) -> String {
    format!("{city} {days} {ratio}")
}

pub(crate) fn rows() -> Vec<Row> {
    let tool: &'static Tool = Box::leak(Box::new(forecast::tool()));
    let context: &'static Context = Box::leak(Box::new(Context::new()));
    let mut rows = vec![
        Row::new(
            "ours: `Tool::call`",
            |answer: &Result<String, ToolError>| {
                answer.as_ref().is_ok_and(|text| text == "Berlin 3 0.5")
            },
            move || call(tool, context),
        )
        .compared_with(hand::VALIDATED)
        .aim(1.0),
        Row::new(
            "ours: `Tool::check`, two values mended",
            |mended: &usize| *mended == 2,
            move || {
                let bent = black_box(r#"{"city":"Berlin","days":"3","ratio":"0.5"}"#);
                ready(tool.check(bent, RepairMode::On).repairs.len())
            },
        )
        .compared_with(hand::VALIDATED),
        Row::new(
            "ours: `Tool::check`, three problems told",
            |problems: &usize| *problems == 3,
            move || {
                let wrong = black_box(r#"{"city":"","days":99,"ratio":-1}"#);
                let checked = tool.check(wrong, RepairMode::On);
                ready(
                    checked
                        .arguments
                        .map_or_else(|error| error.problems().len(), |_| 0),
                )
            },
        )
        .compared_with(hand::VALIDATED),
    ];
    if let Some(definitions) = real_definitions() {
        let definitions: &'static [Definition] = definitions.leak();
        rows.push(Row::new(
            "ours: import all tools of five MCP servers",
            |tools: &usize| *tools >= 44,
            move || ready(import(definitions)),
        ));
    }
    rows
}

async fn call(tool: &Tool, context: &Context) -> Result<String, ToolError> {
    Ok(tool.call(black_box(ARGUMENTS), context).await?.into_text())
}

fn import(definitions: &[Definition]) -> usize {
    definitions
        .iter()
        .filter(|definition| {
            Tool::new(
                (*definition).clone(),
                |arguments, _| async move { arguments },
            )
            .is_ok()
        })
        .count()
}

/// The definitions of real servers, where the data is there.
fn real_definitions() -> Option<Vec<Definition>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/mcp-tools");
    let mut definitions = Vec::new();
    for file in std::fs::read_dir(folder).ok()? {
        let text = std::fs::read_to_string(file.ok()?.path()).ok()?;
        let server: Value = serde_json::from_str(&text).ok()?;
        find_tools(&server, &mut definitions);
    }
    Some(definitions)
}

/// Whatever has a name and an input schema is a tool.
fn find_tools(value: &Value, definitions: &mut Vec<Definition>) {
    match value {
        Value::Object(object) => match (object.get("name"), object.get("inputSchema")) {
            (Some(Value::String(name)), Some(schema)) => {
                definitions.push(Definition::new(name, "Imported.", schema.clone()));
            }
            _ => object
                .values()
                .for_each(|inner| find_tools(inner, definitions)),
        },
        Value::Array(list) => list.iter().for_each(|inner| find_tools(inner, definitions)),
        _ => {}
    }
}
