//! What kind of document bytes are. The content decides; a name is only believed where the content says nothing.

use serde::{Deserialize, Serialize};

/// The documents that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// PDF.
    Pdf,
    /// Word: DOCX and its variants with macros or as a template.
    Word,
    /// PowerPoint: PPTX and its variants.
    Slides,
    /// Excel since 2007: XLSX, XLSM.
    Xlsx,
    /// Excel, binary since 2007.
    Xlsb,
    /// Excel before 2007.
    Xls,
    /// A sheet of OpenDocument.
    Ods,
    /// An office document under a password.
    EncryptedOffice,
    /// A ZIP archive of anything else.
    Zip,
    /// A tar archive.
    Tar,
    /// Bytes compressed with gzip, perhaps a tar archive.
    Gzip,
    /// A picture.
    Picture,
}

impl Kind {
    /// The MIME type.
    pub(crate) fn mime_type(self, bytes: &[u8]) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Word => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Slides => {
                "application/vnd.openxmlformats-officedocument.presentationml.presentation"
            }
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Xlsb => "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
            Self::Xls => "application/vnd.ms-excel",
            Self::Ods => "application/vnd.oasis.opendocument.spreadsheet",
            Self::EncryptedOffice => "application/x-ole-storage",
            Self::Zip => "application/zip",
            Self::Tar => "application/x-tar",
            Self::Gzip => "application/gzip",
            Self::Picture => {
                infer::get(bytes).map_or("application/octet-stream", |kind| kind.mime_type())
            }
        }
    }
}

/// The kind of the bytes, `None` for text and for what is no document that is known.
pub(crate) fn kind(bytes: &[u8]) -> Option<Kind> {
    match bytes {
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(zipped(bytes)),
        [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ..] => compound(bytes),
        [0x1f, 0x8b, 8, ..] => Some(Kind::Gzip),
        // Writers put up to a kilobyte in front, and every reader bears it.
        _ if find(bytes.get(..1024).unwrap_or(bytes), b"%PDF-")
            .is_some_and(|place| is_start(bytes, place)) =>
        {
            Some(Kind::Pdf)
        }
        _ if bytes.get(257..262) == Some(b"ustar") => Some(Kind::Tar),
        _ if is_picture(bytes) => Some(Kind::Picture),
        _ => None,
    }
}

/// A text that speaks of `%PDF-` is not one, but some writers put lines of their own in front.
fn is_start(bytes: &[u8], place: usize) -> bool {
    let before = bytes.get(..place).unwrap_or_default();
    let end = bytes
        .get(bytes.len().saturating_sub(2048)..)
        .unwrap_or_default();
    before.iter().all(u8::is_ascii_whitespace)
        || before.contains(&0)
        || (before.ends_with(b"\n") && find(end, b"%%EOF").is_some())
}

fn is_picture(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89PNG\r\n\x1a\n")
        || bytes.starts_with(b"GIF87a")
        || bytes.starts_with(b"GIF89a")
        || bytes.starts_with(b"\xff\xd8\xff")
        || (bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP"))
        || bytes.starts_with(b"II*\0")
        || bytes.starts_with(b"MM\0*")
        // `BM` starts sentences too, so the fixed zeros of the header have to be there.
        || (bytes.starts_with(b"BM") && bytes.get(6..10) == Some(&[0; 4]))
}

/// The names of the parts stand in the archive as they are.
fn zipped(bytes: &[u8]) -> Kind {
    // The first entry of OpenDocument says what it is, and is not compressed.
    if bytes.get(30..84)
        == Some(b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet".as_slice())
    {
        return Kind::Ods;
    }
    let names = names(bytes);
    let has = |name: &str| {
        names
            .iter()
            .any(|found| found.eq_ignore_ascii_case(name.as_bytes()))
    };
    let below = |folder: &[u8]| names.iter().any(|found| found.starts_with(folder));
    if !has("[Content_Types].xml") && !has("_rels/.rels") {
        return Kind::Zip;
    }
    if has("word/document.xml") || (below(b"word/") && !below(b"xl/") && !below(b"ppt/")) {
        Kind::Word
    } else if has("xl/workbook.bin") {
        Kind::Xlsb
    } else if below(b"xl/") || has("workbook.xml") {
        Kind::Xlsx
    } else if below(b"ppt/") {
        Kind::Slides
    } else {
        Kind::Zip
    }
}

/// The names in the central directory, the first 10,000 of them.
fn names(bytes: &[u8]) -> Vec<&[u8]> {
    let mut names = Vec::new();
    let mut from = directory(bytes).unwrap_or_default();
    while let Some(rest) = bytes.get(from..)
        && let Some(place) = find(rest, b"PK\x01\x02")
        && names.len() < super::bounds::ENTRIES
    {
        let entry = from + place;
        if let Some([low, high]) = bytes.get(entry + 28..entry + 30) {
            let length = usize::from(u16::from_le_bytes([*low, *high]));
            names.extend(bytes.get(entry + 46..entry + 46 + length));
        }
        from = entry + 4;
    }
    names
}

/// Where the central directory is said to begin, if an entry does begin there. Without it all bytes are searched.
fn directory(bytes: &[u8]) -> Option<usize> {
    let tail = bytes.len().saturating_sub(66_000);
    let end = tail + last(bytes.get(tail..)?, b"PK\x05\x06")?;
    let place = bytes.get(end + 16..end + 20)?.try_into().ok()?;
    let start = usize::try_from(u32::from_le_bytes(place)).ok()?;
    bytes
        .get(start..)?
        .starts_with(b"PK\x01\x02")
        .then_some(start)
}

fn last(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes
        .windows(needle.len())
        .rposition(|window| window == needle)
}

/// Compound files name their streams in UTF-16.
fn compound(bytes: &[u8]) -> Option<Kind> {
    let holds = |name: &str| {
        let wide: Vec<u8> = name
            .encode_utf16()
            .chain([0])
            .flat_map(u16::to_le_bytes)
            .collect();
        find(bytes, &wide).is_some()
    };
    if holds("EncryptedPackage") {
        return Some(Kind::EncryptedOffice);
    }
    (holds("Workbook") || holds("Book") || holds("WORKBOOK") || holds("BOOK")).then_some(Kind::Xls)
}

/// The place of `needle`, which is not empty.
fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    let first = *needle.first()?;
    let mut from = 0;
    while let Some(rest) = bytes.get(from..) {
        let place = from + rest.iter().position(|byte| *byte == first)?;
        if bytes.get(place..)?.starts_with(needle) {
            return Some(place);
        }
        from = place + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_about_documents_is_text() {
        for text in [
            "A PDF starts with %PDF-1.7",
            "BM is short",
            "PK and more",
            "",
        ] {
            assert_eq!(kind(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_pdf_may_have_blanks_in_front() {
        assert_eq!(kind(b"\n\n%PDF-1.4\n"), Some(Kind::Pdf));
    }
}
