//! How large a strict schema may be.
//!
//! Source: OpenAI's guide to structured outputs, "Supported schemas".

const MOST_PROPERTIES: usize = 5_000;
pub(super) const MOST_LEVELS: usize = 10;
const MOST_ENUM_VALUES: usize = 1_000;
const MOST_CHARACTERS: usize = 120_000;
/// An enum of more than 250 values may have this many characters.
pub(super) const MOST_CHARACTERS_OF_LARGE_ENUM: usize = 15_000;
/// Ours, to end the writing of a schema whose references multiply.
pub(super) const MOST_SCHEMAS: usize = 20_000;

/// What has been written so far.
#[derive(Default)]
pub(super) struct Size {
    pub(super) schemas: usize,
    pub(super) properties: usize,
    pub(super) enum_values: usize,
    pub(super) characters: usize,
}

impl Size {
    pub(super) fn check(&self) -> Result<(), String> {
        if self.properties > MOST_PROPERTIES {
            return Err(format!("it has more than {MOST_PROPERTIES} properties"));
        }
        if self.enum_values > MOST_ENUM_VALUES {
            return Err(format!("it has more than {MOST_ENUM_VALUES} enum values"));
        }
        if self.characters > MOST_CHARACTERS {
            return Err(format!(
                "its names and enum values have more than {MOST_CHARACTERS} characters"
            ));
        }
        Ok(())
    }
}
