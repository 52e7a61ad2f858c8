//! Reads documents below a directory and prints one line of JSON for each: what `benches/documents.py` compares.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use serde_json::json;
use tool_builtins::Policy;
use tool_builtins::files::{Content, FileError, ReadOptions, read_file};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    tool_builtins::worker::run_if_asked();
    let mut arguments = std::env::args_os().skip(1);
    let root = PathBuf::from(arguments.next().ok_or("usage: read_documents ROOT PATH…")?);
    let policy = Policy::new().root(root);
    for path in arguments {
        let path = path.to_string_lossy();
        let options = ReadOptions::default().limit(usize::MAX);
        let mut seconds = f64::INFINITY;
        let mut text = Ok(String::new());
        // The best of three, as a busy machine only ever adds.
        for _ in 0..3 {
            let started = Instant::now();
            text = read_file(&policy, &path, &options).map(|file| text_of(file.content));
            seconds = seconds.min(started.elapsed().as_secs_f64());
        }
        let line = json!({
            "path": path,
            "seconds": seconds,
            "text": text.as_ref().ok(),
            "error": text.as_ref().err().map(FileError::to_string),
        });
        writeln!(std::io::stdout(), "{line}")?;
    }
    Ok(())
}

fn text_of(content: Content) -> String {
    match content {
        Content::Text { text, .. } => text,
        Content::Workbook(workbook) => {
            let rows = workbook.sheets.iter().flat_map(|sheet| {
                let names = sheet
                    .columns
                    .first()
                    .is_none_or(|name| name != "A")
                    .then_some(&sheet.columns);
                names.into_iter().chain(&sheet.rows)
            });
            rows.map(|row| row.join("\t"))
                .collect::<Vec<_>>()
                .join("\n")
        }
        _ => String::new(),
    }
}
