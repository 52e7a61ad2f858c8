//! The secrets of the table: what stands in a text, and what of it must not come out.

/// Where a tool has a secret from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A plain argument.
    Argument,
    /// An argument of type `Secret<String>`.
    SecretArgument,
    /// A field of that type in an argument that is a struct.
    SecretField,
    /// A field of that type in a state.
    State,
}

/// One secret.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) name: &'static str,
    pub(super) origin: Origin,
    /// The words with the secret in them.
    pub(super) words: &'static str,
    /// What of the words is secret.
    pub(super) secret: &'static str,
}

/// Registered with the executors of the table.
pub(super) const REGISTERED: [&str; 2] = [
    "Umbrella Kestrel Violin 88120 Harbour Lantern",
    "Quo\"ted\\Marmalade\n55231-Zeppelin",
];

const fn shape(name: &'static str, words: &'static str, secret: &'static str) -> Shape {
    Shape {
        name,
        origin: Origin::Argument,
        words,
        secret,
    }
}

const fn of(origin: Origin, name: &'static str, secret: &'static str) -> Shape {
    Shape {
        name,
        origin,
        words: secret,
        secret,
    }
}

/// All of them.
pub(super) const SHAPES: [Shape; 22] = [
    shape("registered value", REGISTERED[0], REGISTERED[0]),
    shape(
        "registered value with escapes",
        REGISTERED[1],
        REGISTERED[1],
    ),
    of(
        Origin::SecretArgument,
        "secret argument",
        "Tamarind Gondola Whistle 40417",
    ),
    of(
        Origin::SecretArgument,
        "secret argument with escapes",
        "Tur\"nip\\Accordion\t61177-Meadow",
    ),
    of(
        Origin::SecretField,
        "secret field of an argument",
        "Paprika Monsoon Trellis 90233",
    ),
    of(
        Origin::State,
        "secret of a state",
        "Obsidian Carousel Nutmeg 31905",
    ),
    of(
        Origin::State,
        "secret of a state with escapes",
        "Jas\"mine\\Pendulum\n77341-Orchid",
    ),
    shape(
        "bearer header",
        "Authorization: Bearer mF9xB5f41JqMkQ7Lr2Tz8vWd",
        "mF9xB5f41JqMkQ7Lr2Tz8vWd",
    ),
    shape(
        "basic header",
        "Authorization: Basic QWxhZGRpbjpPcGVuU2VzYW1lOTk=",
        "QWxhZGRpbjpPcGVuU2VzYW1lOTk=",
    ),
    shape(
        "user-info of a URL",
        "postgres://keeper:Gr4niteFalcon77@db.example:5432/main",
        "keeper:Gr4niteFalcon77",
    ),
    shape(
        "OpenAI key",
        "sk-proj-Zk3Vt8Qw1Lm6Xc9Bn4Hd7Jf2Rs5Yp0",
        "Zk3Vt8Qw1Lm6Xc9Bn4Hd7Jf2Rs5Yp0",
    ),
    shape(
        "GitHub key",
        "ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0hL3n",
        "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0hL3n",
    ),
    shape("AWS key", "AKIAQ7RSTUVW2XYZ34AB", "AKIAQ7RSTUVW2XYZ34AB"),
    shape(
        "JWT",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI5OTEyMzQ1In0.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1g",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI5OTEyMzQ1In0.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1g",
    ),
    shape(
        "private key",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAx7Vd\nq3Zb8KpLw0TnYc5RfHs2\n-----END RSA PRIVATE KEY-----",
        "MIIEowIBAAKCAQEAx7Vd\nq3Zb8KpLw0TnYc5RfHs2",
    ),
    shape("password=", "password=Xylo9phoneRiver", "Xylo9phoneRiver"),
    shape(
        "token in JSON",
        "{\"token\":\"Bramble42Citadel\"}",
        "Bramble42Citadel",
    ),
    shape(
        "cookie",
        "Cookie: session=Wq81LanternFjord",
        "Wq81LanternFjord",
    ),
    shape(
        "set-cookie",
        "Set-Cookie: id=Pz55SaddleComet; Path=/",
        "Pz55SaddleComet",
    ),
    shape(
        "x-api-key",
        "X-Api-Key: 7c1f0b9e5d3a48628e4d2c6b9a0f1e3d",
        "7c1f0b9e5d3a48628e4d2c6b9a0f1e3d",
    ),
    shape(
        "Slack token",
        "xoxb-281746-551093-Vt7Qm2Ks9Wd4Lp6X",
        "281746-551093-Vt7Qm2Ks9Wd4Lp6X",
    ),
    shape(
        "Google key",
        "AIzaSyD4fG7hJ0kL3zX6cV9bN2mQ5wE8rT1yU4i",
        "SyD4fG7hJ0kL3zX6cV9bN2mQ5wE8rT1yU4i",
    ),
];

impl Shape {
    /// Parts of the secret that give it away: a dozen of its characters in a
    /// row hold one of them, as they are or as JSON or Rust write them.
    pub(super) fn parts(&self) -> Vec<String> {
        /// A shorter part may be there by chance.
        const TELLING: usize = 9;

        let characters: Vec<char> = self.secret.chars().collect();
        let mut parts = Vec::new();
        for window in characters.windows(TELLING).step_by(4) {
            let part: String = window.iter().collect();
            let json = inside(&serde_json::to_string(&part).unwrap());
            let twice = inside(&serde_json::to_string(&json).unwrap());
            let rust = inside(&format!("{part:?}"));
            parts.extend([part, json, twice, rust]);
        }
        parts.sort();
        parts.dedup();
        parts
    }
}

fn inside(quoted: &str) -> String {
    quoted[1..quoted.len() - 1].to_owned()
}

/// The text around the first of some parts that a text holds.
pub(super) fn found(parts: &[String], text: &str) -> Option<String> {
    let at = parts.iter().find_map(|part| text.find(part))?;
    let before = text[..at].char_indices().rev().nth(60);
    let from = before.map_or(0, |(at, _)| at);
    Some(text[from..].chars().take(160).collect())
}

#[test]
fn the_table_would_find_a_secret_that_came_out() {
    for shape in SHAPES {
        let parts = shape.parts();
        let half = &shape.secret[..shape.secret.len() / 2 + 2];
        let debug = format!("{:?}", shape.words);
        let json = serde_json::json!([shape.words, debug]).to_string();
        for text in [shape.words, half, &debug, &json] {
            assert!(found(&parts, text).is_some(), "{}: {text}", shape.name);
        }
        assert!(shape.words.contains(shape.secret), "{}", shape.name);
        assert!(found(&parts, "password=[redacted] token").is_none());
    }
}
