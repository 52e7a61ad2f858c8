//! Takes secrets out of what leaves the process.
//!
//! URL user-info, bearer and basic credentials, strings shaped like the keys
//! of well-known services, private keys, passwords in queries, and the values
//! that the host has registered.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind, Input, MatchKind, StartKind};
use serde_json::Value;

/// What stands in place of a secret.
pub(crate) const REDACTED: &str = "[redacted]";

/// What begins a secret, and how to find its end.
#[derive(Clone, Copy, Debug)]
enum Anchor {
    /// `://user:password@host`.
    Url,
    /// `Bearer TOKEN`, `Basic TOKEN`.
    Credentials,
    /// `ghp_…`: the prefix itself and at least so many letters and digits after it.
    Key(usize),
    /// `sk-…`: the same with `-` and `_` among them.
    DashedKey(usize),
    /// `AKIA…`: 16 capitals and digits after it.
    AwsKey,
    /// A JWT: three parts with dots between.
    Jwt,
    /// `-----BEGIN … PRIVATE KEY-----` to its end.
    PrivateKey,
    /// `password=VALUE`.
    Assignment,
}

const ANCHORS: [(&str, Anchor); 40] = [
    ("://", Anchor::Url),
    ("bearer", Anchor::Credentials),
    ("basic", Anchor::Credentials),
    ("sk-", Anchor::DashedKey(16)),
    ("sk_live_", Anchor::Key(8)),
    ("sk_test_", Anchor::Key(8)),
    ("rk_live_", Anchor::Key(8)),
    ("rk_test_", Anchor::Key(8)),
    ("whsec_", Anchor::Key(16)),
    ("xoxb-", Anchor::DashedKey(8)),
    ("xoxa-", Anchor::DashedKey(8)),
    ("xoxp-", Anchor::DashedKey(8)),
    ("xoxr-", Anchor::DashedKey(8)),
    ("xoxs-", Anchor::DashedKey(8)),
    ("xapp-", Anchor::DashedKey(8)),
    ("ghp_", Anchor::Key(20)),
    ("gho_", Anchor::Key(20)),
    ("ghu_", Anchor::Key(20)),
    ("ghs_", Anchor::Key(20)),
    ("ghr_", Anchor::Key(20)),
    ("github_pat_", Anchor::DashedKey(20)),
    ("glpat-", Anchor::DashedKey(16)),
    ("akia", Anchor::AwsKey),
    ("asia", Anchor::AwsKey),
    ("aiza", Anchor::DashedKey(30)),
    ("ntn_", Anchor::Key(20)),
    ("secret_", Anchor::Key(32)),
    ("hf_", Anchor::Key(20)),
    ("npm_", Anchor::Key(30)),
    ("pypi-", Anchor::DashedKey(30)),
    ("eyj", Anchor::Jwt),
    ("-----begin ", Anchor::PrivateKey),
    ("password=", Anchor::Assignment),
    ("passwd=", Anchor::Assignment),
    ("api_key=", Anchor::Assignment),
    ("apikey=", Anchor::Assignment),
    ("access_token=", Anchor::Assignment),
    ("refresh_token=", Anchor::Assignment),
    ("client_secret=", Anchor::Assignment),
    ("x-amz-signature=", Anchor::Assignment),
];

/// Takes secrets out of texts. A clone is cheap.
#[derive(Clone)]
pub(crate) struct Redactor {
    inner: Arc<Inner>,
}

struct Inner {
    shapes: AhoCorasick,
    registered: Option<AhoCorasick>,
    count: usize,
}

impl Redactor {
    /// A redactor for the known shapes and these values. Values shorter than
    /// four bytes are left out: they would turn every text into gaps.
    pub(crate) fn new(registered: Vec<String>) -> Result<Self, String> {
        /// Without registered values all are the same.
        static PLAIN: OnceLock<Redactor> = OnceLock::new();

        if !registered.is_empty() {
            return Self::build(registered);
        }
        if let Some(plain) = PLAIN.get() {
            return Ok(plain.clone());
        }
        let plain = Self::build(registered)?;
        Ok(PLAIN.get_or_init(|| plain).clone())
    }

