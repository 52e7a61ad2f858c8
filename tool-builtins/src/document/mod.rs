//! Documents as text: PDF, Word, PowerPoint, spreadsheets, archives, pictures and structured text.
//!
//! Each reader takes the bytes of a document that a stranger may have made, and gives clean text or a [`Fault`]. What
//! a reader may take is in [`bounds`]; readers that an input can bring down run in a [`crate::worker`] process.

#![cfg_attr(
    not(all(feature = "office", feature = "pdf", feature = "formats")),
    allow(
        dead_code,
        reason = "each reader takes what it needs of the bounds, the faults and the walk"
    )
)]

#[cfg(feature = "formats")]
mod archive;
pub(crate) mod bounds;
#[cfg(feature = "office")]
mod docx;
pub(crate) mod fault;
pub(crate) mod kind;
#[cfg(any(feature = "office", feature = "pdf"))]
mod markdown;
#[cfg(any(feature = "office", feature = "formats"))]
mod package;
#[cfg(feature = "pdf")]
mod pages;
#[cfg(feature = "pdf")]
mod pdf;
mod picture;
#[cfg(feature = "office")]
mod relations;
#[cfg(feature = "office")]
mod slides;
pub(crate) mod structured;
#[cfg(feature = "office")]
pub(crate) mod workbook;
#[cfg(any(feature = "office", feature = "formats"))]
mod xml;

use serde::{Deserialize, Serialize};

pub(crate) use bounds::Bounds;
pub(crate) use fault::Fault;
pub(crate) use kind::{Kind, kind};
pub use picture::Picture;
#[cfg(feature = "office")]
pub use workbook::{Sheet, Workbook};

use crate::policy::Policy;

/// Which part of a document is wanted.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Request {
    /// Pages of a PDF, such as `1-3,7`.
    pub(crate) pages: Option<String>,
    /// The name of a sheet.
    pub(crate) sheet: Option<String>,
    /// How many rows of a sheet to skip.
    pub(crate) offset: usize,
    /// How many rows of a sheet to give.
    pub(crate) limit: usize,
}

/// What a document holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Reading {
    /// Text, as Markdown where it has a form, and what must be said of it.
    Text {
        /// Clean text.
        text: String,
        /// Remarks such as "page 3 has no text".
        notes: Vec<String>,
    },
    /// Sheets of cells.
    #[cfg(feature = "office")]
    Workbook(Workbook),
    /// A picture, of which only the header was read.
    Picture(Picture),
}

/// Reads a document of a known kind.
pub(crate) fn read(
    policy: &Policy,
    bytes: &[u8],
    kind: Kind,
    request: &Request,
) -> Result<Reading, Fault> {
    match kind {
        Kind::EncryptedOffice => Err(Fault::Encrypted),
        Kind::Pdf | Kind::Xlsb | Kind::Xls | Kind::Ods => read_apart(policy, bytes, kind, request),
        Kind::Picture => Ok(Reading::Picture(picture::read(bytes)?)),
        _ => read_here(bytes, kind, request, Bounds::of(policy.limits())),
    }
}

/// Reads in a process of its own what can bring its reader down, where such a reader is built at all.
fn read_apart(
    policy: &Policy,
    bytes: &[u8],
    kind: Kind,
    request: &Request,
) -> Result<Reading, Fault> {
    let is_pdf = kind == Kind::Pdf;
    let is_built = (is_pdf && cfg!(feature = "pdf")) || (!is_pdf && cfg!(feature = "office"));
    #[cfg(feature = "__worker")]
    if is_built {
        return crate::worker::read(policy, bytes, kind, request);
    }
    debug_assert!(!is_built, "what has a reader has a worker");
    read_here(bytes, kind, request, Bounds::of(policy.limits()))
}

/// Reads in this process.
pub(crate) fn read_here(
    bytes: &[u8],
    kind: Kind,
    request: &Request,
    bounds: Bounds,
) -> Result<Reading, Fault> {
    #[cfg(not(all(feature = "office", feature = "pdf", feature = "formats")))]
    let _ = (request, bounds, bytes);
    match kind {
        #[cfg(feature = "pdf")]
        Kind::Pdf => pdf::read(bytes, request, bounds),
        #[cfg(feature = "office")]
        Kind::Word => docx::read(bytes, bounds),
        #[cfg(feature = "office")]
        Kind::Slides => slides::read(bytes, bounds),
        #[cfg(feature = "office")]
        Kind::Xlsx | Kind::Xlsb | Kind::Xls | Kind::Ods => {
            workbook::read(bytes, kind, request, bounds)
        }
        #[cfg(feature = "formats")]
        Kind::Zip | Kind::Tar | Kind::Gzip => archive::read(bytes, kind, bounds),
        Kind::Picture => Ok(Reading::Picture(picture::read(bytes)?)),
        Kind::EncryptedOffice => Err(Fault::Encrypted),
        #[allow(
            unreachable_patterns,
            reason = "with all features every kind has its reader"
        )]
        kind => Err(Fault::NotBuilt {
            feature: feature(kind).to_owned(),
        }),
    }
}

/// The cargo feature that brings the reader of a kind.
fn feature(kind: Kind) -> &'static str {
    match kind {
        Kind::Pdf => "pdf",
        Kind::Zip | Kind::Tar | Kind::Gzip => "formats",
        _ => "office",
    }
}
