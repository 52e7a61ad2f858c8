//! The definitions of many tools in one request.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::names::{NameRule, Names};
use super::write::{Draft, draft};
use super::{Dialect, budget};
use crate::tool::Tool;

/// The definitions for a request, the tools that this dialect cannot say, and
/// what it says otherwise.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Definitions {
    /// One definition a tool, in the order given.
    pub tools: Vec<Value>,
    /// The tools that were left out, each with the reason.
    pub left_out: Vec<(String, String)>,
    /// What the provider is told otherwise than the definition says, each
    /// with the tool's name: another name, a keyword that moved from the
    /// schema to the description, strict mode given up. The executor checks
    /// the tool's own schema all the same.
    pub notes: Vec<(String, String)>,
    dialect: Dialect,
}

impl Definitions {
    /// What a request holds under `tools`; for Bedrock under `toolConfig.tools`.
    ///
    /// It is the list of [`tools`](Self::tools), which Gemini wants inside
    /// one `functionDeclarations`.
    pub fn to_request(&self) -> Value {
        match self.dialect {
            Dialect::Gemini if self.tools.is_empty() => json!([]),
            Dialect::Gemini => json!([{ "functionDeclarations": self.tools }]),
            _ => self.tools.clone().into(),
        }
    }
}

/// What a translator keeps of the definitions.
#[derive(Debug, Default)]
pub(super) struct Collected {
    pub(super) definitions: Definitions,
    pub(super) names: Names,
    /// By the tool's own name, whether it was sent strict.
    pub(super) strict: HashMap<String, bool>,
}

pub(super) fn collect<'a>(
    dialect: Dialect,
    tools: impl IntoIterator<Item = &'a Tool>,
) -> Collected {
    let tools: Vec<&Tool> = tools.into_iter().collect();
    let names = Names::new(
        NameRule::of_tools(dialect),
        tools.iter().map(|tool| tool.name()),
    );
    let write = |tool: &Tool, may_be_strict: bool| {
        let name = names.sent(tool.name()).unwrap_or(tool.name());
        draft(dialect, tool.definition(), name, may_be_strict)
    };
    let mut definitions = Definitions {
        dialect,
        ..Definitions::default()
    };
    let mut drafts: Vec<(&Tool, Draft)> = Vec::new();
    for tool in tools {
        match write(tool, true) {
            Ok(draft) => drafts.push((tool, draft)),
            Err(reason) => definitions.left_out.push((tool.name().to_owned(), reason)),
        }
    }
    for (index, reason) in budget::downgrades(dialect, &drafts) {
        let Some((tool, slot)) = drafts.get_mut(index) else {
            continue;
        };
        // The plain form has no more to refuse than the strict one.
        if let Ok(mut plain) = write(tool, false) {
            plain.notes.insert(0, reason);
            *slot = plain;
        }
    }
    let mut strict = HashMap::with_capacity(drafts.len());
    for (tool, draft) in drafts {
        let name = tool.name().to_owned();
        if let Some(sent) = names.sent(&name).filter(|sent| *sent != name) {
            definitions
                .notes
                .push((name.clone(), format!("sent under the name `{sent}`")));
        }
        for note in draft.notes {
            definitions.notes.push((name.clone(), note));
        }
        definitions.tools.push(draft.value);
        strict.insert(name, draft.strict);
    }
    Collected {
        definitions,
        names,
        strict,
    }
}
