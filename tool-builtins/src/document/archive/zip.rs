//! ZIP archives: the central directory alone.

use std::io::Cursor;

use ::zip::ZipArchive;

use super::Listing;
use crate::document::Reading;
use crate::document::fault::Fault;

pub(super) fn read(bytes: &[u8]) -> Result<Reading, Fault> {
    let mut archive = ZipArchive::new(Cursor::new(bytes))
        .map_err(|_| Fault::malformed("its archive is damaged"))?;
    let mut listing = Listing::default();
    for index in 0..archive.len() {
        let Ok(entry) = archive.by_index_raw(index) else {
            continue;
        };
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        let remark = if entry.encrypted() {
            " (encrypted)"
        } else if entry.is_symlink() {
            " (symbolic link)"
        } else {
            ""
        };
        if !listing.add(&name, entry.size(), remark) {
            break;
        }
    }
    if bytes.len() as u64 * 200 < listing.bytes {
        listing
            .notes
            .push("it declares to expand more than 200 times".to_owned());
    }
    Ok(listing.finish("a ZIP archive"))
}
