//! Anthropic's limits on all strict tools of one request together.
//!
//! Source: Anthropic's guide to structured outputs, "Schema complexity
//! limits"; Bedrock hands the same grammars to the same models.

use serde_json::{Map, Value};

use super::Dialect;
use super::write::Draft;
use crate::tool::Tool;

const MOST_TOOLS: usize = 20;
const MOST_OPTIONAL: usize = 24;
const MOST_UNIONS: usize = 16;

/// What one strict tool takes of the budget.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    index: usize,
    /// Whether its definition asks to be strict.
    asked: bool,
    optional: usize,
    unions: usize,
    bytes: usize,
}

/// The tools that have to go without `strict`, the fattest first and those
/// that asked for it last, each with the reason.
pub(super) fn downgrades(dialect: Dialect, drafts: &[(&Tool, Draft)]) -> Vec<(usize, String)> {
    if !matches!(dialect, Dialect::Anthropic | Dialect::Bedrock) {
        return Vec::new();
    }
    let mut costs: Vec<Cost> = drafts
        .iter()
        .enumerate()
        .filter(|(_, (_, draft))| draft.strict)
        .map(|(index, (tool, draft))| {
            let mut cost = Cost {
                index,
                asked: tool.definition().strict == Some(true),
                ..Cost::default()
            };
            let schema = draft
                .value
                .get("input_schema")
                .or_else(|| draft.value.pointer("/toolSpec/inputSchema/json"));
            if let Some(Value::Object(schema)) = schema {
                count(schema, &mut cost);
                cost.bytes = Value::Object(schema.clone()).to_string().len();
            }
            cost
        })
        .collect();

    let mut downgraded = Vec::new();
    loop {
        let total = |part: fn(&Cost) -> usize| costs.iter().map(part).sum::<usize>();
        let (part, what, most): (fn(&Cost) -> usize, _, _) =
            if total(|cost| cost.optional) > MOST_OPTIONAL {
                (|cost| cost.optional, "optional parameters", MOST_OPTIONAL)
            } else if total(|cost| cost.unions) > MOST_UNIONS {
                (
                    |cost| cost.unions,
                    "parameters of several types",
                    MOST_UNIONS,
                )
            } else if costs.len() > MOST_TOOLS {
                (|cost| cost.bytes, "strict tools", MOST_TOOLS)
            } else {
                return downgraded;
            };
        let fattest = costs
            .iter()
            .enumerate()
            .max_by_key(|(_, cost)| (part(cost) > 0, !cost.asked, part(cost), cost.bytes))
            .map(|(place, _)| place);
        let Some(fattest) = fattest else {
            return downgraded;
        };
        let cost = costs.remove(fattest);
        downgraded.push((
            cost.index,
            format!("sent without `strict`: all strict tools of a request may have {most} {what}"),
        ));
    }
}

fn count(schema: &Map<String, Value>, cost: &mut Cost) {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |key: &str| {
        required.is_some_and(|required| required.iter().any(|required| required == key))
    };
    for (keyword, value) in schema {
        match (keyword.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                for (key, property) in properties {
                    cost.optional += usize::from(!is_required(key));
                    let Some(property) = property.as_object() else {
                        continue;
                    };
                    let is_union = property.contains_key("anyOf")
                        || property.get("type").is_some_and(Value::is_array);
                    cost.unions += usize::from(is_union);
                    count(property, cost);
                }
            }
            ("$defs", Value::Object(definitions)) => {
                for definition in definitions.values().filter_map(Value::as_object) {
                    count(definition, cost);
                }
            }
            ("items", Value::Object(each)) => count(each, cost),
            ("anyOf" | "allOf", Value::Array(branches)) => {
                for branch in branches.iter().filter_map(Value::as_object) {
                    count(branch, cost);
                }
            }
            _ => {}
        }
    }
}
