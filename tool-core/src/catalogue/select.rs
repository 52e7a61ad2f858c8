//! Choosing tools by patterns.

use std::fmt;

use super::Catalogue;
use crate::definition::category;
use crate::tool::Tool;

/// A pattern that no tool matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectError {
    pattern: String,
    nearest: Vec<String>,
    empty: bool,
}

impl SelectError {
    /// The pattern that matches nothing.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }
}

impl fmt::Display for SelectError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "no tool matches `{}`", self.pattern)?;
        if self.empty {
            formatter.write_str(
                "; the catalogue is empty: a crate whose tools are wanted must be named in the \
                 code, as in `use tool_builtins as _;`",
            )
        } else if self.nearest.is_empty() {
            formatter.write_str(
                "; a pattern is a category (`web`), a name (`web-fetch_page`), a glob (`web-*`) \
                 or `module:tool` (`web:fetch_page`)",
            )
        } else {
            write!(formatter, "; near are `{}`", self.nearest.join("`, `"))
        }
    }
}

impl std::error::Error for SelectError {}

impl Catalogue {
    /// The tools that any of the patterns matches. A pattern is a category
    /// (`web`), a name (`files-read_file`), a glob with `*` and `?`
    /// (`slack-*`), or a module and its tools, with or without the module's
    /// prefix (`web:fetch_page`, `web:web-fetch_page,download_file`).
    ///
    /// # Errors
    ///
    /// When a pattern matches no tool.
    pub fn select<I>(&self, patterns: I) -> Result<Self, SelectError>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let mut chosen = vec![false; self.len()];
        for pattern in patterns {
            for part in parts(pattern.as_ref()) {
                let mut matched = false;
                for (tool, chosen) in self.iter().zip(&mut chosen) {
                    if matches(&part, tool.name()) {
                        *chosen = true;
                        matched = true;
                    }
                }
                if !matched {
                    return Err(self.no_match(&part));
                }
            }
        }
        let tools = self
            .iter()
            .zip(chosen)
            .filter(|(_, chosen)| *chosen)
            .map(|(tool, _)| tool.clone())
            .collect();
        Ok(Self::from_sorted(tools))
    }

    /// The tools that the pattern, of the kind that [`select`](Self::select)
    /// takes, does not match.
    ///
    /// # Errors
    ///
    /// When the pattern matches no tool: what was to be kept out may be in.
    pub fn without(&self, pattern: &str) -> Result<Self, SelectError> {
        let unwanted = self.select([pattern])?;
        let tools: Vec<Tool> = self
            .iter()
            .filter(|tool| unwanted.get(tool.name()).is_none())
            .cloned()
            .collect();
        Ok(Self::from_sorted(tools))
    }

    fn no_match(&self, pattern: &str) -> SelectError {
        let name = pattern.replace(':', "-");
        SelectError {
            pattern: pattern.to_owned(),
            nearest: self.nearest(&name).into_iter().map(str::to_owned).collect(),
            empty: self.is_empty(),
        }
    }
}

/// `web:fetch_page,download_file` as one pattern a tool.
fn parts(pattern: &str) -> Vec<String> {
    match pattern.split_once(':') {
        Some((module, tools)) => tools
            .split(',')
            .map(|tool| format!("{module}:{}", tool.trim()))
            .collect(),
        None => vec![pattern.to_owned()],
    }
}

/// Whether a pattern, of the kind that [`Catalogue::select`] takes, matches a name.
pub(crate) fn selects(pattern: &str, name: &str) -> bool {
    parts(pattern).iter().any(|part| matches(part, name))
}

fn matches(pattern: &str, name: &str) -> bool {
    if let Some((module, tool)) = pattern.split_once(':') {
        return category(name) == Some(module)
            && (glob(tool, name)
                || name
                    .split_once('-')
                    .is_some_and(|(_, action)| glob(tool, action)));
    }
    category(name) == Some(pattern) || glob(pattern, name)
}

/// Whether a glob with `*` and `?` matches a name, in time linear in their product.
fn glob(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut star) = (0, None);
    let mut position = 0;
    while let Some(character) = name.get(position) {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, position));
                at += 1;
            }
            Some(expected) if *expected == '?' || expected == character => {
                at += 1;
                position += 1;
            }
            _ => {
                // Let the last star take one character more.
                let Some((star_at, taken)) = star else {
                    return false;
                };
                star = Some((star_at, taken + 1));
                at = star_at + 1;
                position = taken + 1;
            }
        }
    }
    pattern.iter().skip(at).all(|character| *character == '*')
}

#[cfg(test)]
mod tests {
    use super::{glob, matches};

    #[test]
    fn a_glob_matches_the_whole_name() {
        assert!(glob("slack-*", "slack-send_message"));
        assert!(glob("*_page", "web-fetch_page"));
        assert!(glob("w?b-*c*_page", "web-fetch_page"));
        assert!(!glob("slack-", "slack-send_message"));
        assert!(!glob("*x*", "web-fetch_page"));
    }

    #[test]
    fn a_module_takes_its_tools_with_and_without_prefix() {
        assert!(matches("web:fetch_page", "web-fetch_page"));
        assert!(matches("web:web-fetch_page", "web-fetch_page"));
        assert!(matches("web:*", "web-fetch_page"));
        assert!(!matches("files:fetch_page", "web-fetch_page"));
    }
}
