//! Real pages and awkward files, where the shared data is at hand.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use tool_builtins::Policy;
use tool_builtins::files::{ReadFormat, ReadOptions, read_file};
use tool_builtins::web::{Style, extract};

use crate::shared_data::{data, files};

/// Counts of every run of four words.
fn shingles(text: &str) -> HashMap<Vec<String>, f64> {
    let words: Vec<String> = text
        .split(|character: char| !(character.is_alphanumeric() || character == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let mut counts = HashMap::new();
    if words.is_empty() {
        return counts;
    }
    for shingle in words.windows(4.min(words.len())) {
        *counts.entry(shingle.to_vec()).or_insert(0.0) += 1.0;
    }
    counts
}

/// The target of a link is no text of the page.
fn without_targets(markdown: &str) -> String {
    let mut parts = markdown.split("](");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |kept, part| {
        kept + part.split_once(')').map_or(part, |(_, after)| after)
    })
}

#[test]
fn the_text_of_real_pages_is_found() {
    let Some(directory) = data("pages") else {
        return;
    };
    let truth: BTreeMap<String, Value> =
        serde_json::from_slice(&fs::read(directory.join("ground-truth.json")).unwrap()).unwrap();
    for style in [Style::Text, Style::Markdown] {
        let (mut hit, mut extra, mut missed, mut time) = (0.0, 0.0, 0.0, Duration::ZERO);
        let mut scores = Vec::new();
        for (name, page) in &truth {
            let mut html = Vec::new();
            let file = fs::File::open(directory.join(format!("{name}.html.gz"))).unwrap();
            flate2::read::GzDecoder::new(file)
                .read_to_end(&mut html)
                .unwrap();
            let html = String::from_utf8_lossy(&html);
            let started = Instant::now();
            let found = extract(&html, page["url"].as_str().unwrap(), style).content;
            time += started.elapsed();
            let found = without_targets(&found);
            let (wanted, found) = (
                shingles(page["articleBody"].as_str().unwrap()),
                shingles(&found),
            );
            let common: f64 = wanted
                .iter()
                .map(|(shingle, count)| count.min(*found.get(shingle).unwrap_or(&0.0)))
                .sum();
            let (wanted, found): (f64, f64) = (wanted.values().sum(), found.values().sum());
            // Each page counts the same, however long.
            let all = (wanted + found - common).max(1.0);
            hit += common / all;
            extra += (found - common) / all;
            missed += (wanted - common) / all;
            scores.push((2.0 * common / (wanted + found).max(1.0), name));
        }
        let (precision, recall) = (hit / (hit + extra), hit / (hit + missed));
        let f1 = 2.0 * precision * recall / (precision + recall);
        println!(
            "{style:?}: F1 {f1:.3}, precision {precision:.3}, recall {recall:.3}, {} pages, {time:?}",
            truth.len()
        );
        scores.sort_by(|left, right| left.0.total_cmp(&right.0));
        for (score, name) in scores.iter().take(5) {
            println!("  {score:.3} {name}");
        }
        assert!(f1 >= 0.94, "{style:?}: F1 {f1:.3}");
    }
}

/// Reads every file in every format; whatever happens must happen soon, and is text or an error that names the file.
fn read_all(root: &Path) {
    let policy = Policy::new().root(root);
    for file in files(root) {
        let path = file.strip_prefix(root).unwrap().to_str().unwrap();
        for format in [
            ReadFormat::Auto,
            ReadFormat::Text,
            ReadFormat::Json,
            ReadFormat::Table,
        ] {
            let started = Instant::now();
            let result = read_file(&policy, path, &ReadOptions::default().format(format));
            assert!(
                started.elapsed() < Duration::from_secs(20),
                "{path} took {:?}",
                started.elapsed()
            );
            if let Err(error) = result {
                assert!(error.to_string().contains(path), "{error}");
                assert!(
                    !error.to_string().contains(root.to_str().unwrap()),
                    "{error}"
                );
            }
        }
    }
}

#[cfg(not(any(feature = "office", feature = "pdf")))]
#[test]
fn documents_are_refused_with_their_type() {
    let Some(root) = data("documents") else {
        return;
    };
    read_all(&root);
    let policy = Policy::new().root(&root);
    let mut refused = 0;
    for file in files(&root) {
        let path = file.strip_prefix(&root).unwrap().to_str().unwrap();
        // One of them is the text of an error message under the name of a workbook.
        if let Err(error) = read_file(&policy, path, &ReadOptions::default()) {
            let binary = tool_builtins::files::FileErrorKind::Binary;
            assert_eq!(error.kind(), binary, "{error}");
            refused += 1;
        }
    }
    assert!(refused + 1 >= files(&root).len());
}

#[test]
fn hostile_files_are_read_or_refused_in_bounded_time() {
    let Some(generator) = data("hostile/gen.py") else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("python3")
        .arg(&generator)
        .current_dir(directory.path())
        .output();
    if !made.is_ok_and(|made| made.status.success()) {
        println!("skipped: the generator needs python3");
        return;
    }
    let count = files(directory.path()).len();
    assert!(count > 0);
    read_all(directory.path());
    for file in files(directory.path()) {
        let name = file.file_name().unwrap().to_str().unwrap();
        if name.starts_with("html_") && fs::metadata(&file).unwrap().len() < 10 << 20 {
            let started = Instant::now();
            let text = extract(
                &String::from_utf8_lossy(&fs::read(&file).unwrap()),
                "https://example.com/",
                Style::Markdown,
            )
            .content;
            assert!(!text.contains("HIDDEN"), "{name}: {text}");
            println!("{name}: {:?}", started.elapsed());
        }
    }
    println!("{count} hostile files");
}
