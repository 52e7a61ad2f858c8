//! A file name that a server suggests, made safe.

use crate::text::clean::{clean, start_of};

/// The longest name, in bytes; every file system takes it, with room for a number.
const LONGEST: usize = 128;

/// Names that are devices on Windows, whatever their extension.
const DEVICES: [&str; 24] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8",
    "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9", "conin$",
    "conout$",
];

/// Characters that look like the separators of a path.
const SLASHES: [char; 6] = [
    '\u{2044}', '\u{2215}', '\u{29f8}', '\u{ff0f}', '\u{ff3c}', '\u{29f5}',
];

/// The name of a downloaded file: from a `Content-Disposition` header (`filename*` before `filename`), else from the
/// last part of a URL's path, else `download`, with an extension by `mime_type` when the name has none.
///
/// The result has no directories, control or direction characters, is not a reserved name of Windows, does not start
/// with a dot or dash, and is at most 128 bytes long.
///
/// # Examples
///
/// ```
/// use tool_builtins::web::safe_file_name;
///
/// assert_eq!(safe_file_name(r#"attachment; filename="../../etc/evil.sh""#, "/", "text/plain"), "evil.sh");
/// assert_eq!(safe_file_name("attachment; filename*=UTF-8''na%C3%AFve.txt", "/", "text/plain"), "naïve.txt");
/// assert_eq!(safe_file_name("", "/files/annual%20report.pdf", "application/pdf"), "annual report.pdf");
/// assert_eq!(safe_file_name("", "/", "text/html"), "download.html");
/// ```
#[must_use]
pub fn safe_file_name(disposition: &str, url_path: &str, mime_type: &str) -> String {
    let suggested = parameters(disposition);
    let last = url_path
        .rsplit('/')
        .next()
        .map(|part| decode_percent(part, false))
        .unwrap_or_default();
    let name = suggested
        .into_iter()
        .chain([last])
        .map(|name| safe(&name))
        .find(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| "download".to_owned());
    if name.contains('.') {
        return name;
    }
    match extension(mime_type) {
        Some(extension) => format!("{name}.{extension}"),
        None => name,
    }
}

/// The suggested names, the better one first.
fn parameters(disposition: &str) -> Vec<String> {
    let (mut extended, mut plain) = (None, None);
    let mut rest = disposition.split_once(';').map_or("", |(_, rest)| rest);
    while let Some((name, after)) = rest.split_once('=') {
        let name = name.trim_matches([';', ' ', '\t']).to_ascii_lowercase();
        let (value, after) = value(after.trim_start());
        rest = after;
        match name.as_str() {
            "filename*" => extended = extended.or_else(|| decode_extended(&value)),
            "filename" => plain = plain.or(Some(decode_plain(&value))),
            _ => {}
        }
    }
    extended.into_iter().chain(plain).collect()
}

/// A token or a quoted string, and what comes after it.
fn value(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(';').unwrap_or(text.len());
        let (value, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        return (value.trim().to_owned(), rest);
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((position, character)) = characters.next() {
        match character {
            '"' => return (value, quoted.get(position + 1..).unwrap_or_default()),
            // Windows servers quote whole paths without doubling the backslashes; only a quote or a backslash is escaped.
            '\\' if quoted
                .get(position + 1..)
                .is_some_and(|rest| rest.starts_with(['"', '\\'])) =>
            {
                value.extend(characters.next().map(|(_, escaped)| escaped));
            }
            character => value.push(character),
        }
    }
    (value, "")
}

/// `charset'language'percent-encoded`.
fn decode_extended(value: &str) -> Option<String> {
    let mut parts = value.splitn(3, '\'');
    let charset = parts.next()?;
    let encoded = parts.nth(1)?;
    Some(decode_percent(
        encoded,
        charset.eq_ignore_ascii_case("iso-8859-1"),
    ))
}

/// The plain form should not be percent-encoded, but often is, and browsers decode it.
fn decode_plain(value: &str) -> String {
    let decoded = decode_percent(value, false);
    if decoded.contains(char::REPLACEMENT_CHARACTER) {
        value.to_owned()
    } else {
        decoded
    }
}

fn decode_percent(text: &str, latin_1: bool) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after
            .get(..2)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits
            .filter(|_| *first == b'%')
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() {
            after.get(2..).unwrap_or_default()
        } else {
            after
        };
    }
    if latin_1 {
        bytes.iter().copied().map(char::from).collect()
    } else {
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

fn safe(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let visible = clean(last);
    let replaced: String = visible
        .chars()
        .map(|character| match character {
            '<' | '>' | ':' | '"' | '|' | '?' | '*' | '\n' | '\t' => '_',
            character if SLASHES.contains(&character) => '_',
            character => character,
        })
        .collect();
    let trimmed = replaced
        .trim_start_matches(['.', '-', ' '])
        .trim_end_matches(['.', ' ']);
    let stem = trimmed
        .split('.')
        .next()
        .unwrap_or_default()
        .trim()
        .to_lowercase();
    // Windows also reads superscript digits as the number of a device.
    let stem = stem.replace('¹', "1").replace('²', "2").replace('³', "3");
    let name = if DEVICES.contains(&stem.as_str()) {
        format!("_{trimmed}")
    } else {
        trimmed.to_owned()
    };
    shorten(&name)
}

/// Shortens the stem, so that the extension stays.
fn shorten(name: &str) -> String {
    if name.len() <= LONGEST {
        return name.to_owned();
    }
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if extension.len() <= 16 => (stem, format!(".{extension}")),
        _ => (name, String::new()),
    };
    let stem = start_of(stem, LONGEST - extension.len()).trim_end_matches(['.', ' ']);
    format!("{stem}{extension}")
}

fn extension(mime_type: &str) -> Option<&'static str> {
    Some(match mime_type {
        "application/gzip" => "gz",
        "application/json" => "json",
        "application/pdf" => "pdf",
        "application/xml" | "text/xml" => "xml",
        "application/zip" => "zip",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" => "xlsx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => "docx",
        "audio/mpeg" => "mp3",
        "audio/wav" | "audio/x-wav" => "wav",
        "image/gif" => "gif",
        "image/jpeg" => "jpg",
        "image/png" => "png",
        "image/svg+xml" => "svg",
        "image/webp" => "webp",
        "text/css" => "css",
        "text/csv" => "csv",
        "text/html" | "application/xhtml+xml" => "html",
        "text/javascript" | "application/javascript" => "js",
        "text/markdown" => "md",
        "text/plain" => "txt",
        "video/mp4" => "mp4",
        _ => return None,
    })
}
