//! Names that a provider refuses, mapped to names that it takes, and back.

use std::collections::{HashMap, HashSet};

use super::Dialect;

/// What a provider takes as a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameRule {
    /// The legal characters besides ASCII letters and digits.
    pub(super) marks: &'static str,
    /// The most bytes.
    pub(super) longest: usize,
    /// Whether the first character must be a letter or `_`.
    pub(super) starts_with_letter: bool,
}

/// OpenAI and Bedrock: `[a-zA-Z0-9_-]{1,64}`. Sources: the published
/// description of OpenAI's `FunctionObject` and of Bedrock's `ToolSpecification`.
const SHORT: NameRule = NameRule {
    marks: "_-",
    longest: 64,
    starts_with_letter: false,
};
/// Anthropic: `^[a-zA-Z0-9_-]{1,128}$`, as the API's own error message says.
const ANTHROPIC: NameRule = NameRule {
    longest: 128,
    ..SHORT
};
/// Gemini: a letter or `_`, then letters, digits, `_ . : -`, at most 128.
/// Source: the reference of `FunctionDeclaration.name`.
const GEMINI: NameRule = NameRule {
    marks: "_-.:",
    longest: 128,
    starts_with_letter: true,
};
/// The Model Context Protocol: 1 to 128 of `A-Z a-z 0-9 _ . -`.
const MCP: NameRule = NameRule {
    marks: "_-.",
    longest: 128,
    starts_with_letter: false,
};
/// Anthropic's property keys, `^[a-zA-Z0-9_.-]{1,64}$`; Bedrock hands them on to it.
const ANTHROPIC_KEYS: NameRule = NameRule {
    marks: "_.-",
    longest: 64,
    starts_with_letter: false,
};
/// Gemini's parameter names: a letter or `_`, then letters, digits and `_`.
const GEMINI_KEYS: NameRule = NameRule {
    marks: "_",
    longest: 64,
    starts_with_letter: true,
};

impl NameRule {
    /// The rule for the names of tools.
    pub(super) fn of_tools(dialect: Dialect) -> Self {
        match dialect {
            Dialect::OpenAi | Dialect::OpenAiStrict | Dialect::Responses | Dialect::Bedrock => {
                SHORT
            }
            Dialect::Anthropic => ANTHROPIC,
            Dialect::Gemini => GEMINI,
            Dialect::Mcp => MCP,
        }
    }

    /// The rule for the keys of objects, where the provider has one.
    pub(super) fn of_keys(dialect: Dialect) -> Option<Self> {
        match dialect {
            Dialect::Anthropic | Dialect::Bedrock => Some(ANTHROPIC_KEYS),
            Dialect::Gemini => Some(GEMINI_KEYS),
            Dialect::OpenAi | Dialect::OpenAiStrict | Dialect::Responses | Dialect::Mcp => None,
        }
    }

    pub(super) fn takes(self, name: &str) -> bool {
        let starts_well = !self.starts_with_letter
            || name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        starts_well
            && (1..=self.longest).contains(&name.len())
            && name
                .chars()
                .all(|character| self.takes_character(character))
    }

    fn takes_character(self, character: char) -> bool {
        character.is_ascii_alphanumeric() || self.marks.contains(character)
    }

    /// The name itself where it is legal; else one that is, and always the
    /// same: other characters become `_`, and what is too long is cut and
    /// ends in a hash of the whole.
    pub(super) fn legal(self, name: &str) -> String {
        if self.takes(name) {
            return name.to_owned();
        }
        let mut legal: String = name
            .chars()
            .map(|character| {
                if self.takes_character(character) {
                    character
                } else {
                    '_'
                }
            })
            .collect();
        if self.starts_with_letter
            && legal.starts_with(|first: char| !first.is_ascii_alphabetic() && first != '_')
            || legal.is_empty()
        {
            legal.insert(0, '_');
        }
        if legal.len() > self.longest {
            legal = self.with_hash(name, 0);
        }
        legal
    }

    /// A legal name that ends in a hash of the whole, for names that are too
    /// long or would be the same as another.
    fn with_hash(self, name: &str, attempt: u32) -> String {
        let suffix = format!("_{:08x}", hash(name, attempt));
        let mut start: String = name
            .chars()
            .map(|character| {
                if self.takes_character(character) {
                    character
                } else {
                    '_'
                }
            })
            .take(self.longest.saturating_sub(suffix.len() + 1))
            .collect();
        if start.starts_with(|first: char| !first.is_ascii_alphabetic() && first != '_') {
            start.insert(0, '_');
        }
        start + &suffix
    }
}

/// FNV-1a, written out because the standard library promises no stable hash,
/// and a name must be the same in every process and version.
fn hash(name: &str, attempt: u32) -> u32 {
    name.bytes()
        .chain(attempt.to_le_bytes())
        .fold(0x811c_9dc5, |state: u32, byte| {
            (state ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        })
}

/// A table of names, both ways, without collisions. It depends on the set of
/// names alone, not on their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    sent: HashMap<String, String>,
    original: HashMap<String, String>,
}

impl Names {
    pub(super) fn new<'a>(rule: NameRule, names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut wanted: Vec<(&str, String)> = names
            .into_iter()
            .map(|name| (name, rule.legal(name)))
            .collect();
        wanted.sort();
        wanted.dedup();
        let mut claims: HashMap<&str, usize> = HashMap::new();
        for (_, legal) in &wanted {
            *claims.entry(legal).or_default() += 1;
        }
        // A name that is legal keeps itself, so that only others move.
        let mut taken: HashSet<String> = wanted
            .iter()
            .filter(|(name, legal)| name == legal || claims.get(legal.as_str()) == Some(&1))
            .map(|(_, legal)| legal.clone())
            .collect();
        let mut table = Self::default();
        for (name, legal) in &wanted {
            let mut sent = legal.clone();
            if name != legal && claims.get(legal.as_str()) != Some(&1) {
                for attempt in 0.. {
                    sent = rule.with_hash(name, attempt);
                    if taken.insert(sent.clone()) {
                        break;
                    }
                }
            }
            table.original.insert(sent.clone(), (*name).to_owned());
            table.sent.insert((*name).to_owned(), sent);
        }
        table
    }

    /// The name that the provider is given for one of ours.
    pub(super) fn sent(&self, name: &str) -> Option<&str> {
        self.sent.get(name).map(String::as_str)
    }

    /// Our name for one that the provider was given.
    pub(super) fn original(&self, sent: &str) -> Option<&str> {
        self.original.get(sent).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::{NameRule, Names, SHORT};

    #[test]
    fn distinct_names_stay_distinct_whatever_their_order() {
        let names = [
            "a.b",
            "a_b",
            "a b",
            "a/b",
            "",
            "é",
            &"x".repeat(70),
            &"x".repeat(71),
        ];
        let table = Names::new(SHORT, names);
        let mut reversed = names;
        reversed.reverse();
        let other = Names::new(SHORT, reversed);
        for name in names {
            let sent = table.sent(name).unwrap();
            assert!(SHORT.takes(sent), "{name:?} is sent as {sent:?}");
            assert_eq!(table.original(sent), Some(name));
            assert_eq!(other.sent(name), Some(sent));
        }
        assert_eq!(table.sent("a_b"), Some("a_b"));
    }

    #[test]
    fn a_first_digit_is_no_start_for_gemini() {
        let rule = NameRule::of_tools(crate::Dialect::Gemini);
        assert_eq!(rule.legal("3d.view"), "_3d.view");
        assert_eq!(rule.legal(""), "_");
    }
}
