//! Tables that hold data, as rows of cells.

use dom_query::NodeRef;
use url::Url;

use super::render::{Style, render};

/// What only tables that lay out a page have in their cells.
const LAYOUT: [&str; 8] = ["table", "ul", "ol", "h1", "h2", "h3", "blockquote", "pre"];

/// The cells of a table of data, every row equally long, or `None` for a table that lays out the page.
pub(super) fn cells(table: &NodeRef, style: Style, base: Option<&Url>) -> Option<Vec<Vec<String>>> {
    let lays_out = |node: NodeRef| {
        node.node_name()
            .is_some_and(|name| LAYOUT.contains(&name.as_ref()))
    };
    if table.descendants_it().any(lays_out) {
        return None;
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    for row in table.descendants_it().filter(|node| node.has_name("tr")) {
        let cells: Vec<String> = row
            .children_it(false)
            .filter(|cell| cell.has_name("td") || cell.has_name("th"))
            .map(|cell| cell_text(&cell, style, base))
            .collect();
        if cells.iter().any(|cell| !cell.is_empty()) {
            rows.push(cells);
        }
    }
    let width = rows.iter().map(Vec::len).max()?;
    let longest = rows.iter().flatten().map(String::len).max()?;
    // One column or row is a frame around something, and so is a cell with a page in it.
    if width < 2 || rows.len() < 2 || longest > 1000 {
        return None;
    }
    for row in &mut rows {
        row.resize(width, String::new());
    }
    Some(rows)
}

fn cell_text(cell: &NodeRef, style: Style, base: Option<&Url>) -> String {
    let text = render(cell, style, base);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if style == Style::Markdown {
        text.replace('|', "\\|")
    } else {
        text
    }
}