    fn build(mut registered: Vec<String>) -> Result<Self, String> {
        registered.retain(|value| value.len() >= 4);
        let shapes = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            // Five times faster on short texts, which most results are.
            .kind(Some(AhoCorasickKind::DFA))
            .start_kind(StartKind::Unanchored)
            .build(ANCHORS.iter().map(|(text, _)| *text))
            .map_err(|error| error.to_string())?;
        let count = registered.len();
        let registered = match count {
            0 => None,
            _ => Some(AhoCorasick::new(registered).map_err(|error| error.to_string())?),
        };
        Ok(Self {
            inner: Arc::new(Inner {
                shapes,
                registered,
                count,
            }),
        })
    }

    /// Takes secrets out of a text in place.
    pub(crate) fn redact(&self, text: &mut String) {
        if let Some(clean) = self.redacted(text) {
            *text = clean;
        }
    }

    /// JSON text without secrets, still JSON, or `None` where there are none.
    ///
    /// In JSON text a line break is the letters `\n`, and a secret may be
    /// written with escapes, so that each string is looked at as what it says.
    pub(crate) fn redacted_json(&self, text: &str) -> Option<String> {
        let suspicious = self.inner.shapes.is_match(text)
            || (self.inner.registered.is_some()
                && (text.contains('\\') || self.has_registered(text)));
        if !suspicious {
            return None;
        }
        let mut value: Value = serde_json::from_str(text).ok()?;
        self.redact_value(&mut value).then(|| value.to_string())
    }

    /// Takes secrets out of every string, key and number; says whether there was one.
    fn redact_value(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => match self.redacted(text) {
                Some(clean) => {
                    *text = clean;
                    true
                }
                None => false,
            },
            Value::Number(number) if self.has_registered(&number.to_string()) => {
                *value = Value::from(REDACTED);
                true
            }
            Value::Array(items) => items
                .iter_mut()
                .fold(false, |found, item| self.redact_value(item) | found),
            Value::Object(members) => {
                let mut found = false;
                for (_, member) in members.iter_mut() {
                    found |= self.redact_value(member);
                }
                if members.keys().any(|key| self.redacted(key).is_some()) {
                    found = true;
                    *members = std::mem::take(members)
                        .into_iter()
                        .map(|(key, member)| (self.redacted(&key).unwrap_or(key), member))
                        .collect();
                }
                found
            }
            _ => false,
        }
    }

    fn has_registered(&self, text: &str) -> bool {
        let finder = self.inner.registered.as_ref();
        finder.is_some_and(|finder| finder.is_match(text))
    }

    /// The text without secrets, or `None` where there are none.
    pub(crate) fn redacted(&self, text: &str) -> Option<String> {
        let mut secrets = self.shaped(text);
        if let Some(finder) = &self.inner.registered {
            secrets.extend(
                finder
                    .find_overlapping_iter(text)
                    .map(|found| found.range()),
            );
            secrets.sort_by_key(|secret| secret.start);
        }
        let mut clean = String::new();
        let mut copied = 0;
        for secret in &secrets {
            if secret.start >= copied {
                clean.push_str(text.get(copied..secret.start)?);
                clean.push_str(REDACTED);
            }
            copied = copied.max(secret.end);
        }
        if secrets.is_empty() {
            return None;
        }
        clean.push_str(text.get(copied..)?);
        Some(clean)
    }

    /// Where there is something of the shape of a secret, in order.
    fn shaped(&self, text: &str) -> Vec<Range<usize>> {
        let mut secrets = Vec::new();
        let mut from = 0;
        while let Some(found) = self.inner.shapes.find(Input::new(text).range(from..)) {
            let anchor = ANCHORS.get(found.pattern().as_usize());
            let secret = anchor.and_then(|(_, anchor)| secret(text, found.range(), *anchor));
            from = match secret {
                Some(secret) => {
                    let end = secret.end;
                    secrets.push(secret);
                    end
                }
                None => found.start() + 1,
            };
            while !text.is_char_boundary(from) {
                from += 1;
            }
        }
        secrets
    }
}

