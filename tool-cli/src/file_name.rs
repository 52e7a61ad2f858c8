//! A file name from outside, made safe to create in a directory.

use crate::control;

/// Leaves room for ` (999)` below the 255 bytes that most file systems take.
const MAX_BYTES: usize = 200;

/// Names that Windows gives to devices, with any extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// One plain file name: no folders, no leading dot, nothing that a file system
/// or a terminal takes for more than a letter.
pub(crate) fn safe(name: &str) -> String {
    let last = name
        .rsplit(['/', '\\'])
        .find(|part| !part.trim_matches(['.', ' ']).is_empty())
        .unwrap_or_default();
    let kept: String = last
        .chars()
        .filter(|character| !character.is_control() && !control::reorders(*character))
        .map(|character| {
            if r#"<>:"|?*"#.contains(character) {
                '_'
            } else {
                character
            }
        })
        .collect();
    // A leading dot hides a file, and Windows drops dots and blanks at the end.
    let kept = kept
        .trim_start_matches(['.', ' '])
        .trim_end_matches(['.', ' ']);
    let (stem, extension) = split(kept);
    if stem.is_empty() {
        return "file".to_owned();
    }
    let extension = cut(extension, MAX_BYTES / 4);
    let stem = cut(stem, MAX_BYTES - extension.len());
    if is_device(stem) {
        format!("_{stem}{extension}")
    } else {
        format!("{stem}{extension}")
    }
}

/// The name with a number before its extension: `report (2).csv`.
pub(crate) fn numbered(name: &str, number: u32) -> String {
    let (stem, extension) = split(name);
    format!("{stem} ({number}){extension}")
}

/// The name up to its last dot, and the rest with the dot.
fn split(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(dot) if dot > 0 => name.split_at(dot),
        _ => (name, ""),
    }
}

fn cut(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

fn is_device(stem: &str) -> bool {
    let name = stem
        .split('.')
        .next()
        .unwrap_or_default()
        .trim_end()
        .to_ascii_lowercase();
    let numbered = ["com", "lpt"].iter().any(|prefix| {
        name.strip_prefix(prefix).is_some_and(|rest| {
            let mut digits = rest.chars();
            digits.next().is_some_and(|digit| digit.is_ascii_digit()) && digits.next().is_none()
        })
    });
    numbered || DEVICES.contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::{numbered, safe};

    #[test]
    fn a_name_is_never_more_than_a_name() {
        for (name, expected) in [
            ("report.csv", "report.csv"),
            ("../../evil", "evil"),
            (r"..\..\evil.txt", "evil.txt"),
            ("/etc/passwd", "passwd"),
            ("folder/", "folder"),
            ("..", "file"),
            ("", "file"),
            (".bashrc", "bashrc"),
            ("a\x1b[31mb\n.txt", "a[31mb.txt"),
            ("photo\u{202e}gpj.exe", "photogpj.exe"),
            ("a:b?.txt", "a_b_.txt"),
            ("NUL.txt", "_NUL.txt"),
            ("com1", "_com1"),
            ("ends. ", "ends"),
            ("...", "file"),
        ] {
            assert_eq!(safe(name), expected, "{name:?}");
        }
    }

    #[test]
    fn a_long_name_is_cut_and_keeps_its_extension() {
        let name = safe(&format!("{}.tar.gz", "é".repeat(500)));
        assert!(name.len() <= 201, "{}", name.len());
        assert_eq!(name.rsplit('.').next(), Some("gz"));
    }

    #[test]
    fn a_number_goes_before_the_extension() {
        assert_eq!(numbered("report.csv", 2), "report (2).csv");
        assert_eq!(numbered("Makefile", 1), "Makefile (1)");
    }
}
