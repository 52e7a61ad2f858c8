//! Takes secrets out of what leaves the process.
//!
//! URL user-info, bearer and basic credentials, strings shaped like the keys
//! of well-known services, private keys, passwords in queries, and the values
//! that the host has registered.

mod anchors;
mod json;
pub(crate) mod living;
mod named;
mod names;
pub(crate) mod quoting;
mod shapes;
mod values;

#[cfg(test)]
mod living_tests;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

pub(crate) use names::names_a_secret;
use shapes::Shapes;
use values::Values;

/// What stands in place of a secret.
pub(crate) const REDACTED: &str = "[redacted]";

/// Takes secrets out of texts. A clone is cheap.
#[derive(Clone)]
pub(crate) struct Redactor {
    inner: Arc<Inner>,
    /// The values of one call, and of the calls around it.
    of_call: Vec<Arc<Values<String>>>,
}

struct Inner {
    shapes: Arc<Shapes>,
    registered: Values<String>,
}

impl Redactor {
    /// A redactor for the known shapes and these values. Values shorter than
    /// four bytes are left out: they would turn every text into gaps.
    ///
    /// # Errors
    ///
    /// When the shapes cannot be made an automaton, which no input decides.
    pub(crate) fn new(registered: Vec<String>) -> Result<Self, String> {
        /// The same for all.
        static SHAPES: OnceLock<Arc<Shapes>> = OnceLock::new();

        let shapes = match SHAPES.get() {
            Some(shapes) => Arc::clone(shapes),
            None => {
                let shapes = Arc::new(Shapes::new()?);
                Arc::clone(SHAPES.get_or_init(|| shapes))
            }
        };
        Ok(Self {
            inner: Arc::new(Inner {
                shapes,
                registered: Values::new(as_written(registered)),
            }),
            of_call: Vec::new(),
        })
    }

    /// The same with the values of one call, which are searched besides.
    /// Values shorter than four bytes are left out here too.
    #[must_use]
    #[allow(
        dead_code,
        reason = "for the executor, which knows the values of a call"
    )]
    pub(crate) fn with_values(&self, values: Vec<String>) -> Self {
        let mut redactor = self.clone();
        let values = Values::new(as_written(values));
        if values.len() > 0 {
            redactor.of_call.push(Arc::new(values));
        }
        redactor
    }

    /// Takes secrets out of a text in place.
    pub(crate) fn redact(&self, text: &mut String) {
        if let Some(clean) = self.redacted(text) {
            *text = clean;
        }
    }

    /// The text without secrets, or `None` where there are none.
    pub(crate) fn redacted(&self, text: &str) -> Option<String> {
        let mut secrets = Vec::new();
        self.inner.shapes.find(text, &mut secrets);
        if self.has_values() {
            self.find_values(text, &mut secrets);
            secrets.sort_by_key(|secret| secret.start);
        }
        if secrets.is_empty() {
            return None;
        }
        let mut clean = String::with_capacity(text.len());
        let mut copied = 0;
        for secret in &secrets {
            if secret.start >= copied {
                clean.push_str(text.get(copied..secret.start)?);
                clean.push_str(REDACTED);
            }
            copied = copied.max(secret.end);
        }
        clean.push_str(text.get(copied..)?);
        Some(clean)
    }

    /// Whether there are values to look for besides the shapes.
    fn has_values(&self) -> bool {
        self.inner.registered.len() > 0 || !self.of_call.is_empty() || living::exist()
    }

    fn has_value(&self, text: &str) -> bool {
        let mut secrets = Vec::new();
        self.find_values(text, &mut secrets);
        !secrets.is_empty()
    }

    fn find_values(&self, text: &str, secrets: &mut Vec<Range<usize>>) {
        self.inner.registered.find(text, secrets, |_| true);
        for values in &self.of_call {
            values.find(text, secrets, |_| true);
        }
        living::find(text, secrets);
    }
}

/// The values, and each as it stands in a text that is JSON, where that differs.
fn as_written(mut values: Vec<String>) -> Vec<String> {
    let escaped: Vec<String> = values
        .iter()
        .filter(|value| value.len() >= values::SHORTEST)
        .filter_map(|value| json::escaped(value))
        .collect();
    values.extend(escaped);
    values
}

impl fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "Redactor({} registered)",
            self.inner.registered.len()
        )
    }
}
