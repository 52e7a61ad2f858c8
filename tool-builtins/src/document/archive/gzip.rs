//! Files compressed with gzip: a tar archive is listed, a text is given, anything else is named.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::tar;
use crate::document::Reading;
use crate::document::bounds::{Bounds, TEXT};
use crate::document::fault::Fault;
use crate::document::package::expands;
use crate::text::clean::clean;
use crate::text::decode::{Markup, decode};
use crate::text::kind::binary_type;

pub(super) fn read(bytes: &[u8], bounds: Bounds) -> Result<Reading, Fault> {
    let mut content = Vec::new();
    let read = MultiGzDecoder::new(bytes)
        .take(bounds.expanded as u64 + 1)
        .read_to_end(&mut content);
    if content.len() > bounds.expanded {
        return Err(expands(bounds.expanded));
    }
    let mut notes = Vec::new();
    if read.is_err() {
        if content.is_empty() {
            return Err(Fault::malformed("its compressed data is damaged"));
        }
        notes.push("the compressed data is damaged or cut off".to_owned());
    }
    if tar::is_tar(&content) {
        return tar::read(&content, bounds);
    }
    notes.push(format!("unpacked from gzip, {} bytes", content.len()));
    if let Some(kind) = binary_type(&content) {
        notes.push(format!("it holds no text: it is of type `{kind}`"));
        return Ok(Reading::Text {
            text: String::new(),
            notes,
        });
    }
    if content.len() > TEXT {
        content.truncate(TEXT);
        notes.push(format!("the first {TEXT} bytes are given"));
    }
    Ok(Reading::Text {
        text: clean(&decode(&content, None, Markup::None).text),
        notes,
    })
}
