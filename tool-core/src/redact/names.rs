//! Whether a name says that its value is a secret.

/// A longer name is nobody's.
const LONGEST: usize = 128;

/// Words that name a secret where they end a name.
const SECRETS: [&str; 19] = [
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "authorization",
    "apikey",
    "accesskey",
    "accountkey",
    "privatekey",
    "secretkey",
    "accesstoken",
    "authtoken",
    "bearertoken",
    "refreshtoken",
    "idtoken",
    "clientsecret",
    "sharedaccesskey",
];

/// What a `key` is for that is a secret.
const KEYS: [&str; 5] = ["api", "access", "account", "private", "secret"];

/// What a `token` is for that is none: a place in a list, or a word of a model's vocabulary.
const OPEN_TOKENS: [&str; 19] = [
    "page",
    "next",
    "previous",
    "prev",
    "continuation",
    "continue",
    "pagination",
    "cursor",
    "sync",
    "resume",
    "start",
    "stop",
    "end",
    "bos",
    "eos",
    "pad",
    "unk",
    "mask",
    "special",
];

/// Words after a secret's name that leave it one.
const AFTER: [&str; 5] = ["confirm", "confirmation", "repeat", "again", "value"];

/// Whether the value under a key is a secret: `db_password`, `apiKey`,
/// `X-Auth-Token`, and not `max_tokens`, `token_count` or `next_page_token`.
///
/// What a name is of stands at its end, so that the last word decides.
pub(crate) fn names_a_secret(key: &str) -> bool {
    if key.len() > LONGEST {
        return false;
    }
    let words = words(key);
    let mut words = words.as_slice();
    while let Some((last, rest)) = words.split_last() {
        let version = last
            .strip_prefix('v')
            .unwrap_or(last)
            .bytes()
            .all(|byte| byte.is_ascii_digit());
        if !version && !AFTER.contains(&last.as_str()) {
            break;
        }
        words = rest;
    }
    let Some((last, rest)) = words.split_last() else {
        return false;
    };
    let last = last.trim_end_matches(|character: char| character.is_ascii_digit());
    let before = rest.last().map_or("", String::as_str);
    match last {
        "token" => !OPEN_TOKENS.contains(&before),
        "key" => KEYS.contains(&before),
        _ => {
            SECRETS.contains(&last)
                || ["password", "passwd", "apikey"]
                    .iter()
                    .any(|word| last.ends_with(word))
        }
    }
}

/// The words of a name in lower case: `next_page-tokenOf` is four.
fn words(name: &str) -> Vec<String> {
    let characters: Vec<char> = name.chars().collect();
    let mut words = Vec::new();
    let mut word = String::new();
    for (index, character) in characters.iter().enumerate() {
        if !character.is_alphanumeric() {
            words.push(std::mem::take(&mut word));
            continue;
        }
        let before = index.checked_sub(1).and_then(|at| characters.get(at));
        let after = characters.get(index + 1);
        // `apiKey` begins a word at `K`, and `APIKey` too.
        let begins = character.is_uppercase()
            && (before.is_some_and(|before| !before.is_uppercase())
                || after.is_some_and(|after| after.is_lowercase()));
        if begins {
            words.push(std::mem::take(&mut word));
        }
        word.extend(character.to_lowercase());
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::names_a_secret;

    #[test]
    fn the_last_word_of_a_name_decides() {
        for name in [
            "password",
            "Password",
            "db_password",
            "PGPASSWORD",
            "passwd",
            "pwd",
            "secret",
            "client_secret",
            "clientSecret",
            "token",
            "access_token",
            "accessToken",
            "page_access_token",
            "refresh-token",
            "X-Auth-Token",
            "api_key",
            "apikey",
            "apiKey",
            "APIKey",
            "OPENAI_API_KEY",
            "x-api-key",
            "authorization",
            "Proxy-Authorization",
            "private_key",
            "AccountKey",
            "SharedAccessKey",
            "password2",
            "token_v2",
            "password_confirmation",
        ] {
            assert!(names_a_secret(name), "{name}");
        }
    }

    #[test]
    fn counts_cursors_and_descriptions_of_secrets_are_none() {
        for name in [
            "",
            "tokens",
            "max_tokens",
            "maxTokens",
            "token_count",
            "tokenCount",
            "token_type",
            "next_page_token",
            "nextPageToken",
            "page_token",
            "nextToken",
            "NextContinuationToken",
            "eos_token",
            "secretary",
            "secret_name",
            "password_hint",
            "passwordless",
            "key",
            "primary_key",
            "keyboard",
            "api_keys_url",
            "authorization_url",
            "access_key_id",
            "tokenizer",
            "123",
        ] {
            assert!(!names_a_secret(name), "{name}");
        }
    }
}
