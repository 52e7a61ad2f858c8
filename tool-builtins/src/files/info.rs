//! What is known of a file.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::error::FileError;
use super::media_type::by_name;
use super::time::utc;
use crate::policy::{EntryKind, Policy, plain};
use crate::text::decode::{Markup, decode};
use crate::text::kind::binary_type;

/// Whether to work out a checksum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Checksum {
    /// None.
    #[default]
    None,
    /// SHA-256 of the content.
    Sha256,
}

/// What is known of a file or a directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct FileInfo {
    /// The path as it was given.
    pub path: String,
    /// What it is, links followed.
    pub kind: EntryKind,
    /// Whether the path itself names a link.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_link: bool,
    /// The size in bytes, for regular files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// When it was changed last, in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// When it was made, in UTC, where the file system keeps that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Whether nobody may write to it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
    /// The media type: by the content, for text also by the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The encoding of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// How many lines a text has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
    /// The SHA-256 checksum in hexadecimal digits, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// Tells what is known of a file or a directory below a root.
///
/// Of a file that is larger than the policy reads, the type, the lines and the checksum stay unknown.
///
/// # Errors
///
/// A [`FileError`] when the path leads outside the root or nothing is there.
pub fn file_info(policy: &Policy, path: &str, checksum: Checksum) -> Result<FileInfo, FileError> {
    let metadata = policy.metadata(path)?;
    let time = |time: std::io::Result<cap_std::time::SystemTime>| {
        time.ok().map(|time| utc(time.into_std()))
    };
    let kind = if metadata.is_file() {
        EntryKind::File
    } else if metadata.is_dir() {
        EntryKind::Directory
    } else {
        EntryKind::Other
    };
    let mut info = FileInfo {
        path: plain(path),
        kind,
        is_link: policy.is_link(path)?,
        size: (kind == EntryKind::File).then_some(metadata.len()),
        modified: time(metadata.modified()),
        created: time(metadata.created()),
        read_only: metadata.permissions().readonly(),
        mime_type: None,
        encoding: None,
        lines: None,
        sha256: None,
    };
    if kind != EntryKind::File || metadata.len() > policy.limits().file_read as u64 {
        return Ok(info);
    }
    let content = policy.read(path)?;
    // It may have changed since it was looked at; what is told belongs together.
    info.size = Some(content.len() as u64);
    match binary_type(&content) {
        Some(kind) => info.mime_type = Some(kind.to_owned()),
        None => {
            let decoded = decode(&content, None, Markup::None);
            info.mime_type = Some(by_name(path).unwrap_or("text/plain").to_owned());
            info.encoding = Some(decoded.encoding.to_owned());
            info.lines = Some(
                super::breaks::Unified::new(&decoded.text)
                    .text
                    .lines()
                    .count(),
            );
        }
    }
    if checksum == Checksum::Sha256 {
        let digest = Sha256::digest(&content);
        let mut digits = String::with_capacity(64);
        for byte in digest {
            let _ = write!(digits, "{byte:02x}");
        }
        info.sha256 = Some(digits);
    }
    Ok(info)
}
