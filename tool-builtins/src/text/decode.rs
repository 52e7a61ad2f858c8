//! From bytes to text, whatever the encoding.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// Text and the encoding it was in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decoded {
    /// The text; what was not valid became U+FFFD.
    pub(crate) text: String,
    /// The name of the encoding as the Encoding standard spells it, or `UTF-32LE`, `UTF-32BE`.
    pub(crate) encoding: &'static str,
}

/// Which mark or label decides, in this order: byte order mark, `declared`, the pattern of NULs, `markup` (looks
/// for a `meta` element), valid UTF-8, the statistics of the bytes.
pub(crate) fn decode(bytes: &[u8], declared: Option<&str>, markup: Markup) -> Decoded {
    if let Some(decoded) = utf_32(bytes) {
        return decoded;
    }
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return with(encoding, bytes);
    }
    if let Some(encoding) = declared.and_then(|label| Encoding::for_label(label.trim().as_bytes()))
    {
        return with(encoding, bytes);
    }
    if let Some(decoded) = utf_16_without_mark(bytes) {
        return decoded;
    }
    if markup == Markup::Html
        && let Some(encoding) = meta(bytes)
    {
        return with(encoding, bytes);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Decoded {
            text: text.to_owned(),
            encoding: UTF_8.name(),
        };
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    // The detector's verdict settles early; a megabyte is plenty.
    detector.feed(bytes.get(..1024 * 1024).unwrap_or(bytes), true);
    with(detector.guess(None, Utf8Detection::Allow), bytes)
}

/// Whether the bytes may name their encoding themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Markup {
    /// No label inside.
    None,
    /// A `meta` element may name the encoding.
    Html,
}

fn with(encoding: &'static Encoding, bytes: &[u8]) -> Decoded {
    let (text, encoding, _) = encoding.decode(bytes);
    Decoded {
        text: text.into_owned(),
        encoding: encoding.name(),
    }
}

/// The Encoding standard has no UTF-32, and its little-endian mark starts like that of UTF-16.
fn utf_32(bytes: &[u8]) -> Option<Decoded> {
    let (rest, encoding, read): (_, _, fn([u8; 4]) -> u32) = match bytes {
        [0xff, 0xfe, 0, 0, rest @ ..] => (rest, "UTF-32LE", u32::from_le_bytes),
        [0, 0, 0xfe, 0xff, rest @ ..] => (rest, "UTF-32BE", u32::from_be_bytes),
        _ => return None,
    };
    let (units, tail) = rest.as_chunks::<4>();
    let mut text: String = units
        .iter()
        .map(|unit| char::from_u32(read(*unit)).unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    if !tail.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    Some(Decoded { text, encoding })
}

/// Latin text in UTF-16 has a NUL in every other place; binary data has them anywhere.
fn utf_16_without_mark(bytes: &[u8]) -> Option<Decoded> {
    let sample = bytes.get(..4096).unwrap_or(bytes);
    let (pairs, _) = sample.as_chunks::<2>();
    if pairs.is_empty() || bytes.len() % 2 == 1 {
        return None;
    }
    let first = pairs.iter().filter(|[first, _]| *first == 0).count();
    let second = pairs.iter().filter(|[_, second]| *second == 0).count();
    let encoding = match (first, second) {
        (0, second) if second * 10 >= pairs.len() * 3 => UTF_16LE,
        (first, 0) if first * 10 >= pairs.len() * 3 => UTF_16BE,
        _ => return None,
    };
    let (text, malformed) = encoding.decode_without_bom_handling(bytes);
    let plain = |character: char| {
        !character.is_control() || matches!(character, '\t' | '\n' | '\r' | '\u{c}')
    };
    (!malformed && text.chars().all(plain)).then(|| Decoded {
        text: text.into_owned(),
        encoding: encoding.name(),
    })
}

/// The label of `<meta charset=…>` or `<meta http-equiv … content="…charset=…">` near the start.
fn meta(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..4096).unwrap_or(bytes).to_ascii_lowercase();
    let head = String::from_utf8_lossy(&head);
    let mut rest = head.as_ref();
    while let Some(start) = rest.find("<meta") {
        rest = rest.get(start + 5..)?;
        let element = rest.split('>').next().unwrap_or_default();
        let Some((_, value)) = element.split_once("charset") else {
            continue;
        };
        let Some(value) = value.trim_start().strip_prefix('=') else {
            continue;
        };
        let value = value.trim_start().trim_start_matches(['"', '\'']);
        let label = value
            .split(['"', '\'', ';', ' ', '/', '\n', '\t'])
            .next()
            .unwrap_or_default();
        if let Some(encoding) = Encoding::for_label(label.as_bytes()) {
            // A label that could be read as bytes cannot be true of UTF-16; the standard says so too.
            return Some(match encoding {
                encoding if encoding == UTF_16LE || encoding == UTF_16BE => UTF_8,
                encoding if encoding == X_USER_DEFINED => WINDOWS_1252,
                encoding => encoding,
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_of_utf_16_in_ascii_bytes_means_utf_8() {
        assert_eq!(meta(b"<html><meta charset=utf-16>"), Some(UTF_8));
    }

    #[test]
    fn a_label_is_found_in_either_form_of_meta() {
        for page in [
            r#"<meta charset="windows-1251">"#,
            "<META CHARSET=windows-1251/>",
            r#"<meta name=x><meta http-equiv="Content-Type" content="text/html; charset=windows-1251">"#,
        ] {
            assert_eq!(
                meta(page.as_bytes()).map(Encoding::name),
                Some("windows-1251"),
                "{page}"
            );
        }
    }

    #[test]
    fn random_nuls_are_not_taken_for_utf_16() {
        assert_eq!(utf_16_without_mark(&[0, 1, 2, 0, 0, 0, 4, 5]), None);
    }
}
