//! What the host says about whole classes of tools.

use super::handler::Why;
use super::selector::Selector;
use crate::catalogue::Catalogue;
use crate::definition::Approval;
use crate::tool::Tool;

/// What an executor does with the calls of some tools, whatever the tools say
/// themselves. Of a list of rules the first that selects a tool decides about
/// it; a tool that none selects does as it declares.
///
/// # Examples
///
/// ```
/// use tool_core::{Rule, Selector};
///
/// let rules = [
///     Rule::deny(Selector::named("command_line"), "this service runs no commands"),
///     Rule::allow(Selector::read_only()),
///     Rule::ask(Selector::destructive().or(Selector::tagged("money"))),
/// ];
/// assert_eq!(format!("{:?}", rules[2]), "Rule(ask: destructive or tagged `money`)");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Rule {
    selector: Selector,
    verdict: Verdict,
}

#[derive(Clone, PartialEq, Eq)]
enum Verdict {
    Allow,
    Ask,
    Deny(String),
}

impl Rule {
    /// The tools run, and nobody is asked, also where the tool itself wants
    /// that. An interrupt still hands over to a person: it has nothing to run.
    pub const fn allow(selector: Selector) -> Self {
        Self {
            selector,
            verdict: Verdict::Allow,
        }
    }

    /// The approval handler is asked before each call.
    pub const fn ask(selector: Selector) -> Self {
        Self {
            selector,
            verdict: Verdict::Ask,
        }
    }

    /// The tools do not run, and the model is told this reason.
    pub fn deny(selector: Selector, reason: impl Into<String>) -> Self {
        Self {
            selector,
            verdict: Verdict::Deny(reason.into()),
        }
    }
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let verdict = match &self.verdict {
            Verdict::Allow => "allow",
            Verdict::Ask => "ask",
            Verdict::Deny(_) => "deny",
        };
        write!(formatter, "Rule({verdict}: {})", self.selector)
    }
}

/// What happens to the calls of one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// They run.
    Run,
    /// Somebody is asked.
    Ask(Why),
    /// The tool's `approval_if` looks at the arguments and says whether to ask.
    AskIf,
    /// They do not run, for this reason.
    Deny(String),
}

/// What these rules, and the tool where none is about it, say of its calls.
pub(crate) fn treatment(rules: &[Rule], tool: &Tool) -> Treatment {
    let Some(rule) = rules.iter().find(|rule| rule.selector.matches(tool)) else {
        return match tool.definition().approval {
            Approval::Never => Treatment::Run,
            Approval::Always => Treatment::Ask(Why::Tool),
            Approval::Conditional => Treatment::AskIf,
        };
    };
    match &rule.verdict {
        Verdict::Allow => Treatment::Run,
        Verdict::Ask => Treatment::Ask(Why::Rule(rule.selector.to_string())),
        Verdict::Deny(reason) => Treatment::Deny(reason.clone()),
    }
}

