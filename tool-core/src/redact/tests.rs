//! What goes and what stays.

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

#[test]
fn a_key_of_a_known_service_goes() {
    let letters = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9";
    for prefix in [
        "sk-",
        "sk-ant-api03-",
        "sk-proj-",
        "gsk_",
        "xai-",
        "hf_",
        "r8_",
        "sk_live_",
        "rk_test_",
        "whsec_",
        "xoxb-",
        "xoxe-1-",
        "xapp-1-",
        "ghp_",
        "github_pat_",
        "glpat-",
        "glrt-",
        "AIza",
        "ya29.",
        "GOCSPX-",
        "npm_",
        "pypi-",
        "ntn_",
        "secret_",
        "shpat_",
        "lin_api_",
        "ATATT3",
        "https://hooks.slack.com/services/",
        "https://discord.com/api/webhooks/123/",
    ] {
        let clean = redact(&format!("use {prefix}{letters}, then go on"));
        assert!(!clean.contains(letters), "{clean}");
        assert!(
            clean.starts_with("use ") && clean.ends_with(", then go on"),
            "{clean}"
        );
    }
    let key = "SG.aB3dE5fG7hJ9kL1mN3pQ5r.S7tU9vW1xY3zA5bC7dE9aB3dE5fG7hJ9kL1mN3pQ5rS7";
    assert_eq!(redact(&format!("({key})")), "([redacted])");
}

