//! A Markdown table of token counts with totals and ratios.

use std::fmt;

/// What the last line says.
#[derive(Clone, Copy)]
pub(crate) enum Compare {
    /// How far the first column is above or below each of the others.
    FirstWith,
    /// How far each column is above or below the first.
    WithFirst,
}

pub(crate) struct Table {
    head: Vec<String>,
    rows: Vec<(String, Vec<usize>)>,
    compare: Option<Compare>,
}

impl Table {
    /// The first column is the name of the row.
    pub(crate) fn new(head: &[&str]) -> Self {
        Self {
            head: head.iter().map(ToString::to_string).collect(),
            rows: Vec::new(),
            compare: None,
        }
    }

    pub(crate) fn row(&mut self, name: &str, counts: &[usize]) {
        self.rows.push((name.to_owned(), counts.to_vec()));
    }

    /// Adds the totals and their ratios.
    pub(crate) fn with_totals(mut self, compare: Compare) -> Self {
        self.compare = Some(compare);
        self
    }

    fn totals(&self) -> Vec<usize> {
        let columns = self.head.len().saturating_sub(1);
        let total = |column| {
            self.rows
                .iter()
                .filter_map(|(_, row)| row.get(column))
                .sum()
        };
        (0..columns).map(total).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.head.len().saturating_sub(1);
        writeln!(formatter, "| {} |", self.head.join(" | "))?;
        writeln!(formatter, "|---|{}", "---:|".repeat(columns))?;
        for (name, counts) in &self.rows {
            let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
            writeln!(formatter, "| {name} | {} |", counts.join(" | "))?;
        }
        let totals = self.totals();
        let (Some(compare), Some(&first)) = (self.compare, totals.first()) else {
            return Ok(());
        };
        let shown: Vec<String> = totals.iter().map(|total| format!("**{total}**")).collect();
        writeln!(formatter, "| **total** | {} |", shown.join(" | "))?;
        let ratios = totals.iter().skip(1).map(|total| match compare {
            Compare::FirstWith => difference(first, *total),
            Compare::WithFirst => difference(*total, first),
        });
        let ratios: Vec<String> = ratios.collect();
        let name = self.head.get(1).map_or("", String::as_str);
        let label = match compare {
            Compare::FirstWith => format!("{name} against it"),
            Compare::WithFirst => format!("against {name}"),
        };
        writeln!(formatter, "| {label} | | {} |", ratios.join(" | "))
    }
}

/// `-31.4 %`: what one count is above or below another.
fn difference(count: usize, other: usize) -> String {
    if other == 0 {
        return String::new();
    }
    let percent = (count as f64 / other as f64 - 1.0) * 100.0;
    format!("{percent:+.1} %")
}
