//! Which tools a rule is about.

use std::fmt;

use crate::arguments::nearest;
use crate::catalogue::{Catalogue, selects};
use crate::tool::Tool;

/// Which tools a [`Rule`](crate::Rule) is about.
///
/// What a tool's annotations do not say counts as the Model Context Protocol
/// has it, which is the cautious reading:
///
/// | annotation | where it is not said |
/// |---|---|
/// | `read_only` | it is not |
/// | `destructive` | it is, unless the tool is read-only |
/// | `idempotent` | it is not |
/// | `open_world` | it is |
///
/// The annotations of an imported tool are what its server says of itself: a
/// rule that allows by them trusts that server.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use tool_core::{Annotations, Definition, Selector, Tool};
///
/// let mut definition = Definition::new("mail-send", "Send a mail.", json!({ "type": "object" }));
/// definition.tags = vec!["outgoing".to_owned()];
/// let send = Tool::new(definition, |_, _| async { "sent" }).unwrap();
///
/// assert!(Selector::named("mail").matches(&send));
/// assert!(Selector::destructive().matches(&send), "nothing says that it is not");
/// assert!(Selector::tagged("outgoing").and(Selector::read_only().not()).matches(&send));
/// assert!(!Selector::named("files-*").or(Selector::read_only()).matches(&send));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Selector {
    test: Test,
}

#[derive(Clone, PartialEq, Eq)]
enum Test {
    Any,
    Named(String),
    Tagged(String),
    ReadOnly,
    Destructive,
    Idempotent,
    OpenWorld,
    And(Box<[Test; 2]>),
    Or(Box<[Test; 2]>),
    Not(Box<Test>),
}

impl Selector {
    const fn from_test(test: Test) -> Self {
        Self { test }
    }

    /// Every tool.
    pub const fn any() -> Self {
        Self::from_test(Test::Any)
    }

    /// The tools that a pattern matches, of the kind that
    /// [`Catalogue::select`] takes: a category (`slack`), a name
    /// (`slack-send_message`), a glob (`slack-*`), `module:tool`.
    pub fn named(pattern: impl Into<String>) -> Self {
        Self::from_test(Test::Named(pattern.into()))
    }

    /// The tools with exactly this tag.
    pub fn tagged(tag: impl Into<String>) -> Self {
        Self::from_test(Test::Tagged(tag.into()))
    }

    /// The tools that change nothing, as far as they say.
    pub const fn read_only() -> Self {
        Self::from_test(Test::ReadOnly)
    }

    /// The tools that may delete or overwrite: all that say so, and all that
    /// say neither that they do not nor that they are read-only.
    pub const fn destructive() -> Self {
        Self::from_test(Test::Destructive)
    }

    /// The tools of which a second, equal call changes nothing more, as far as they say.
    pub const fn idempotent() -> Self {
        Self::from_test(Test::Idempotent)
    }

    /// The tools that reach things outside: all that do not say that they do not.
    pub const fn open_world() -> Self {
        Self::from_test(Test::OpenWorld)
    }

    /// The tools that both select.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::from_test(Test::And(Box::new([self.test, other.test])))
    }

    /// The tools that either selects.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self::from_test(Test::Or(Box::new([self.test, other.test])))
    }

    /// The tools that this does not select.
    #[must_use]
    #[expect(
        clippy::should_implement_trait,
        reason = "it reads beside `and` and `or`, and needs no import"
    )]
    pub fn not(self) -> Self {
        Self::from_test(Test::Not(Box::new(self.test)))
    }

    /// Whether it selects this tool.
    pub fn matches(&self, tool: &Tool) -> bool {
        self.test.matches(tool)
    }

    /// What is wrong with the names and tags that stand for no tool at all.
    pub(super) fn unmatched(&self, catalogue: &Catalogue, problems: &mut Vec<String>) {
        self.test.unmatched(catalogue, problems);
    }
}

impl Test {
    fn matches(&self, tool: &Tool) -> bool {
        let definition = tool.definition();
        let said = definition.annotations;
        let read_only = said.read_only.unwrap_or(false);
        match self {
            Self::Any => true,
            Self::Named(pattern) => selects(pattern, tool.name()),
            Self::Tagged(tag) => definition.tags.contains(tag),
            Self::ReadOnly => read_only,
            Self::Destructive => said.destructive.unwrap_or(!read_only),
            Self::Idempotent => said.idempotent.unwrap_or(false),
            Self::OpenWorld => said.open_world.unwrap_or(true),
            Self::And(both) => both.iter().all(|test| test.matches(tool)),
            Self::Or(either) => either.iter().any(|test| test.matches(tool)),
            Self::Not(test) => !test.matches(tool),
        }
    }

    fn unmatched(&self, catalogue: &Catalogue, problems: &mut Vec<String>) {
        match self {
            Self::Named(pattern) => {
                if let Err(error) = catalogue.select([pattern]) {
                    problems.push(error.to_string());
                }
            }
            Self::Tagged(tag) => problems.extend(unknown_tag(tag, catalogue)),
            Self::And(tests) | Self::Or(tests) => {
                for test in tests.iter() {
                    test.unmatched(catalogue, problems);
                }
            }
            Self::Not(test) => test.unmatched(catalogue, problems),
            Self::Any | Self::ReadOnly | Self::Destructive | Self::Idempotent | Self::OpenWorld => {
            }
        }
    }
}

fn unknown_tag(tag: &str, catalogue: &Catalogue) -> Option<String> {
    let mut tags: Vec<&str> = catalogue
        .iter()
        .flat_map(|tool| tool.definition().tags.iter().map(String::as_str))
        .collect();
    if tags.contains(&tag) {
        return None;
    }
    tags.sort_unstable();
    tags.dedup();
    let near = nearest(tag, tags.into_iter());
    Some(if near.is_empty() {
        format!("no tool is tagged `{tag}`")
    } else {
        format!(
            "no tool is tagged `{tag}`; near are `{}`",
            near.join("`, `")
        )
    })
}

/// In words: "destructive and not named `files-*`".
impl fmt::Display for Selector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.test.fmt(formatter)
    }
}

impl fmt::Display for Test {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => formatter.write_str("any tool"),
            Self::Named(pattern) => write!(formatter, "named `{pattern}`"),
            Self::Tagged(tag) => write!(formatter, "tagged `{tag}`"),
            Self::ReadOnly => formatter.write_str("read-only"),
            Self::Destructive => formatter.write_str("destructive"),
            Self::Idempotent => formatter.write_str("idempotent"),
            Self::OpenWorld => formatter.write_str("open-world"),
            Self::And(both) => joined(both, "and", formatter),
            Self::Or(either) => joined(either, "or", formatter),
            Self::Not(test) => write!(formatter, "not {}", Part(test)),
        }
    }
}

fn joined(tests: &[Test; 2], word: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let [left, right] = tests;
    write!(formatter, "{} {word} {}", Part(left), Part(right))
}

/// A test inside another.
struct Part<'a>(&'a Test);

impl fmt::Display for Part<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Test::And(_) | Test::Or(_) => write!(formatter, "({})", self.0),
            test => test.fmt(formatter),
        }
    }
}

impl fmt::Debug for Selector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Selector({self})")
    }
}
