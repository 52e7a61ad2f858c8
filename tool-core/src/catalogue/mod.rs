//! The tools that a program offers.

mod linked;
mod select;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

pub use linked::catalogue;
pub use select::SelectError;
pub(crate) use select::selects;

use crate::arguments::nearest;
use crate::lint::{Lint, lint};
use crate::tool::Tool;

/// The tools that a program offers, sorted by name. A clone is cheap.
///
/// # Examples
///
/// ```
/// use tool_core::{Catalogue, tool, tools};
///
/// /// Add two numbers.
/// #[tool(name = "math-add")]
/// fn add(
///     /// The first number.
///     a: i64,
///     /// The second number.
///     b: i64,
/// ) -> i64 {
///     a + b
/// }
///
/// # fn main() {
/// let catalogue = Catalogue::new(tools![add]).unwrap();
/// assert_eq!(catalogue.len(), 1);
/// assert!(catalogue.get("math-add").is_some());
/// assert!(catalogue.select(["math"]).is_ok());
/// assert!(catalogue.select(["physics"]).is_err());
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Catalogue {
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    tools: Vec<Tool>,
    by_name: HashMap<String, usize>,
    /// By folded name; `None` where two tools have the same.
    by_folded: HashMap<String, Option<usize>>,
}

/// Why tools cannot stand in one catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CatalogueError {
    /// Two different tools have one name.
    Duplicate {
        /// The name.
        name: String,
        /// Where the first is declared, as `file:line`.
        first: String,
        /// Where the second is declared, as `file:line`.
        second: String,
    },
}

impl fmt::Display for CatalogueError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate {
                name,
                first,
                second,
            } => write!(
                formatter,
                "two tools are named '{name}': one at {first}, one at {second}; rename one with `name = \"…\"`"
            ),
        }
    }
}

impl std::error::Error for CatalogueError {}

impl Catalogue {
    /// A catalogue of these tools. The same tool twice is one.
    ///
    /// # Errors
    ///
    /// When two different tools have one name.
    pub fn new<I>(tools: I) -> Result<Self, CatalogueError>
    where
        I: IntoIterator,
        I::Item: Into<Tool>,
    {
        let mut tools: Vec<Tool> = tools.into_iter().map(Into::into).collect();
        tools.sort_by(|left, right| left.name().cmp(right.name()));
        let mut distinct: Vec<Tool> = Vec::with_capacity(tools.len());
        for tool in tools {
            match distinct.last() {
                Some(last) if last.is_same(&tool) => {}
                Some(last) if last.name() == tool.name() => {
                    let mut sites = [last.site().to_string(), tool.site().to_string()];
                    sites.sort();
                    let [first, second] = sites;
                    return Err(CatalogueError::Duplicate {
                        name: tool.name().to_owned(),
                        first,
                        second,
                    });
                }
                _ => distinct.push(tool),
            }
        }
        Ok(Self::from_sorted(distinct))
    }

    /// A catalogue of tools that are sorted and have distinct names.
    fn from_sorted(tools: Vec<Tool>) -> Self {
        let mut by_name = HashMap::with_capacity(tools.len());
        let mut by_folded = HashMap::with_capacity(tools.len());
        for (index, tool) in tools.iter().enumerate() {
            by_name.insert(tool.name().to_owned(), index);
            by_folded
                .entry(fold(tool.name()))
                .and_modify(|taken| *taken = None)
                .or_insert(Some(index));
        }
        Self {
            inner: Arc::new(Inner {
                tools,
                by_name,
                by_folded,
            }),
        }
    }

    /// The tool with exactly this name.
    pub fn get(&self, name: &str) -> Option<&Tool> {
        self.inner.tools.get(*self.inner.by_name.get(name)?)
    }

    /// The tool that a model means by a name: the one with exactly this name,
    /// else the only one that is equal when `-` and `.` are read as `_` and
    /// stray punctuation at the end is dropped.
    pub fn find(&self, name: &str) -> Option<&Tool> {
        self.find_indexed(name).map(|(_, tool)| tool)
    }

    /// The same, with its place in the order.
    pub(crate) fn find_indexed(&self, name: &str) -> Option<(usize, &Tool)> {
        let index = match self.inner.by_name.get(name) {
            Some(index) => *index,
            None if name.len() > 256 => return None,
            None => (*self.inner.by_folded.get(&fold(name))?)?,
        };
        Some((index, self.inner.tools.get(index)?))
    }

    /// The names that are most like one that does not exist, best first, at most three.
    pub fn nearest(&self, name: &str) -> Vec<&str> {
        /// More than this many candidates would make a wrong name expensive.
        const COMPARED: usize = 10_000;

        nearest(name, self.names().take(COMPARED))
    }

    /// The tools, sorted by name.
    pub fn iter(&self) -> std::slice::Iter<'_, Tool> {
        self.inner.tools.iter()
    }

    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.iter().map(Tool::name)
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.inner.tools.len()
    }

    /// Whether there is no tool.
    pub fn is_empty(&self) -> bool {
        self.inner.tools.is_empty()
    }

    /// The same catalogue with more tools. The same tool twice is one.
    ///
    /// # Errors
    ///
    /// When a different tool has one of the names.
    pub fn with<I>(&self, tools: I) -> Result<Self, CatalogueError>
    where
        I: IntoIterator,
        I::Item: Into<Tool>,
    {
        Self::new(
            self.iter()
                .cloned()
                .chain(tools.into_iter().map(Into::into)),
        )
    }

    /// The same tools with `prefix` before each name: `orders-` or `shop_`.
    #[must_use]
    pub fn prefixed(&self, prefix: &str) -> Self {
        let tools = self
            .iter()
            .map(|tool| tool.renamed(format!("{prefix}{}", tool.name())))
            .collect();
        // A common prefix keeps the order, and the names distinct.
        Self::from_sorted(tools)
    }

    /// What makes a definition hard for a model or illegal for a provider.
    /// Good for a test: `assert!(catalogue.lint().is_empty())`.
    pub fn lint(&self) -> Vec<Lint> {
        self.iter().flat_map(lint).collect()
    }
}

impl<'a> IntoIterator for &'a Catalogue {
    type Item = &'a Tool;
    type IntoIter = std::slice::Iter<'a, Tool>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl From<&'static Catalogue> for Catalogue {
    fn from(catalogue: &'static Catalogue) -> Self {
        catalogue.clone()
    }
}

impl fmt::Debug for Catalogue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.names()).finish()
    }
}

/// A name as models confuse them: `-` and `.` as `_`, and no stray
/// punctuation at the end (`web-fetch_page" />`).
fn fold(name: &str) -> String {
    name.trim_end_matches(|character: char| {
        !character.is_alphanumeric() && character != '_' && character != '-'
    })
    .replace(['-', '.'], "_")
}
