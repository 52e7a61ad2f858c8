//! Whether bytes are text, and if not, what they are.

/// The MIME type of bytes that are not text, or `None` for text of any encoding.
pub(crate) fn binary_type(bytes: &[u8]) -> Option<&'static str> {
    let sample = bytes.get(..8192).unwrap_or(bytes);
    if sample.starts_with(b"%PDF-") {
        return Some("application/pdf");
    }
    // Short magic numbers such as `BM` also start sentences, and only binary data holds control characters.
    if !sample.iter().copied().any(is_binary_byte) || is_wide_text(bytes) {
        return None;
    }
    if sample.starts_with(&[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) {
        return Some(
            infer::get(bytes).map_or("application/x-ole-storage", |kind| kind.mime_type()),
        );
    }
    match infer::get(bytes) {
        Some(kind) if kind.matcher_type() != infer::MatcherType::Text => Some(kind.mime_type()),
        _ if is_mostly_text(sample) => None,
        _ => Some("application/octet-stream"),
    }
}

/// The MIME type of the bytes by their content, for text only where it can be told.
#[cfg(feature = "web")]
pub(crate) fn content_type(bytes: &[u8]) -> Option<&'static str> {
    binary_type(bytes)
        .filter(|kind| *kind != "application/octet-stream")
        .or_else(|| {
            let kind = infer::get(bytes)?;
            (kind.matcher_type() == infer::MatcherType::Text).then(|| kind.mime_type())
        })
}

fn is_binary_byte(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x08 | 0x1b)
}

/// Text in UTF-16 or UTF-32 is full of NULs and still text.
fn is_wide_text(bytes: &[u8]) -> bool {
    let even = bytes.get(..bytes.len() & !1).unwrap_or(bytes);
    let encoding = super::decode::decode(
        even.get(..8192).unwrap_or(even),
        None,
        super::decode::Markup::None,
    );
    encoding.encoding.starts_with("UTF-16") || encoding.encoding.starts_with("UTF-32")
}

/// Stray control characters do not make a log file binary. A NUL does, unless everything else says text.
fn is_mostly_text(sample: &[u8]) -> bool {
    let odd = sample
        .iter()
        .copied()
        .filter(|byte| is_binary_byte(*byte))
        .count();
    let cut_character = |error: std::str::Utf8Error| error.error_len().is_none();
    let unicode = std::str::from_utf8(sample).map_or_else(cut_character, |_| true);
    odd * 10 <= sample.len() && (unicode || !sample.contains(&0))
}

#[cfg(test)]
mod tests {
    use super::binary_type;

    #[test]
    fn a_sentence_that_starts_like_a_bitmap_is_text() {
        assert_eq!(binary_type(b"BMW is a car maker"), None);
        assert_eq!(binary_type("BM caf\u{e9}".as_bytes()), None);
    }

    #[test]
    fn pictures_archives_and_unknown_bytes_are_not_text() {
        assert_eq!(
            binary_type(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
            Some("image/png")
        );
        assert_eq!(
            binary_type(b"PK\x03\x04\x14\0\0\0"),
            Some("application/zip")
        );
        assert_eq!(binary_type(b"%PDF-1.4\n"), Some("application/pdf"));
        assert_eq!(
            binary_type(&[0, 1, 2, 3, 4, 0, 0, 9]),
            Some("application/octet-stream")
        );
    }

    #[test]
    fn wide_text_is_text() {
        let wide: Vec<u8> = "plain".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(binary_type(&wide), None);
        assert_eq!(binary_type(b"\xff\xfe\0\0a\0\0\0"), None);
    }
}