/// What is wrong with the names and tags in these rules that stand for no tool
/// of the catalogue, each once: a slip in a rule that denies is a hole.
pub(crate) fn unmatched(rules: &[Rule], catalogue: &Catalogue) -> Vec<String> {
    let mut problems = Vec::new();
    for rule in rules {
        rule.selector.unmatched(catalogue, &mut problems);
    }
    let mut seen = std::collections::HashSet::new();
    problems.retain(|problem| seen.insert(problem.clone()));
    problems
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Just, ProptestConfig, Strategy, prop_assert_eq, prop_oneof, proptest};
    use serde_json::json;

    use super::{Rule, Treatment, treatment, unmatched};
    use crate::approval::{Selector, Why};
    use crate::catalogue::Catalogue;
    use crate::definition::{Annotations, Approval, Definition};
    use crate::tool::Tool;

    fn made(name: &str, change: impl FnOnce(&mut Definition)) -> Tool {
        let mut definition = Definition::new(name, "Does it.", json!({ "type": "object" }));
        change(&mut definition);
        Tool::new(definition, |_, _| async {}).unwrap()
    }

    #[test]
    fn what_is_not_said_counts_as_the_protocol_has_it() {
        let none = Annotations::NONE;
        // read-only, destructive, idempotent, open-world
        for (annotations, expected) in [
            (none, [false, true, false, true]),
            (none.read_only(true), [true, false, false, true]),
            (none.read_only(false), [false, true, false, true]),
            (none.destructive(false), [false, false, false, true]),
            (
                none.read_only(true).destructive(true),
                [true, true, false, true],
            ),
            (
                none.idempotent(true).open_world(false),
                [false, true, true, false],
            ),
        ] {
            let tool = made("a", |definition| definition.annotations = annotations);
            let found = [
                Selector::read_only(),
                Selector::destructive(),
                Selector::idempotent(),
                Selector::open_world(),
            ]
            .map(|selector| selector.matches(&tool));
            assert_eq!(found, expected, "{annotations:?}");
        }
    }

    #[test]
    fn the_first_rule_decides_and_without_one_the_tool() {
        let rules = [
            Rule::deny(Selector::named("slack-*"), "no chat"),
            Rule::allow(Selector::tagged("safe")),
            Rule::ask(Selector::destructive().and(Selector::named("files").not())),
        ];
        let treated = |tool: &Tool| treatment(&rules, tool);
        let safe = |definition: &mut Definition| definition.tags = vec!["safe".to_owned()];
        assert_eq!(
            treated(&made("slack-send", safe)),
            Treatment::Deny("no chat".to_owned())
        );
        let always = made("web-post", |definition| {
            safe(definition);
            definition.approval = Approval::Always;
        });
        assert_eq!(treated(&always), Treatment::Run);
        let words = "destructive and not named `files`".to_owned();
        assert_eq!(
            treated(&made("web-post", |_| {})),
            Treatment::Ask(Why::Rule(words))
        );
        for (approval, expected) in [
            (Approval::Never, Treatment::Run),
            (Approval::Always, Treatment::Ask(Why::Tool)),
            (Approval::Conditional, Treatment::AskIf),
        ] {
            let tool = made("files-delete", |definition| definition.approval = approval);
            assert_eq!(treated(&tool), expected);
        }
    }

    #[test]
    fn a_name_or_a_tag_that_no_tool_has_is_told_with_what_is_near() {
        let catalogue = Catalogue::new([made("slack-send", |definition| {
            definition.tags = vec!["money".to_owned()];
        })])
        .unwrap();
        let rules = [
            Rule::deny(Selector::named("slack-sent").not(), "no"),
            Rule::deny(Selector::tagged("mony").or(Selector::named("slack")), "no"),
            Rule::ask(Selector::tagged("money").and(Selector::named("slack-*"))),
            Rule::ask(Selector::tagged("mony")),
            Rule::allow(Selector::read_only()),
        ];
        assert_eq!(
            unmatched(&rules, &catalogue),
            [
                "no tool matches `slack-sent`; near are `slack-send`",
                "no tool is tagged `mony`; near are `money`",
            ]
        );
    }

    fn selector() -> impl Strategy<Value = Selector> {
        let leaf = prop_oneof![
            Just(Selector::any()),
            Just(Selector::read_only()),
            Just(Selector::destructive()),
            Just(Selector::named("a*")),
            Just(Selector::tagged("t")),
        ];
        leaf.prop_recursive(4, 16, 2, |inner| {
            prop_oneof![
                inner.clone().prop_map(Selector::not),
                (inner.clone(), inner.clone()).prop_map(|(left, right)| left.and(right)),
                (inner.clone(), inner).prop_map(|(left, right)| left.or(right)),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn selectors_are_a_boolean_algebra(
            left in selector(),
            right in selector(),
            name in "[ab]{1,2}",
            tagged: bool,
            read_only: Option<bool>,
        ) {
            let tool = made(&name, |definition| {
                definition.annotations.read_only = read_only;
                definition.tags = tagged.then(|| "t".to_owned()).into_iter().collect();
            });
            let (one, other) = (left.matches(&tool), right.matches(&tool));
            prop_assert_eq!(left.clone().and(right.clone()).matches(&tool), one && other);
            prop_assert_eq!(left.clone().or(right).matches(&tool), one || other);
            prop_assert_eq!(left.not().matches(&tool), !one);
        }
    }
}
