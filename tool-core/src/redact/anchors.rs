//! What secrets begin with.

/// What begins a secret, and how to find its end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    /// `://user:password@host`.
    Url,
    /// `Bearer TOKEN`, `Basic TOKEN`.
    Credentials,
    /// `ghp_…`: the prefix itself and at least so many letters and digits after it.
    Key(usize),
    /// `sk-…`: the same with `-` and `_` among them.
    DashedKey(usize),
    /// `SG.…`: two dashed parts with a dot between, after capitals.
    DottedKey,
    /// `AKIA…`: 16 capitals and digits after it.
    AwsKey,
    /// A JWT: three parts with dots between.
    Jwt,
    /// `-----BEGIN … PRIVATE KEY-----` to its end.
    PrivateKey,
    /// `hooks.slack.com/services/…`: the rest of the path is the secret.
    Hook,
    /// `?sig=VALUE`.
    Assignment,
    /// `password`, `token`: a word that may end the name of a secret.
    Name,
    /// `secret_…`: a key of its own, or the name of a secret.
    KeyOrName(usize),
    /// `cookie`, as a header.
    Cookie,
    /// The start of an escape. It hides something in JSON and nothing elsewhere.
    Escape,
}

/// What to look for, in any case of letters.
pub(super) const ANCHORS: &[(&str, Anchor)] = &[
    ("://", Anchor::Url),
    ("bearer", Anchor::Credentials),
    ("basic", Anchor::Credentials),
    // OpenAI, Anthropic, OpenRouter, DeepSeek.
    ("sk-", Anchor::DashedKey(16)),
    // Other makers of models.
    ("gsk_", Anchor::Key(20)),
    ("xai-", Anchor::DashedKey(20)),
    ("pplx-", Anchor::DashedKey(20)),
    ("r8_", Anchor::Key(20)),
    ("nvapi-", Anchor::DashedKey(20)),
    ("tvly-", Anchor::DashedKey(16)),
    ("hf_", Anchor::Key(20)),
    ("lsv2_", Anchor::DashedKey(20)),
    // Stripe.
    ("sk_live_", Anchor::Key(8)),
    ("sk_test_", Anchor::Key(8)),
    ("rk_live_", Anchor::Key(8)),
    ("rk_test_", Anchor::Key(8)),
    ("whsec_", Anchor::Key(16)),
    // Slack and Discord. A bot's token of Discord begins with nothing of its own.
    ("xoxb-", Anchor::DashedKey(8)),
    ("xoxa-", Anchor::DashedKey(8)),
    ("xoxc-", Anchor::DashedKey(8)),
    ("xoxd-", Anchor::DashedKey(8)),
    ("xoxe-", Anchor::DashedKey(8)),
    ("xoxp-", Anchor::DashedKey(8)),
    ("xoxr-", Anchor::DashedKey(8)),
    ("xoxs-", Anchor::DashedKey(8)),
    ("xapp-", Anchor::DashedKey(8)),
    ("hooks.slack.com/services/", Anchor::Hook),
    ("hooks.slack.com/workflows/", Anchor::Hook),
    ("discord.com/api/webhooks/", Anchor::Hook),
    ("discordapp.com/api/webhooks/", Anchor::Hook),
    // GitHub.
    ("ghp_", Anchor::Key(20)),
    ("gho_", Anchor::Key(20)),
    ("ghu_", Anchor::Key(20)),
    ("ghs_", Anchor::Key(20)),
    ("ghr_", Anchor::Key(20)),
    ("github_pat_", Anchor::DashedKey(20)),
    // GitLab.
    ("glpat-", Anchor::DashedKey(16)),
    ("gldt-", Anchor::DashedKey(16)),
    ("glrt-", Anchor::DashedKey(16)),
    ("glcbt-", Anchor::DashedKey(16)),
    ("glptt-", Anchor::DashedKey(16)),
    ("glsoat-", Anchor::DashedKey(16)),
    ("gloas-", Anchor::DashedKey(16)),
    ("glft-", Anchor::DashedKey(16)),
    // Clouds.
    ("akia", Anchor::AwsKey),
    ("asia", Anchor::AwsKey),
    ("aiza", Anchor::DashedKey(30)),
    ("ya29.", Anchor::DashedKey(20)),
    ("gocspx-", Anchor::DashedKey(16)),
    ("dop_v1_", Anchor::Key(32)),
    ("dapi", Anchor::Key(32)),
    // Other services.
    ("sg.", Anchor::DottedKey),
    ("ntn_", Anchor::Key(20)),
    ("secret_", Anchor::KeyOrName(32)),
    ("npm_", Anchor::Key(30)),
    ("pypi-", Anchor::DashedKey(30)),
    ("shpat_", Anchor::Key(32)),
    ("shpss_", Anchor::Key(32)),
    ("lin_api_", Anchor::Key(20)),
    ("figd_", Anchor::DashedKey(20)),
    ("sntrys_", Anchor::DashedKey(20)),
    ("pmak-", Anchor::DashedKey(20)),
    ("atatt3", Anchor::DashedKey(30)),
    ("eyj", Anchor::Jwt),
    ("-----begin ", Anchor::PrivateKey),
    ("x-amz-signature=", Anchor::Assignment),
    ("?sig=", Anchor::Assignment),
    ("&sig=", Anchor::Assignment),
    ("password", Anchor::Name),
    ("passwd", Anchor::Name),
    ("passphrase", Anchor::Name),
    ("pwd", Anchor::Name),
    ("secret", Anchor::Name),
    ("token", Anchor::Name),
    ("authorization", Anchor::Name),
    ("apikey", Anchor::Name),
    ("api_key", Anchor::Name),
    ("api-key", Anchor::Name),
    ("accesskey", Anchor::Name),
    ("access_key", Anchor::Name),
    ("access-key", Anchor::Name),
    ("accountkey", Anchor::Name),
    ("account_key", Anchor::Name),
    ("account-key", Anchor::Name),
    ("privatekey", Anchor::Name),
    ("private_key", Anchor::Name),
    ("private-key", Anchor::Name),
    ("cookie", Anchor::Cookie),
    ("\\u00", Anchor::Escape),
];
