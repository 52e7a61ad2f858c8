//! How much a tool may take in, and how long it may wait.

use std::time::Duration;

/// The limits of a [`Policy`](crate::Policy). Set them through its builder methods.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The largest body of an answer, in bytes after decompression. Default: 10 MiB.
    pub download: usize,
    /// The largest file that is read, in bytes. Default: 10 MiB.
    pub file_read: usize,
    /// The largest file that is written, in bytes. Default: 10 MiB.
    pub file_write: usize,
    /// How many redirects one request may follow. Default: 10.
    pub redirects: usize,
    /// How long one request may take from the first name lookup to the last byte. Default: 30 s.
    pub total: Duration,
    /// How long connecting may take, TLS included. Default: 10 s.
    pub connect: Duration,
    /// How long a server may send nothing. Default: 10 s.
    pub idle: Duration,
    /// What a compressed document may expand to, in bytes, all its parts together. Default: 128 MiB.
    pub expanded: usize,
    /// How long the worker may take over one document. Default: 10 s.
    pub document_time: Duration,
    /// How much memory the worker may have, in bytes. Default: 512 MiB.
    pub document_memory: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            download: 10 * 1024 * 1024,
            file_read: 10 * 1024 * 1024,
            file_write: 10 * 1024 * 1024,
            redirects: 10,
            total: Duration::from_secs(30),
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(10),
            expanded: 128 * 1024 * 1024,
            document_time: Duration::from_secs(10),
            document_memory: 512 * 1024 * 1024,
        }
    }
}
