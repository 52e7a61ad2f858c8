//! Files as a model can use them.

use serde_json::{Value, json};
use tempfile::TempDir;
use tool_builtins::Policy;
use tool_builtins::files::{
    Content, FileContent, FileError, FileErrorKind, ReadFormat, ReadOptions, read_file,
};

fn read(
    name: &str,
    bytes: impl AsRef<[u8]>,
    options: &ReadOptions,
) -> Result<FileContent, FileError> {
    let directory: TempDir = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join(name), bytes).unwrap();
    read_file(&Policy::new().root(directory.path()), name, options)
}

fn text(name: &str, bytes: impl AsRef<[u8]>) -> (String, &'static str) {
    let file = read(name, bytes, &ReadOptions::default()).unwrap();
    match file.content {
        Content::Text { text, .. } => (text, file.encoding),
        other => panic!("{other:?}"),
    }
}

#[test]
fn text_comes_back_byte_for_byte() {
    for content in [
        "",
        "a",
        "a\n",
        "a\nb",
        "\n\n",
        "ünï\t日本 🎉\n",
        "  indented\n\n\nend\n",
    ] {
        assert_eq!(text("a.txt", content).0, content, "{content:?}");
    }
    assert_eq!(text("a.txt", "a\r\nb\rc\n").0, "a\nb\nc\n");
}

#[test]
fn text_in_any_encoding_is_read() {
    let sample = "Zażółć gęślą jaźń";
    let wide = |swap: bool, mark: bool, text: &str| -> Vec<u8> {
        let units = mark
            .then_some(0xfeff)
            .into_iter()
            .chain(text.encode_utf16());
        units
            .flat_map(|unit| {
                if swap {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                }
            })
            .collect()
    };
    let wider = |swap: bool| -> Vec<u8> {
        ['\u{feff}']
            .into_iter()
            .chain(sample.chars())
            .map(u32::from)
            .flat_map(|unit| {
                if swap {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                }
            })
            .collect()
    };
    for (bytes, encoding) in [
        (sample.as_bytes().to_vec(), "UTF-8"),
        ([b"\xef\xbb\xbf", sample.as_bytes()].concat(), "UTF-8"),
        (wide(false, true, sample), "UTF-16LE"),
        (wide(true, true, sample), "UTF-16BE"),
        (wide(false, false, sample), "UTF-16LE"),
        (wide(true, false, sample), "UTF-16BE"),
        (wider(false), "UTF-32LE"),
        (wider(true), "UTF-32BE"),
    ] {
        assert_eq!(
            text("a.txt", &bytes),
            (sample.to_owned(), encoding),
            "{bytes:02x?}"
        );
    }
    let latin = b"Caf\xe9 \x93quoted\x94 \x96 na\xefve fa\xe7ade \xa3100 d\xe9j\xe0 vu. ".repeat(3);
    assert_eq!(
        text("a.txt", latin),
        (
            "Café “quoted” – naïve façade £100 déjà vu. ".repeat(3),
            "windows-1252"
        )
    );
    let japanese = b"\x93\xfa\x96{\x8c\xea\x82\xcc\x83e\x83L\x83X\x83g\x83t\x83@\x83C\x83\x8b\x82\xc5\x82\xb7\x81B".repeat(3);
    assert_eq!(
        text("a.txt", japanese),
        ("日本語のテキストファイルです。".repeat(3), "Shift_JIS")
    );
}

#[test]
fn a_part_of_a_file_is_read_by_lines() {
    let file: String = (1..=10).map(|number| format!("line {number}\n")).collect();
    let part = |offset, limit| match read(
        "a.txt",
        &file,
        &ReadOptions::default().offset(offset).limit(limit),
    )
    .unwrap()
    .content
    {
        Content::Text {
            text,
            lines,
            next_offset,
        } => (text, lines, next_offset),
        other => panic!("{other:?}"),
    };
    assert_eq!(part(0, 2), ("line 1\nline 2".to_owned(), 10, Some(2)));
    assert_eq!(part(8, 2), ("line 9\nline 10\n".to_owned(), 10, None));
    assert_eq!(
        part(8, usize::MAX),
        ("line 9\nline 10\n".to_owned(), 10, None)
    );
    assert_eq!(part(10, 5), (String::new(), 10, None));
    assert_eq!(part(99, 5), (String::new(), 10, None));
    assert_eq!(part(3, 0), (String::new(), 10, Some(3)));
}

