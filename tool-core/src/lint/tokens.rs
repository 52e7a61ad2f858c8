//! What a definition costs in every request.

use std::io::{self, Write};

use super::{Findings, rules};
use crate::catalogue::Catalogue;
use crate::definition::Definition;

/// English prose and JSON have about this many bytes a token, JSON a few more.
const BYTES_PER_TOKEN: usize = 4;
/// A definition that costs more than this had better be two, or shorter.
const HEAVIEST: usize = 1_000;

impl Definition {
    /// About how many tokens the definition costs in every request: a quarter
    /// of the bytes of its OpenAI form, rounded up. Good to compare and to
    /// budget; the tokenizer of OpenAI's newer models counts about a tenth less.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::json;
    /// use tool_core::Definition;
    ///
    /// let definition = Definition::new("ping", "Answer.", json!({ "type": "object" }));
    /// assert_eq!(definition.estimated_tokens(), 26);
    /// ```
    pub fn estimated_tokens(&self) -> usize {
        let mut bytes = Count(0);
        // Writing fails nowhere, and a definition holds nothing that JSON cannot say.
        drop(serde_json::to_writer(&mut bytes, self));
        bytes.0.div_ceil(BYTES_PER_TOKEN)
    }
}

impl Catalogue {
    /// About how many tokens all definitions cost in every request, as
    /// [`Definition::estimated_tokens`] counts.
    pub fn estimated_tokens(&self) -> usize {
        self.iter()
            .map(|tool| tool.definition().estimated_tokens())
            .sum()
    }
}

pub(super) fn lint(definition: &Definition, findings: &mut Findings<'_>) {
    let tokens = definition.estimated_tokens();
    if tokens > HEAVIEST {
        findings.push(
            &rules::HEAVY_DEFINITION,
            format!(
                "the definition costs about {tokens} tokens in every request; \
                 more than {HEAVIEST} crowd out other things"
            ),
        );
    }
}

/// Counts bytes and keeps none.
struct Count(usize);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
