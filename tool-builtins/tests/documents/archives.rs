//! Archives.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use crate::made::package;
use crate::{error_of, read, text_of};

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn tar(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut file = Vec::new();
    for (name, content) in entries {
        let mut header = [0_u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[156] = b'0';
        header[257..263].copy_from_slice(b"ustar\0");
        file.extend(header);
        file.extend(*content);
        file.resize(file.len().next_multiple_of(512), 0);
    }
    file.resize(file.len() + 1024, 0);
    file
}

#[tokio::test]
async fn the_entries_of_an_archive_are_listed() {
    let zip = package(&[("a.txt", "12345"), ("b/c.txt", "")]);
    assert_eq!(
        text_of(&read("a.zip", &zip, json!({})).await),
        "           5  a.txt\n           0  b/c.txt\n[a ZIP archive of 2 entries, 5 bytes unpacked as declared]"
    );
    let tar = tar(&[("a.txt", b"12345"), ("b/c.txt", b"")]);
    let listed = "           5  a.txt\n           0  b/c.txt\n[a tar archive of 2 entries, 5 bytes unpacked as declared]";
    assert_eq!(text_of(&read("a.tar", &tar, json!({})).await), listed);
    assert_eq!(
        text_of(&read("a.tgz", &gzip(&tar), json!({})).await),
        listed
    );
}

#[tokio::test]
async fn names_that_lead_out_are_counted() {
    let names = ["../../evil", "/abs", "a/../../b", "..\\up", "C:\\x", "fine"];
    let zip = package(&names.map(|name| (name, "x")));
    let text = text_of(&read("a.zip", &zip, json!({})).await);
    assert!(
        text.contains("5 with names that lead out of the folder"),
        "{text}"
    );
}

#[tokio::test]
async fn compressed_text_is_text_and_what_expands_too_far_is_refused() {
    let text = text_of(&read("a.log.gz", &gzip(b"one\ntwo"), json!({})).await);
    assert_eq!(text, "one\ntwo\n[unpacked from gzip, 7 bytes]");
    let message = error_of(&read("a.gz", &gzip(&vec![0; 200 << 20]), json!({})).await);
    assert!(message.contains("Policy::max_expanded"), "{message}");
}

#[tokio::test]
async fn damaged_archives_are_listed_as_far_as_they_go() {
    let whole = tar(&[("a.txt", b"1"), ("b.txt", &[b'x'; 2000])]);
    let text = text_of(&read("a.tar", whole.get(..2000).unwrap(), json!({})).await);
    assert!(
        text.contains("b.txt") && text.contains("it is cut off"),
        "{text}"
    );
    let message = error_of(&read("a.zip", b"PK\x03\x04 nothing", json!({})).await);
    assert!(message.contains("archive is damaged"), "{message}");
}