#[test]
fn a_value_goes_whose_name_is_that_of_a_secret() {
    for (secret, clean) in [
        ("token=abcd", "token=[redacted]"),
        (
            "?page=2&access_token=abcd1234&x=1",
            "?page=2&access_token=[redacted]&x=1",
        ),
        ("secret=abcd", "secret=[redacted]"),
        ("DB_PASSWORD=letmein go", "DB_PASSWORD=[redacted] go"),
        ("pwd=letmein;", "pwd=[redacted];"),
        ("--api-key=abcd", "--api-key=[redacted]"),
        (
            "password = \"open sesame\" # ha",
            "password = \"[redacted]\" # ha",
        ),
        (
            "login(password='open sesame')",
            "login(password='[redacted]')",
        ),
        ("token: ab12cd34ef", "token: [redacted]"),
        (
            "Server=db;User Id=sa;Password=letmein;Timeout=3",
            "Server=db;User Id=sa;Password=[redacted];Timeout=3",
        ),
        (
            "AccountName=shop;AccountKey=abc/def+12==;EndpointSuffix=x",
            "AccountName=shop;AccountKey=[redacted];EndpointSuffix=x",
        ),
        ("X-Api-Key: abcDEF", "X-Api-Key: [redacted]"),
        ("-H 'x-api-key: abcDEF' x", "-H 'x-api-key: [redacted]' x"),
        (
            "Authorization: Token abcDEF12\nHost: x",
            "Authorization: Token [redacted]\nHost: x",
        ),
        (
            "authorization: ab12cd34ef\nHost: x",
            "authorization: [redacted]\nHost: x",
        ),
        (
            "Authorization: Digest username=\"Ada\", response=\"12ab\"\r\nHost: x",
            "Authorization: Digest [redacted]\"\r\nHost: x",
        ),
        (
            "Authorization: AWS4-HMAC-SHA256 Credential=AK/x, SignedHeaders=host, Signature=fe12\nx",
            "Authorization: AWS4-HMAC-SHA256 [redacted]\nx",
        ),
        (
            "curl -H \"Authorization: Key ab12cd\" url",
            "curl -H \"Authorization: Key [redacted]\" url",
        ),
        (
            "Proxy-Authorization: Basic dXNlcjpw\n",
            "Proxy-Authorization: Basic [redacted]\n",
        ),
        (
            "Set-Cookie: sid=abc; Path=/",
            "Set-Cookie: sid=[redacted]; Path=/",
        ),
        (
            "Cookie: sid=abc; theme=dark\nHost: x",
            "Cookie: sid=[redacted]\nHost: x",
        ),
        (
            r#"{"user":"ada","password":"letmein"}"#,
            r#"{"user":"ada","password":"[redacted]"}"#,
        ),
        (
            r#"{"token": "a \"b\" c", "x": 1}"#,
            r#"{"token": "[redacted]", "x": 1}"#,
        ),
        (
            r#"{\"clientSecret\":\"letmein\",\"x\":1}"#,
            r#"{\"clientSecret\":\"[redacted]\",\"x\":1}"#,
        ),
        ("{'api_key': 'letmein'}", "{'api_key': '[redacted]'}"),
        (
            r#""Authorization": "Bearer abcd""#,
            r#""Authorization": "Bearer [redacted]""#,
        ),
        // Cut off in the middle.
        (r#"{"password":"letme"#, r#"{"password":"[redacted]"#),
    ] {
        assert_eq!(redact(secret), clean, "{secret}");
        assert_eq!(redact(clean), clean, "once more");
    }
}

#[test]
fn prose_and_counts_about_secrets_stay() {
    for text in [
        "the token = sign",
        "password: required",
        "Password: at least 8 characters",
        "authorization: required for all users",
        "Authorization: see the handbook",
        "Cookie: a small sweet biscuit",
        "api_key: the key of the service",
        "x-api-key: optional",
        "token, secret, password; passwords: three",
        "max_tokens=4096&token_count=12345",
        "?page_token=CAESBggDEAEYAQ&next_page_token=abcdef",
        r#"{"nextPageToken":"CAESBggDEAEYAQ","usage":{"total_tokens":1234}}"#,
        r#"{"token_type":"Bearer","token":null,"password":true,"secret":{"type":"string"}}"#,
        r#"{"required":["password","token"],"title":"Password"}"#,
        "PWD=/home/ada/shop\nOLDPWD=/home/ada",
        "std::password::Hash and token::Kind12345",
        "if token == expected12345 {",
        "password=abc",
        "SG.1 and sg.example.com and ya29.x",
        "see token: https://example.com/docs/v2/tokens",
        "the secretary=mary tokenizer=bert12345 keyboard=qwerty12",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn json_members_named_for_a_secret_go_and_cursors_stay() {
    let redactor = Redactor::new(Vec::new()).unwrap();
    for (text, clean) in [
        (
            r#"{"password":"open sesame"}"#,
            r#"{"password":"[redacted]"}"#,
        ),
        (
            r#"[{"dbPassword":"ouvert"}]"#,
            r#"[{"dbPassword":"[redacted]"}]"#,
        ),
        (
            r#"{"token":"Bearer x1y2"}"#,
            r#"{"token":"Bearer [redacted]"}"#,
        ),
        (
            r#"{"pass\u0077ord":"open"}"#,
            r#"{"password":"[redacted]"}"#,
        ),
        (r#"{"Cookie":"a=b; c=d"}"#, r#"{"Cookie":"[redacted]"}"#),
        (r#"{"a":"password=open"}"#, r#"{"a":"password=[redacted]"}"#),
    ] {
        assert_eq!(
            redactor.redacted_json(text).as_deref(),
            Some(clean),
            "{text}"
        );
        assert_eq!(redactor.redacted_json(clean), None, "{clean}");
    }
    for text in [
        r#"{"next_page_token":"CAESBggDEAEYAQ","pageToken":"abcd1234"}"#,
        r#"{"max_tokens":1000,"tokens":"many","token_count":"1234"}"#,
        r#"{"password":"abc","token":null,"secret":12345,"api_key":["abcd"]}"#,
        r#"{"cookie":"chocolate"}"#,
    ] {
        assert_eq!(redactor.redacted_json(text), None, "{text}");
    }
}

#[test]
fn the_values_of_one_call_are_known_to_it_alone() {
    let redactor = Redactor::new(vec!["registered".to_owned()]).unwrap();
    let outer = redactor.with_values(vec!["of the call".to_owned(), "abc".to_owned()]);
    let inner = outer.with_values(vec!["1234".to_owned()]);
    let text = "registered, of the call, 1234, abc";
    for (redactor, clean) in [
        (&redactor, "[redacted], of the call, 1234, abc"),
        (&outer, "[redacted], [redacted], 1234, abc"),
        (&inner, "[redacted], [redacted], [redacted], abc"),
    ] {
        assert_eq!(redactor.redacted(text).as_deref(), Some(clean));
    }
    assert_eq!(
        inner.redacted_json(r#"{"n":1234}"#).as_deref(),
        Some(r#"{"n":"[redacted]"}"#)
    );
}

#[test]
fn a_text_of_nothing_but_beginnings_is_read_in_good_time() {
    let redactor = Redactor::new(vec!["a".repeat(5000) + "b"]).unwrap();
    let redactor = redactor.with_values(
        (0..20)
            .map(|n| format!("{}{n}", "a".repeat(500 + n)))
            .collect(),
    );
    for part in [
        "eyj-",
        "sk-",
        "token:",
        "token=\"",
        "bearer ",
        "xAKIA",
        "://@",
        "password",
        "a",
        "\\\"token\\\":",
        "-----begin ",
        "authorization: a,b= ",
        "cookie: a=",
        "-----begin -----",
        "token='\\",
    ] {
        let key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
        let text = format!("{} {key}", part.repeat(50_000 / part.len()));
        let clean = redactor.redacted(&text).unwrap();
        assert!(!clean.contains(key), "{part}");
    }
}

#[test]
fn redacting_twice_changes_nothing_more() {
    use proptest::prelude::*;

    let words = proptest::sample::select(vec![
        "token",
        "password",
        "Authorization",
        "cookie",
        "Bearer ",
        "://",
        "@",
        "=",
        ": ",
        "\"",
        "'",
        "\\",
        "\n",
        " ",
        "abcd1234EFGH",
        "ä",
        "hunter2!",
        "[redacted]",
        ",",
        ";",
        "sk-",
        "eyJ",
        ".",
    ]);
    proptest!(|(parts in proptest::collection::vec(words, 0..30))| {
        let once = redact(&parts.concat());
        prop_assert!(!once.contains("hunter2!"));
        prop_assert_eq!(redact(&once), once);
    });
}
