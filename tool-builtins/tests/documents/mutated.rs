//! Valid documents with bytes changed: whatever comes of them, it is text or an error, and it comes soon.

use std::time::{Duration, Instant};

use serde_json::json;
use tool_builtins::Policy;

use crate::made::{line, open_document, pdf, presentation, row, word, workbook};
use crate::{call, policy};

/// How many changed files of each format are read.
const ROUNDS: usize = 60;

/// The same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(below.max(1)).unwrap()).unwrap()
    }
}

fn mutate(file: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut file = file.to_vec();
    for _ in 0..=numbers.next(6) {
        let place = numbers.next(file.len());
        match numbers.next(5) {
            0 => file[place] = u8::try_from(numbers.next(256)).unwrap(),
            1 => file[place] ^= 1 << numbers.next(8),
            2 => file.truncate(place.max(1)),
            3 => {
                let end = (place + numbers.next(64)).min(file.len());
                let part = file[place..end].to_vec();
                let at = numbers.next(file.len());
                file.splice(at..at, part);
            }
            _ => {
                let end = (place + 4).min(file.len());
                file[place..end].fill([0, 0xff, 0x7f, 0x80][numbers.next(4)]);
            }
        }
    }
    file
}

async fn survives(name: &str, files: impl Iterator<Item = Vec<u8>>) {
    let root = tempfile::tempdir().unwrap();
    let policy: Policy = policy(root.path());
    let (mut read, mut refused) = (0, 0);
    for file in files {
        std::fs::write(root.path().join(name), &file).unwrap();
        let started = Instant::now();
        let outcome = call(&policy, json!({ "path": name })).await;
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "{name}: {:?}",
            started.elapsed()
        );
        if let Err(error) = &outcome.result {
            assert_ne!(error.kind(), tool_core::ErrorKind::Panicked, "{error}");
            assert!(error.to_string().contains(name), "{error}");
            refused += 1;
        } else {
            read += 1;
        }
    }
    println!("{name}: {read} read, {refused} refused");
}

async fn fuzz(name: &str, file: &[u8]) {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    survives(name, (0..ROUNDS).map(|_| mutate(file, &mut numbers))).await;
}

#[tokio::test]
async fn changed_documents_are_read_or_refused() {
    let paragraph = "<w:p><w:r><w:t>Text with a few words</w:t></w:r></w:p>";
    let table = format!("<w:tbl><w:tr><w:tc>{paragraph}</w:tc></w:tr></w:tbl>");
    fuzz("a.docx", &word(&format!("{paragraph}{table}"), &[])).await;
    fuzz("a.xlsx", &workbook(&[("S", &row(1, &["a", "b"]))])).await;
    fuzz(
        "a.pptx",
        &presentation(
            &[("<p:sp><a:p><a:r><a:t>x</a:t></a:r></a:p></p:sp>", false)],
            "",
        ),
    )
    .await;
    fuzz("a.pdf", &pdf(&[&line("Some text"), &line("More")])).await;
    fuzz("a.ods", &open_document("<table:table table:name=\"T\"><table:table-row><table:table-cell office:value-type=\"string\"><text:p>x</text:p></table:table-cell></table:table-row></table:table>")).await;
}

#[tokio::test]
async fn changed_markup_inside_of_documents_is_read_or_refused() {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let text = "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"1\"/><w:numId w:val=\"3\"/></w:numPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val=\"2\"/></w:tcPr><w:p/></w:tc></w:tr></w:tbl>";
    let bodies: Vec<Vec<u8>> = (0..4 * ROUNDS)
        .map(|_| mutate(text.as_bytes(), &mut numbers))
        .collect();
    survives(
        "b.docx",
        bodies
            .iter()
            .map(|body| word(&String::from_utf8_lossy(body), &[])),
    )
    .await;
    let data = row(1, &["a", "b"])
        + r#"<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" s="1"><v>45000</v></c></row>"#;
    let sheets: Vec<Vec<u8>> = (0..4 * ROUNDS)
        .map(|_| mutate(data.as_bytes(), &mut numbers))
        .collect();
    survives(
        "b.xlsx",
        sheets
            .iter()
            .map(|data| workbook(&[("S", &String::from_utf8_lossy(data))])),
    )
    .await;
}