/// The range of the secret that an anchor begins, if it does.
fn secret(text: &str, found: Range<usize>, anchor: Anchor) -> Option<Range<usize>> {
    let before = text.get(..found.start)?;
    let after = text.get(found.end..)?;
    match anchor {
        Anchor::Url => {
            let authority = after
                .find(|character: char| {
                    character.is_whitespace() || "/?#\"'<>\\`".contains(character)
                })
                .map_or(after, |end| after.get(..end).unwrap_or(after));
            let user = authority.rfind('@')?;
            (user > 0).then(|| found.end..found.end + user)
        }
        Anchor::Credentials => {
            if before.ends_with(is_word) {
                return None;
            }
            let blank = after.len() - after.trim_start_matches([' ', '\t']).len();
            let start = found.end + blank;
            let token = run(after.get(blank..)?, |character| {
                character.is_ascii_alphanumeric() || "-._~+/=".contains(character)
            });
            // Prose follows the words `bearer` and `basic` too.
            let telling = token.len() >= 20
                || (token.len() >= 6
                    && token
                        .chars()
                        .skip(1)
                        .any(|character| !character.is_ascii_lowercase() && character != '.'));
            telling.then(|| start..start + token.trim_end_matches('.').len())
        }
        Anchor::Key(least) => {
            let rest = run(after, |character| character.is_ascii_alphanumeric());
            let telling = rest.len() >= least && has_digit(rest) && !before.ends_with(is_word);
            telling.then(|| found.start..found.end + rest.len())
        }
        Anchor::DashedKey(least) => {
            let rest = run(after, |character| {
                character.is_ascii_alphanumeric() || "-_".contains(character)
            });
            // Words joined by dashes are long too, but of lower case.
            let random = rest.contains(|character: char| character.is_ascii_uppercase())
                || rest
                    .split(['-', '_'])
                    .any(|part| part.len() >= 12 && has_digit(part));
            let telling =
                rest.len() >= least && has_digit(rest) && random && !before.ends_with(is_word);
            telling.then(|| found.start..found.end + rest.len())
        }
        Anchor::AwsKey => {
            let rest = run(after, |character| {
                character.is_ascii_uppercase() || character.is_ascii_digit()
            });
            let capitals = text
                .get(found.clone())?
                .chars()
                .all(|character| character.is_ascii_uppercase());
            (rest.len() >= 16 && capitals && !before.ends_with(is_word))
                .then(|| found.start..found.end + rest.len())
        }
        Anchor::Jwt => {
            if before.ends_with(is_word) {
                return None;
            }
            let rest = run(after, |character| {
                character.is_ascii_alphanumeric() || "-_.".contains(character)
            });
            (rest.len() >= 30 && rest.matches('.').count() >= 2)
                .then(|| found.start..found.end + rest.len())
        }
        Anchor::PrivateKey => {
            let label_end = after.find("-----")?;
            let label = after.get(..label_end)?;
            if label.len() > 40 || !label.contains("PRIVATE KEY") {
                return None;
            }
            let end = format!("-----END {label}-----");
            let length = after
                .find(&end)
                .map_or_else(|| after.len(), |at| at + end.len());
            Some(found.start..found.end + length)
        }
        Anchor::Assignment => {
            let value = run(after, |character| {
                !character.is_whitespace() && !"&\"'<>\\`,;)".contains(character)
            });
            (value.len() >= 4).then(|| found.end..found.end + value.len())
        }
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn has_digit(text: &str) -> bool {
    text.contains(|character: char| character.is_ascii_digit())
}

/// The characters at the start of a text that are all of one kind.
fn run(text: &str, kind: impl Fn(char) -> bool) -> &str {
    let end = text
        .find(|character| !kind(character))
        .unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

impl fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Redactor({} registered)", self.inner.count)
    }
}

#[cfg(test)]
mod tests {
    use super::Redactor;

    fn redact(text: &str) -> String {
        let mut text = text.to_owned();
        Redactor::new(vec!["hunter2!".to_owned()])
            .unwrap()
            .redact(&mut text);
        text
    }

    #[test]
    fn secrets_of_every_shape_go_and_the_text_around_them_stays() {
        for (secret, clean) in [
            (
                "at postgres://admin:pass@db/prod now",
                "at postgres://[redacted]@db/prod now",
            ),
            (
                "Authorization: Bearer abc123.def",
                "Authorization: Bearer [redacted]",
            ),
            (
                "authorization: basic dXNlcjpwYXNz",
                "authorization: basic [redacted]",
            ),
            ("key sk-proj-abcdEFGH1234567890 end", "key [redacted] end"),
            ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[redacted]"),
            ("AKIAIOSFODNN7EXAMPLE1", "[redacted]"),
            ("xoxb-123456789012-abc", "[redacted]"),
            ("?a=1&password=letmein&b=2", "?a=1&password=[redacted]&b=2"),
            ("my hunter2! word", "my [redacted] word"),
            (
                "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- after",
                "[redacted] after",
            ),
            (
                "t eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U t",
                "t [redacted] t",
            ),
        ] {
            assert_eq!(redact(secret), clean);
        }
    }

    #[test]
    fn json_stays_json_and_its_strings_are_read_as_what_they_say() {
        let values = ["1234", "say \"it\"", "abcdef", "defgh", "Key"];
        let redactor = Redactor::new(values.map(str::to_owned).to_vec()).unwrap();
        for (text, clean) in [
            (
                r#"{"log":"line1\nghp_abcdefghijklmnopqrstuvwxyz0123456789\tBearer abc123.def"}"#,
                r#"{"log":"line1\n[redacted]\tBearer [redacted]"}"#,
            ),
            (
                r#"{"pin":1234,"other":12}"#,
                r#"{"pin":"[redacted]","other":12}"#,
            ),
            (
                r#"["they say \"it\" often"]"#,
                r#"["they [redacted] often"]"#,
            ),
            (
                r#"["-----BEGIN PRIVATE KEY-----",{"x":"-----END PRIVATE KEY-----"}]"#,
                r#"["[redacted]",{"x":"-----END PRIVATE KEY-----"}]"#,
            ),
            (
                r#"{"abcdefgh":"abcdefgh"}"#,
                r#"{"[redacted]":"[redacted]"}"#,
            ),
        ] {
            assert_eq!(redactor.redacted_json(text).as_deref(), Some(clean));
        }
        assert_eq!(redactor.redacted_json(r#"{"a":"b\n"}"#), None);
    }

    #[test]
    fn a_registered_value_goes_whole_whatever_else_is_there() {
        let values = ["abc123$$$restofsecret", "hunter2", "HUNTER2XYZ", "secret"];
        let redactor = Redactor::new(values.map(str::to_owned).to_vec()).unwrap();
        for (text, clean) in [
            ("Bearer abc123$$$restofsecret", "Bearer [redacted]"),
            ("hunter2xyz!", "[redacted]xyz!"),
            ("a secret_x", "a [redacted]_x"),
            ("Bearer   abc123.def", "Bearer   [redacted]"),
        ] {
            assert_eq!(redactor.redacted(text).as_deref(), Some(clean));
        }
    }

    #[test]
    fn plain_text_is_left_alone() {
        for text in [
            "",
            "the bearer of this letter",
            "Basic understanding of risk-averse task-management",
            "https://example.com/a@b?x=1#sk-short",
            "mail me: a@b.example, see http://example.com/@user",
            "ÄÖÜ://ünïcode bearer ñ",
            "HUNTER2!",
            "asia-pacific-region-report-2024-q3 and sk-learn-based-model-version-2",
            "secret_santa_list_2024_for_the_whole_team",
        ] {
            assert_eq!(redact(text), text);
        }
    }
}