#[test]
fn following_the_next_offset_reads_every_line_once() {
    let file: String = (0..5000).map(|number| format!("{number}\n")).collect();
    let (mut offset, mut all) = (0, Vec::new());
    loop {
        let options = ReadOptions::default().offset(offset);
        let Content::Text {
            text, next_offset, ..
        } = read("a.txt", &file, &options).unwrap().content
        else {
            panic!()
        };
        all.extend(text.lines().map(|line| line.parse::<usize>().unwrap()));
        let Some(next) = next_offset else { break };
        offset = next;
    }
    assert_eq!(all, (0..5000).collect::<Vec<_>>());
}

#[test]
fn text_cannot_drive_a_terminal_or_hide_anything() {
    let hostile = "\u{1b}]0;pwn\u{7}\u{1b}[2J\u{1b}[31mred\u{1b}[0m\u{1b}]8;;http://evil\u{1b}\\click\u{1b}]8;;\u{1b}\\\u{8}\u{202e}bidi\u{200b}\u{e0041}\u{7f}";
    assert_eq!(text("a.txt", hostile).0, "redclickbidi");
}

#[test]
fn json_is_parsed_in_the_order_of_the_file() {
    let file = read(
        "data.JSON",
        "\u{feff}{\"b\": 1, \"a\": [true, null, 1.5, \"x\\u001b[31my\\u202e\"]}",
        &ReadOptions::default(),
    )
    .unwrap();
    let Content::Json(value) = file.content else {
        panic!()
    };
    assert_eq!(value, json!({"b": 1, "a": [true, null, 1.5, "xy"]}));
    assert_eq!(
        value.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["b", "a"]
    );
    let file = read(
        "wide.json",
        "{\"é\": 1}"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<_>>(),
        &ReadOptions::default(),
    )
    .unwrap();
    assert_eq!(file.content, Content::Json(json!({"é": 1})));
}

#[test]
fn bad_json_is_an_error_with_line_and_column_and_can_be_read_as_text() {
    for (bad, place) in [
        ("{\n  \"a\": 1,\n  \"b\": nope\n}", "line 3, column"),
        ("{\"a\": 1,}", "line 1, column 9"),
        ("", "line 1, column 0"),
        ("[1, 2", "line 1, column 5"),
        ("{} x", "line 1, column 4"),
        (&"[".repeat(100_000), "recursion limit"),
        (
            &format!("{{\"a\": {}}}", "9".repeat(1_000_000)),
            "number out of range",
        ),
    ] {
        let error = read("a.json", bad, &ReadOptions::default()).unwrap_err();
        assert_eq!(error.kind(), FileErrorKind::Malformed);
        let message = error.to_string();
        assert!(
            message.contains(place) && message.contains("`text`") && message.len() < 300,
            "{message}"
        );
        assert!(
            read(
                "a.json",
                bad,
                &ReadOptions::default().format(ReadFormat::Text)
            )
            .is_ok()
        );
    }
}

#[test]
fn the_asked_format_counts_more_than_the_name() {
    let as_json = read(
        "notes.txt",
        "[1]",
        &ReadOptions::default().format(ReadFormat::Json),
    )
    .unwrap();
    assert_eq!(as_json.content, Content::Json(Value::from(vec![1])));
    assert!(matches!(
        read(
            "a.csv",
            "a,b",
            &ReadOptions::default().format(ReadFormat::Text)
        )
        .unwrap()
        .content,
        Content::Text { .. }
    ));
    assert!(matches!(
        read(
            "a.log",
            "a,b\n1,2",
            &ReadOptions::default().format(ReadFormat::Table)
        )
        .unwrap()
        .content,
        Content::Table(_)
    ));
}

#[test]
fn a_file_that_is_not_text_says_what_it_is_and_how_large() {
    let bodies: [(&str, &[u8], &str); 6] = [
        ("photo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"),
        ("report.pdf", b"%PDF-1.7\n1 0 obj", "application/pdf"),
        ("a.zip", b"PK\x03\x04\x14\0\0\0\x08\0", "application/zip"),
        (
            "data.bin",
            b"\0\x01\x02\x03\0\0\0\x07",
            "application/octet-stream",
        ),
        ("lies.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"),
        (
            "lies.json",
            &[b"\x7fELF\x02\x01\x01".as_slice(), &[0; 60]].concat(),
            "application/x-executable",
        ),
    ];
    // Where their readers are built in, these two are read.
    let is_read = |kind: &str| {
        (kind == "application/pdf" && cfg!(feature = "pdf"))
            || (kind == "application/zip" && cfg!(feature = "formats"))
    };
    for (name, bytes, kind) in bodies.into_iter().filter(|body| !is_read(body.2)) {
        let error = read(name, bytes, &ReadOptions::default()).unwrap_err();
        assert_eq!(error.kind(), FileErrorKind::Binary, "{name}");
        let message = error.to_string();
        assert!(
            message.contains(kind) && message.contains(&format!("{} bytes", bytes.len())),
            "{message}"
        );
    }
}
