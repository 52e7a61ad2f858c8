//! Texts in a pattern or a format.

use proptest::prelude::*;
use proptest::string::string_regex_parsed;
use regex_syntax::hir::{Hir, HirKind, Repetition};

use super::shapes::{Text, Writing};

/// No pattern and no format.
pub(super) const FREE: Writing = Writing::Free;
/// How many repetitions an open `*` or `+` has beyond its least.
const OPEN: u32 = 8;
/// How much longer than its least a text becomes.
const LONGER: usize = 12;
/// How many bytes a text of a pattern may have.
const LONGEST: usize = 1_000_000;
/// The formats of which texts can be written.
const FORMATS: [&str; 22] = [
    "date",
    "time",
    "date-time",
    "partial-time",
    "partial-date-time",
    "duration",
    "uuid",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "url",
    "ip",
    "ipv4",
    "ipv6",
    "regex",
    "json-pointer",
    "uri-template",
];

/// Whether texts of a format can be written.
pub(super) fn is_known(format: &str) -> bool {
    FORMATS.contains(&format)
}

/// The way to write a format; free text where nothing is known of it.
pub(super) fn format(format: &str) -> Writing {
    if is_known(format) {
        Writing::Format(format.to_owned())
    } else {
        Writing::Free
    }
}

/// The way to write a pattern, or why there is none.
pub(super) fn pattern(pattern: &str, least: usize, most: Option<usize>) -> Result<Writing, String> {
    // A schema's classes are those of JavaScript, where they hold ASCII alone.
    let ascii = pattern
        .replace(r"\d", "[0-9]")
        .replace(r"\w", "[A-Za-z0-9_]")
        .replace(r"\s", r"[ \t\n\r]")
        .replace(r"\/", "/");
    let refused = |why: String| format!("`pattern` `{pattern}`: {why}");
    let parsed = regex_syntax::parse(&ascii).map_err(|error| {
        refused(match error {
            regex_syntax::Error::Parse(error) => error.kind().to_string(),
            regex_syntax::Error::Translate(error) => error.kind().to_string(),
            _ => "it is no regular expression".to_owned(),
        })
    })?;
    let bounded = bounded(&parsed, least, most);
    if bounded
        .properties()
        .maximum_len()
        .is_none_or(|length| length > LONGEST)
    {
        return Err(refused("it repeats too often".to_owned()));
    }
    match string_regex_parsed(&bounded) {
        Ok(_) => Ok(Writing::Pattern {
            pattern: pattern.to_owned(),
            parsed: Box::new(bounded),
        }),
        Err(error) => Err(refused(error.to_string())),
    }
}

/// The expression without its anchors, which what is drawn is checked
/// against, and with an end to each repetition.
fn bounded(expression: &Hir, least: usize, most: Option<usize>) -> Hir {
    let inner = |hir: &Hir| bounded(hir, least, most);
    match expression.kind() {
        HirKind::Look(_) => Hir::empty(),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) => expression.clone(),
        HirKind::Capture(capture) => inner(&capture.sub),
        HirKind::Concat(parts) => Hir::concat(parts.iter().map(inner).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.iter().map(inner).collect()),
        HirKind::Repetition(repetition) => {
            let count = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
            let end = match repetition.max {
                Some(end) => end.min(repetition.min.saturating_add(64).max(count(least))),
                None => {
                    let end = repetition.min.saturating_add(OPEN).max(
                        // Where one part has to bring the whole length.
                        count(least).saturating_add(if least > 0 { OPEN } else { 0 }),
                    );
                    most.map_or(end, |most| end.min(count(most)))
                        .max(repetition.min)
                }
            };
            Hir::repetition(Repetition {
                min: repetition.min,
                max: Some(end),
                greedy: repetition.greedy,
                sub: Box::new(inner(&repetition.sub)),
            })
        }
    }
}

/// Texts that are written so.
pub(super) fn texts(text: &Text) -> BoxedStrategy<String> {
    match &text.writing {
        Writing::Free => free(text.least, text.most),
        Writing::Pattern { parsed, .. } => match string_regex_parsed(parsed) {
            Ok(texts) => texts.boxed(),
            // Tried before, when the schema was read.
            Err(_) => free(text.least, text.most),
        },
        Writing::Format(name) => of_format(name),
    }
}

/// Any text: mostly short, now and then with signs that few expect.
fn free(least: usize, most: Option<usize>) -> BoxedStrategy<String> {
    let end = (least + LONGER).min(most.unwrap_or(usize::MAX));
    let of = |character: BoxedStrategy<char>| {
        proptest::collection::vec(character, least..=end)
            .prop_map(String::from_iter)
            .boxed()
    };
    let plain = of(prop::char::range('a', 'z').boxed());
    let any = of(any::<char>().boxed());
    match most {
        // The longest that may come, where it is worth a try.
        Some(most) if most > end => {
            let longest = Just("a".repeat(most)).boxed();
            prop_oneof![5 => plain, 5 => any, 1 => longest].boxed()
        }
        _ => prop_oneof![plain, any].boxed(),
    }
}

fn of_format(name: &str) -> BoxedStrategy<String> {
    let date = || {
        (1970..2100_u16, 1..=12_u8, 1..=28_u8)
            .prop_map(|(year, month, day)| format!("{year:04}-{month:02}-{day:02}"))
    };
    let clock = || {
        (0..24_u8, 0..60_u8, 0..60_u8)
            .prop_map(|(hour, minute, second)| format!("{hour:02}:{minute:02}:{second:02}"))
    };
    let zone = || prop_oneof![Just("Z"), Just("+02:00"), Just("-05:30")];
    let label = "[a-z][a-z0-9]{0,8}";
    let host = move || (label, "(com|org|example)").prop_map(|(name, top)| format!("{name}.{top}"));
    let four = || any::<[u8; 4]>().prop_map(|bytes| std::net::Ipv4Addr::from(bytes).to_string());
    let six = || any::<[u16; 8]>().prop_map(|words| std::net::Ipv6Addr::from(words).to_string());
    let uri = move || {
        (
            "(https|http)",
            host(),
            "(/[a-z0-9]{1,6}){0,3}",
            "(\\?[a-z]{1,4}=[0-9]{1,3})?",
        )
            .prop_map(|(scheme, host, path, query)| format!("{scheme}://{host}{path}{query}"))
    };
    match name {
        "date" => date().boxed(),
        "time" => (clock(), zone())
            .prop_map(|(time, zone)| format!("{time}{zone}"))
            .boxed(),
        "date-time" => (date(), clock(), zone())
            .prop_map(|(date, time, zone)| format!("{date}T{time}{zone}"))
            .boxed(),
        "partial-time" => clock().boxed(),
        "partial-date-time" => (date(), clock())
            .prop_map(|(date, time)| format!("{date}T{time}"))
            .boxed(),
        "duration" => "P[1-9][0-9]?DT[1-9]H([1-9]M)?".boxed(),
        "uuid" => "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}".boxed(),
        "email" | "idn-email" => (label, host())
            .prop_map(|(user, host)| format!("{user}@{host}"))
            .boxed(),
        "hostname" | "idn-hostname" => host().boxed(),
        "ip" => prop_oneof![four(), six()].boxed(),
        "ipv4" => four().boxed(),
        "ipv6" => six().boxed(),
        "regex" => "[a-z]{1,4}[+*]?".boxed(),
        "json-pointer" => "(/[a-z0-9]{1,5}){0,3}".boxed(),
        _ => uri().boxed(),
    }
}
