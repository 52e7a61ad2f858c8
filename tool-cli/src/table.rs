//! The tools as a table for people.

use console::{measure_text_width, truncate_str};
use serde_json::Value;
use tool_core::{Catalogue, Definition};

use crate::control;
use crate::schema_words::required;

const HEAD: [&str; 3] = ["NAME", "DESCRIPTION", "PARAMETERS"];
const GAP: usize = 2;
/// Descriptions are longer than a line of a table can be.
const WIDEST_DESCRIPTION: usize = 100;
/// Below this a column says nothing any more, and lines may wrap instead.
const NARROWEST: usize = 20;

/// One line a tool: name, start of the description, parameters. Cut to `width`
/// columns where a width is given.
pub(crate) fn table(catalogue: &Catalogue, width: Option<usize>) -> String {
    let mut rows = vec![HEAD.map(str::to_owned)];
    rows.extend(catalogue.iter().map(|tool| row(tool.definition())));
    let mut widths = [0, 1, 2].map(|column| widest(&rows, column));
    if let Some(width) = width {
        fit(&mut widths, width);
    }
    let mut table = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            let cell = truncate_str(cell, width, "…");
            let missing = width.saturating_sub(measure_text_width(&cell)) + GAP;
            line.push_str(&cell);
            line.push_str(&" ".repeat(missing));
        }
        table.push_str(line.trim_end());
        table.push('\n');
    }
    table
}

fn row(definition: &Definition) -> [String; 3] {
    let description = control::one_line(first_paragraph(&definition.description));
    [
        control::one_line(&definition.name),
        truncate_str(&description, WIDEST_DESCRIPTION, "…").into_owned(),
        control::one_line(&parameters(&definition.parameters)),
    ]
}

/// A doc comment breaks its lines anywhere, so that its first line is no unit.
fn first_paragraph(description: &str) -> &str {
    description
        .trim_start()
        .split("\n\n")
        .next()
        .unwrap_or_default()
}

/// `url [format] [headers]`, the optional ones in brackets.
fn parameters(schema: &Value) -> String {
    let Some(schema) = schema.as_object() else {
        return String::new();
    };
    let required = required(schema);
    let properties = schema.get("properties").and_then(Value::as_object);
    let names: Vec<String> = properties
        .into_iter()
        .flatten()
        .map(|(name, _)| {
            if required.contains(&name.as_str()) {
                name.clone()
            } else {
                format!("[{name}]")
            }
        })
        .collect();
    names.join(" ")
}

fn widest(rows: &[[String; 3]], column: usize) -> usize {
    rows.iter()
        .filter_map(|row| row.get(column))
        .map(|cell| measure_text_width(cell))
        .max()
        .unwrap_or(0)
}

/// Names are kept whole; the other two share what is left, and the one that
/// needs less than half gives the rest to the other.
fn fit(widths: &mut [usize; 3], width: usize) {
    let [name, description, parameters] = widths;
    let left = width.saturating_sub(*name + 2 * GAP).max(2 * NARROWEST);
    if *description + *parameters <= left {
        return;
    }
    // Parameters are the smaller part as a rule, and cut names are no use.
    *parameters = (*parameters).min((left / 2).max(left.saturating_sub(*description)));
    *description = (*description).min(left - *parameters);
}

#[cfg(test)]
mod tests {
    use super::table;
    use console::measure_text_width;
    use serde_json::json;
    use tool_core::{Catalogue, Definition, Tool};

    fn catalogue() -> Catalogue {
        let parameters = json!({
            "type": "object",
            "properties": { "query": {}, "limit": {}, "order": {}, "language": {} },
            "required": ["query"]
        });
        let text = "検索 \x1b[31msearches\nthe web for pages.\n\nNewest first.";
        let definition = Definition::new("web-search", text, parameters);
        let tool = Tool::new(definition, |_, _| async { "" }).unwrap();
        Catalogue::new([tool]).unwrap()
    }

    #[test]
    fn without_a_width_nothing_is_cut() {
        assert_eq!(
            table(&catalogue(), None),
            "NAME        DESCRIPTION                           PARAMETERS\n\
             web-search  検索 [31msearches the web for pages.  query [limit] [order] [language]\n"
        );
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for width in 56..120 {
            for line in table(&catalogue(), Some(width)).lines() {
                assert!(measure_text_width(line) <= width, "{width}: {line}");
            }
        }
    }
}
