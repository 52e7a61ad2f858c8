//! What archives hold. Nothing is ever unpacked to disk.

mod gzip;
mod tar;
mod zip;

use super::bounds::{Bounds, ENTRIES};
use super::fault::Fault;
use super::{Kind, Reading};
use crate::text::clean::clean;

/// How many entries are listed.
const LISTED: usize = 1000;

pub(crate) fn read(bytes: &[u8], kind: Kind, bounds: Bounds) -> Result<Reading, Fault> {
    match kind {
        Kind::Zip => zip::read(bytes),
        Kind::Tar => tar::read(bytes, bounds),
        _ => gzip::read(bytes, bounds),
    }
}

/// The entries of an archive, as they are found.
#[derive(Debug, Default)]
struct Listing {
    lines: Vec<String>,
    count: usize,
    bytes: u64,
    unsafe_names: usize,
    notes: Vec<String>,
}

impl Listing {
    /// Adds an entry. Gives `false` when there are more than are counted.
    fn add(&mut self, name: &str, size: u64, remark: &str) -> bool {
        self.count += 1;
        self.bytes = self.bytes.saturating_add(size);
        self.unsafe_names += usize::from(leads_out(name));
        if self.lines.len() < LISTED {
            let name = clean(name).replace(['\n', '\t'], " ");
            let shown: String = name.chars().take(512).collect();
            self.lines.push(format!("{size:>12}  {shown}{remark}"));
        }
        self.count < ENTRIES
    }

    fn finish(mut self, what: &str) -> Reading {
        let more = if self.count >= ENTRIES {
            " or more"
        } else {
            ""
        };
        let plural = if self.count == 1 { "y" } else { "ies" };
        let mut notes = vec![format!(
            "{what} of {}{more} entr{plural}, {} bytes unpacked as declared",
            self.count, self.bytes
        )];
        if self.lines.len() < self.count {
            notes.push(format!("the first {} are listed", self.lines.len()));
        }
        if self.unsafe_names > 0 {
            notes.push(format!(
                "{} with names that lead out of the folder they are unpacked to",
                self.unsafe_names
            ));
        }
        notes.append(&mut self.notes);
        Reading::Text {
            text: self.lines.join("\n"),
            notes,
        }
    }
}

/// Whether unpacking this name carelessly would write elsewhere.
fn leads_out(name: &str) -> bool {
    let name = name.replace('\\', "/");
    name.starts_with('/') || name.split('/').any(|part| part == "..") || name.get(1..2) == Some(":")
}
