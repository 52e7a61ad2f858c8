//! The name of a tool.

use super::{Findings, rules};
use crate::dialect::openai;

pub(super) fn lint(name: &str, findings: &mut Findings<'_>) {
    // The narrowest rule of all providers; Bedrock has the same.
    if let Err(reason) = openai::check_name(name) {
        findings.push(&rules::NAME_ILLEGAL, reason);
    } else if !follows_convention(name) {
        findings.push(
            &rules::NAME_OFF_CONVENTION,
            "the name is not `category-action_target` in lower case, as in `orders-search_orders`",
        );
    }
}

/// An action may need no target, as in `files-undo`.
fn follows_convention(name: &str) -> bool {
    name.split_once('-')
        .is_some_and(|(category, action)| is_snake_case(category) && is_snake_case(action))
}

fn is_snake_case(text: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && word
                .chars()
                .all(|character| character.is_ascii_lowercase() || character.is_ascii_digit())
    };
    text.starts_with(|first: char| first.is_ascii_lowercase()) && text.split('_').all(is_word)
}

#[cfg(test)]
mod tests {
    use super::follows_convention;

    #[test]
    fn the_convention_is_category_and_action_in_snake_case() {
        for name in [
            "web-fetch_page",
            "files-undo",
            "command_line-run_2",
            "s3-list",
        ] {
            assert!(follows_convention(name), "{name}");
        }
        for name in [
            "fetch_page",
            "fetchPage",
            "web-fetchPage",
            "Web-fetch",
            "web-",
            "-fetch",
            "web-fetch-page",
            "web-fetch__page",
            "web-_fetch",
            "web-2d",
        ] {
            assert!(!follows_convention(name), "{name}");
        }
    }
}
