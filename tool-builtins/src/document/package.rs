//! A document that is a ZIP archive of parts. What is counted are the bytes that really come out, never the sizes that
//! the archive declares.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::bounds::{Bounds, ENTRIES};
use super::fault::Fault;
use crate::text::decode::{Markup, decode};

/// The largest ratio that the deflate algorithm can reach.
const MOST_EXPANSION: usize = 1032;

/// The open parts of a document.
pub(crate) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    whole: usize,
    left: usize,
}

impl<'a> Package<'a> {
    pub(crate) fn open(bytes: &'a [u8], bounds: Bounds) -> Result<Self, Fault> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
        if archive.len() > ENTRIES {
            return Err(Fault::malformed(format!(
                "it has {} parts, more than the {ENTRIES} of any real document",
                archive.len()
            )));
        }
        Ok(Self {
            archive,
            whole: bounds.expanded,
            left: bounds.expanded,
        })
    }

    /// Whether there is a part of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.archive.index_for_name(name).is_some()
    }

    /// The bytes of a part, `None` where there is none. They count towards what the whole document may expand to.
    pub(crate) fn bytes(&mut self, name: &str) -> Result<Option<Vec<u8>>, Fault> {
        let part = match self.archive.by_name(name) {
            Ok(part) => part,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(broken(&error)),
        };
        let mut bytes = Vec::new();
        part.take(self.left as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|_| Fault::malformed(format!("its part `{name}` is damaged")))?;
        if bytes.len() > self.left {
            return Err(expands(self.whole));
        }
        self.left -= bytes.len();
        Ok(Some(bytes))
    }

    /// The text of a part, whatever its encoding.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, Fault> {
        let bytes = self.bytes(name)?;
        Ok(bytes.map(|bytes| match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => decode(error.as_bytes(), None, Markup::None).text,
        }))
    }

    /// Checks that all parts together expand to no more than the bound, for a reader that does not count itself.
    pub(crate) fn check_expansion(&mut self) -> Result<(), Fault> {
        let mut packed = 0_usize;
        for index in 0..self.archive.len() {
            if let Ok(part) = self.archive.by_index_raw(index) {
                let size = usize::try_from(part.compressed_size()).unwrap_or(usize::MAX);
                packed = packed.saturating_add(size);
            }
        }
        if packed.saturating_mul(MOST_EXPANSION) <= self.whole {
            return Ok(());
        }
        let mut left = self.whole as u64;
        for index in 0..self.archive.len() {
            // What cannot be opened or read to its end here cannot be by any reader.
            let Ok(part) = self.archive.by_index(index) else {
                continue;
            };
            let mut part = part.take(left + 1);
            let _ = std::io::copy(&mut part, &mut std::io::sink());
            left = part
                .limit()
                .checked_sub(1)
                .ok_or_else(|| expands(self.whole))?;
        }
        Ok(())
    }
}

pub(crate) fn expands(limit: usize) -> Fault {
    Fault::too_much(
        format!("it expands to more than {limit} bytes"),
        "Policy::max_expanded",
    )
}

fn broken(error: &ZipError) -> Fault {
    match error {
        ZipError::UnsupportedArchive(why) if *why == ZipError::PASSWORD_REQUIRED => {
            Fault::Encrypted
        }
        ZipError::UnsupportedArchive(why) => {
            Fault::malformed(format!("its archive is of a kind that is not read ({why})"))
        }
        ZipError::Io(_) => Fault::malformed("its archive is cut off or damaged"),
        _ => Fault::malformed("its archive is damaged"),
    }
}
